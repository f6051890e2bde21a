// A service far away: `npm run bench -- round-trip`, after `npm run build`. The sink answers 0, 50 and 200 ms late, a log of 20
// columns goes out in chunks of 1,000 points: as one stream, which has one request under way, as one with a window of 4 and of
// 8 (`upload_window`), and as four, a folder each, which have four. The log has been read and stored before the sink lets
// anybody in, so that only the way out is measured, between the first and the last arrival.
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { askAgent } from '../../src-main/platform/control.ts';
import { inFolder, MeasuredAgent, median, Sink, tableLine } from './parts/rig.ts';
import { writeLog } from './parts/write-log.ts';

const COLUMNS = 20;
const POINTS_PER_CHUNK = 1000;
const DELAYS_MS = [0, 50, 200];
const WAYS = [
  { name: 'one stream', streams: 1, window: 1 },
  { name: 'window of 4', streams: 1, window: 4 },
  { name: 'window of 8', streams: 1, window: 8 },
  { name: 'four streams', streams: 4, window: 1 },
] as const;
/** Requests of one run, over all streams. */
const REQUESTS = 120;
const POINTS = REQUESTS * COLUMNS * POINTS_PER_CHUNK;
const ROUNDS = Number(process.env.EPISTREAM_ROUNDS ?? 3);
const NO_PROGRESS_MS = 60_000;

/** Points that the agent has stored. */
async function stored(data: string): Promise<number> {
  const answer = (await askAgent(data, { ask: 'status' })) as { streams?: { pointsStored: number }[] } | undefined;
  return (answer?.streams ?? []).reduce((sum, { pointsStored }) => sum + pointsStored, 0);
}

/**
 * Wait until `count` gives so many.
 *
 * @throws when it has not moved for a minute.
 */
async function until(what: string, wanted: number, count: () => Promise<number>): Promise<void> {
  for (let last = -1, movedMs = Date.now(); ; await setTimeout(100)) {
    const now = await count();
    if (now >= wanted) return;
    if (now > last) [last, movedMs] = [now, Date.now()];
    if (Date.now() - movedMs > NO_PROGRESS_MS) throw new Error(`${now} of ${wanted} points ${what}`);
  }
}

async function runOnce(folder: string, logs: readonly string[], delayMs: number, window: number): Promise<number> {
  const sink = await Sink.start(delayMs);
  sink.toggle();
  const service = window > 1 ? { resend: 'repeat', upload_window: window } : {};
  const wish = { folder, url: sink.url, logs, pointsPerChunk: POINTS_PER_CHUNK, service };
  const agent = await MeasuredAgent.start(wish, 'run');
  try {
    await until('stored', POINTS, () => stored(join(folder, 'data')));
    sink.toggle();
    await until('came', POINTS, async () => sink.points);
    return sink.rateAfter(0);
  } finally {
    await Promise.all([agent.end(), sink.end()]);
  }
}

await inFolder(async (folder) => {
  const lines: { delayMs: number; name: string; pointsPerSecond: number; all: number[] }[] = [];
  for (const { name, streams, window } of WAYS) {
    const logs = Array.from({ length: streams }, (_, at) => join(folder, `logs-${window}-${streams}-${at}`));
    for (const path of logs) await writeLog(join(path, 'growth.csv'), COLUMNS, POINTS / streams / COLUMNS);
    for (const delayMs of DELAYS_MS) {
      const all: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        all.push(await runOnce(join(folder, `${window}-${streams}-${delayMs}-${round}`), logs, delayMs, window));
      }
      lines.push({ delayMs, name, pointsPerSecond: median(all), all });
    }
  }
  console.log(tableLine('points/s, answer after', ...WAYS.map(({ name }) => name)));
  console.log(tableLine('---', ...WAYS.map(() => '---')));
  for (const delayMs of DELAYS_MS) {
    const rates = lines.filter((line) => line.delayMs === delayMs).map((line) => line.pointsPerSecond);
    console.log(tableLine(`${delayMs} ms`, ...rates.map((rate) => Math.round(rate).toLocaleString('en'))));
  }
  console.log(JSON.stringify({ points: POINTS, lines }));
});
