// Figures of a hostile service: `npm run bench -- hostile [seconds]` (60), after `npm run build`. Nothing is asserted: figures
// depend on the machine.
//
//   the agent    a tool writes 20,000 points/s in 20 columns while each chunk is answered by the next of what a hostile service
//                can say; then the service is a good one, and what it holds is compared with the log row by row
//   the client   how long the thread that reads is held by one kind of answer after the other
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { createServiceClient } from '../../src-main/delivery/client/client.ts';
import { startLocalService } from '../../src-main/local-service/local-service.ts';
import { readDelivered } from '../support/rigs/delivered.ts';
import { KINDS, type Kind } from './parts/hostile-service.ts';
import { inFolder, MeasuredAgent, Part, RowWriter, tableLine } from './parts/rig.ts';
import { TOOL_COLUMNS } from './parts/with-tool.ts';

const ROWS_PER_SECOND = 1000;
const POINTS_PER_CHUNK = 1000;
const CLIENT_SECONDS = 5;
const RESOLUTION_MS = 5;
const seconds = Number(process.argv[2] ?? 60);

async function startHostile(upstream: string[] = []): Promise<{ part: Part; url: string }> {
  const part = new Part(join(import.meta.dirname, 'parts/hostile-service.ts'), upstream);
  return { part, url: `http://127.0.0.1:${await part.line()}` };
}

/** Points of the log that the service does not hold in the log's order, and points that it holds beyond those. */
async function compare(logFile: string, client: ReturnType<typeof createServiceClient>) {
  const [, ...lines] = readFileSync(logFile, 'utf8').trimEnd().split('\n');
  const rows = lines.map((line) => line.split(',').map(Number));
  const delivered = await readDelivered(client);
  let [points, wrong, tooMany] = [0, 0, 0];
  for (let column = 1; column <= TOOL_COLUMNS; column++) {
    // A stream that the hostile service refused may be made later than the one after it.
    const held = (delivered.get(`channel ${column}`) ?? []).toSorted((a, b) => a.timeMs - b.timeMs);
    points += rows.length;
    wrong += rows.filter((row, at) => held[at]?.value !== row[column]).length;
    tooMany += Math.max(0, held.length - rows.length);
  }
  return { points, wrong, tooMany };
}

const measureAgent = () =>
  inFolder(async (folder) => {
    const service = await startLocalService({ folder: join(folder, 'service') });
    const client = createServiceClient({ baseUrl: service.url, apiKey: () => service.apiKey });
    const { part: hostile, url } = await startHostile([service.url]);
    const logs = join(folder, 'logs');
    const tool = RowWriter.start(logs, TOOL_COLUMNS, ROWS_PER_SECOND);
    const wish = { folder, url, logs, pointsPerChunk: POINTS_PER_CHUNK, key: service.apiKey };
    const agent = await MeasuredAgent.start(wish, 'run');
    await setTimeout(5000);
    await agent.figures();
    await setTimeout(seconds * 1000);
    const { cpuS, wallS, loopP50Ms, loopP99Ms, peakMb } = await agent.figures();
    await tool.stop();
    hostile.tell('good');
    const answers = Number(await hostile.line());
    await agent.end();
    await (await MeasuredAgent.start(wish, 'drain')).drained();
    const { points, wrong, tooMany } = await compare(join(logs, 'live.csv'), client);
    console.log(tableLine(`the agent, ${seconds} s of a hostile service`, ''));
    console.log(tableLine('---', '---'));
    console.log(tableLine('answers of it', answers));
    console.log(tableLine('event loop delay p50, p99', `${loopP50Ms.toFixed(1)}, ${loopP99Ms.toFixed(1)} ms`));
    console.log(
      tableLine('CPU, of one core; peak memory', `${((100 * cpuS) / wallS).toFixed(1)} %; ${peakMb.toFixed(0)} MB`),
    );
    console.log(tableLine('points of the log; not held in their place; too many', `${points}; ${wrong}; ${tooMany}`));
    await Promise.all([client.close(), hostile.end(), tool.end()]);
    await service.stop();
  });

async function measureClient(kind: Kind): Promise<void> {
  const { part: hostile, url } = await startHostile();
  hostile.tell(kind);
  await hostile.line();
  const client = createServiceClient({ baseUrl: url, apiKey: () => 'bench' });
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let [answers, outcome] = [0, ''];
  for (const startMs = performance.now(); performance.now() - startMs < CLIENT_SECONDS * 1000; answers += 1) {
    outcome = await client.listDataEntries({}).then(
      (entries) => `${entries.length} entries`,
      (fault: Error) => fault.message,
    );
  }
  delay.disable();
  const ms = (ns: number) => Math.max(0, ns / 1e6 - RESOLUTION_MS).toFixed(0);
  const [p50, p99, most] = [delay.percentile(50), delay.percentile(99), delay.max].map(ms);
  console.log(tableLine(kind, answers, p50 ?? '', p99 ?? '', most ?? '', outcome));
  await Promise.all([client.close(), hostile.end()]);
}

await measureAgent();
console.log(`\n${tableLine('the client', 'answers', 'loop delay p50 ms', 'p99 ms', 'most ms', 'outcome')}`);
console.log(tableLine('---', '---', '---', '---', '---', '---'));
for (const kind of Object.keys(KINDS) as Kind[]) await measureClient(kind);
console.log(`load ${loadavg()[0]?.toFixed(1)}, memory ${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB`);
