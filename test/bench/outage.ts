// What waits after an outage goes out: `npm run bench -- outage [seconds]` (60), after `npm run build`. A tool writes 20,000
// points/s in 20 columns, the service goes away for that time, the tool ends, the service comes back. Median of three rounds.
//
//   bytes a point   on disk for a waiting point
//   until the first from the service's return to the first chunk that it takes: the agent's own wait between two tries
//   points/s        from the first chunk that the service takes until all but two chunks are there: the rows that were there
//                   before the agent are a stream of their own, and of both streams what fills no chunk stays open. The first
//                   chunk is no part of it, since the clock begins when it is there
import { setTimeout } from 'node:timers/promises';
import { median, tableLine } from './parts/rig.ts';
import { queueBytes, TOOL_COLUMNS, withTool } from './parts/with-tool.ts';

const ROWS_PER_SECOND = 1000;
const POINTS_PER_CHUNK = 1000;
/** Of a chunk of the log, all columns. */
const CHUNK_POINTS = POINTS_PER_CHUNK * TOOL_COLUMNS;
/** The agent looks for the service every 30 s at most. */
const RETURN_MAX_MS = 60_000;
const ROUNDS = Number(process.env.EPISTREAM_ROUNDS ?? 3);
const seconds = Number(process.argv[2] ?? 60);

interface Round {
  readonly waitingPoints: number;
  readonly bytesAPoint: number;
  readonly cpuPercent: number;
  readonly loopP99Ms: number;
  readonly peakMb: number;
  readonly firstAfterS: number;
  readonly pointsPerSecond: number;
  readonly drainCpuSPerMillion: number;
}

const round = () =>
  withTool<Round>(ROWS_PER_SECOND, POINTS_PER_CHUNK, async ({ folder, sink, agent, tool }) => {
    sink.toggle();
    // What the sink took last has been told by then.
    await setTimeout(500);
    const [taken, bytesBefore] = [sink.points, queueBytes(folder)];
    await agent.figures();
    await setTimeout(seconds * 1000);
    const rows = await tool.stop();
    await setTimeout(2000);
    const waitingPoints = rows * TOOL_COLUMNS - taken;
    const bytesAPoint = (queueBytes(folder) - bytesBefore) / waitingPoints;
    const { cpuS, wallS, loopP99Ms } = await agent.figures();
    const certain = rows * TOOL_COLUMNS - 2 * CHUNK_POINTS;
    const backMs = Date.now();
    sink.toggle();
    while (sink.points < certain) {
      if (Date.now() - backMs > RETURN_MAX_MS) throw new Error(`${sink.points} of ${certain} points came`);
      await setTimeout(20);
    }
    const drain = await agent.figures();
    const first = sink.arrivals.find(({ points }) => points > taken);
    return {
      waitingPoints,
      bytesAPoint,
      cpuPercent: (100 * cpuS) / wallS,
      loopP99Ms,
      peakMb: drain.peakMb,
      firstAfterS: ((first?.ms ?? Number.NaN) - backMs) / 1000,
      pointsPerSecond: sink.rateAfter(taken),
      drainCpuSPerMillion: (drain.cpuS * 1e6) / (certain - taken),
    };
  });

const rounds: Round[] = [];
for (let at = 0; at < ROUNDS; at++) rounds.push(await round());
const of = (key: keyof Round) => median(rounds.map((one) => one[key]));
console.log(tableLine(`${seconds} s without the service`, 'median'));
console.log(tableLine('---', '---'));
console.log(tableLine('points waiting', of('waitingPoints').toLocaleString('en')));
console.log(tableLine('bytes a waiting point', of('bytesAPoint').toFixed(1)));
console.log(tableLine('CPU meanwhile, of one core', `${of('cpuPercent').toFixed(1)} %`));
console.log(tableLine('event loop delay meanwhile, p99', `${of('loopP99Ms').toFixed(1)} ms`));
console.log(tableLine('first chunk after', `${of('firstAfterS').toFixed(1)} s`));
console.log(tableLine('then points/s', Math.round(of('pointsPerSecond')).toLocaleString('en')));
console.log(tableLine('CPU s per million points, the wait included', of('drainCpuSPerMillion').toFixed(3)));
console.log(tableLine('peak RSS', `${of('peakMb').toFixed(0)} MB`));
console.log(JSON.stringify({ seconds, rounds }));
