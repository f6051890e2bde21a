// `npm run soak -- --hours N`, after `npm run build`: the built agent for hours, as on a growth tool's PC, under trouble. It
// reads a log of 20 columns (a new file now and then), two instruments on troubled lines and a camera's numbered images, and
// sends to a service that is away, frozen, refuses, overloaded, loses answers or slow by turns. Each part is a process of its
// own. The table grows while it runs, a line a tenth; at the end every point must be at the service once and unaltered.
//
//   --hours N, --minutes N   how long (1 hour)
//   --seed N                 where chance begins (by chance)
//   --folder PATH            where everything lies, and stays; without it, a temporary folder, kept only when something is wrong
//   --json FILE              the figures as JSON go there, too
//
// It ends with 0 when all is well, 1 when anything was lost, doubled or altered, 2 when it cannot run here, 3 when memory,
// handles or WAL grew beyond their limits (in runs of at least half an hour; shorter ones are told, not judged).
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createServiceClient } from '../../src-main/delivery/client/client.ts';
import { Chance } from '../simulation/random.ts';
import { hasPty } from '../support/serial/pty.ts';
import { readSeries } from './delivered-series.ts';
import { judgeFlatness } from './flatness.ts';
import { type Finding, judgeWhole } from './judge-whole.ts';
import { readLogs } from './read-logs.ts';
import { foldStretch, type Stretch, timelineHead, timelineRow } from './timeline.ts';
import { WholeRig } from './whole-rig.ts';

const HOUR_MS = 3_600_000;
/** Shorter runs have hardly warmed up when they end, milliseconds. */
const JUDGED_MS = HOUR_MS / 2;
const TENTHS = 10;
const WRONG_SHOWN = 40;

const { values } = parseArgs({
  options: {
    hours: { type: 'string' },
    minutes: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    folder: { type: 'string' },
    json: { type: 'string' },
  },
});
const lastsMs = values.minutes ? Number(values.minutes) * 60_000 : Number(values.hours ?? 1) * HOUR_MS;
const seed = Number(values.seed);
const obstacle =
  (process.platform !== 'linux' && 'Handles and threads are counted as Linux tells them.') ||
  (!hasPty && 'This machine has no pseudo-terminals, or no socat that makes them.') ||
  (!existsSync(join(import.meta.dirname, '../../dist/main/cli.js')) && 'There is no built program: npm run build.') ||
  (!(lastsMs > 0 && Number.isFinite(seed)) && 'Time and seed are numbers: --hours 1, --minutes 3, --seed 7.');
if (obstacle) {
  console.error(obstacle);
  process.exit(2);
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'epistream-soak-'));
mkdirSync(folder, { recursive: true });
const commit = spawnSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).stdout.trim();
console.log(
  `commit ${commit || 'unknown'}, ${lastsMs / 60_000} min, --seed ${seed}, from ${new Date().toISOString()}, in ${folder}; ` +
    `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}\n`,
);

/** Let it run, and print the table as it grows. */
async function watch(rig: WholeRig): Promise<Stretch[]> {
  for (const line of timelineHead()) console.log(line);
  const tenths: Stretch[] = [];
  for (let tenth = 1; tenth <= TENTHS; tenth++) {
    await rig.watchUntil((tenth * lastsMs) / TENTHS);
    const seen = foldStretch(rig.samples, rig.lags, ((tenth - 1) * lastsMs) / TENTHS, (tenth * lastsMs) / TENTHS);
    if (!seen) continue;
    tenths.push(seen);
    console.log(timelineRow(seen));
  }
  return tenths;
}

function printFindings(findings: readonly Finding[]): void {
  console.log('');
  for (const { what, points, lost, doubled, altered } of findings) {
    console.log(`${what}: ${points.toLocaleString('en')} points; ${lost} lost, ${doubled} doubled, ${altered} altered`);
  }
  const wrong = findings.flatMap((finding) => finding.wrong);
  for (const words of wrong.slice(0, WRONG_SHOWN)) console.log(words);
  if (wrong.length > WRONG_SHOWN) console.log(`and ${wrong.length - WRONG_SHOWN} more`);
}

const rig = await WholeRig.start({ folder, chance: new Chance(seed), lastsMs });
const tenths = await watch(rig);
const end = await rig.end();
const client = createServiceClient({ baseUrl: rig.service.url, apiKey: () => rig.key });
const delivered = await readSeries(client);
await client.close();
const findings = await judgeWhole({ ...end, logs: readLogs(rig.logs) }, delivered, rig.agent.queuePath);
await rig.remove();

const fifth = (from: number, to: number) => foldStretch(rig.samples, rig.lags, from * lastsMs, to * lastsMs) as Stretch;
const flatness = judgeFlatness(fifth(0.2, 0.4), fifth(0.8, 1));
const isWhole = end.waitingPoints === 0 && findings.every(({ wrong }) => wrong.length === 0);
const isJudged = lastsMs >= JUDGED_MS;
const facts = { commit, minutes: lastsMs / 60_000, seed, tenths, findings, caughtUpS: end.caughtUpS, ...flatness };
const troubles = { ...rig.service.troubles, 'failed requests': rig.service.hits };
printFindings(findings);
console.log(
  `troubles: ${Object.entries(troubles)
    .map(([what, count]) => `${what} ${count}`)
    .join(', ')}; after the last one all was delivered within ${end.caughtUpS.toFixed(0)} s, ` +
    `${end.waitingPoints} points wait still`,
);
console.log(JSON.stringify({ ...facts, troubles }));
if (values.json) writeFileSync(values.json, `${JSON.stringify({ ...facts, troubles }, null, 2)}\n`);
if (values.folder === undefined && isWhole) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
else console.log(`Everything lies in ${folder}.`);
console.log(
  `${isWhole ? 'Whole: nothing lost, doubled or altered.' : 'NOT WHOLE: see above.'} ` +
    `${isJudged ? '' : 'Too short to judge how flat it is: '}${flatness.words}`,
);
process.exit(isWhole ? (flatness.isFlat || !isJudged ? 0 : 3) : 1);
