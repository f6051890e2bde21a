// `npm run soak -- serial --minutes N`: emulated instruments of five families, over pseudo-terminals, polled by the real
// serial source through the real recorder and queue, while their lines are unplugged, switched off, and disturbed by a seed,
// and somebody sets other units at two of them. It ends with 1 when a wrong value was stored, one under a unit that it was
// not in, time without readings is no gap of the ledger, or no unit was ever changed.
//
//   --minutes N       how long (30)
//   --seed N          where chance begins (by chance)
//   --folder PATH     where the queue lies, and stays; without it, a temporary folder
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { makeNonce } from '../../src-main/agent/pipeline/nonce.ts';
import type { GapRow } from '../../src-main/model/queue.ts';
import { Recorder } from '../../src-main/queue/recorder/recorder.ts';
import { openStore, type Store } from '../../src-main/queue/store/store.ts';
import { LineHub } from '../../src-main/sources/serial/line/line-hub.ts';
import { openSerialSource } from '../../src-main/sources/serial/serial-source.ts';
import type { SourceSink } from '../../src-main/sources/source.ts';
import { superviseSource } from '../../src-main/sources/supervise.ts';
import { Chance } from '../simulation/random.ts';
import { hasPty } from '../support/serial/pty.ts';
import { type SoakSource, soakLines } from './instruments.ts';
import { judgeChannel, type Verdict } from './judge.ts';
import { readLedger, readQueuePoints } from './queue-points.ts';
import { steadyClock } from './steady-clock.ts';
import { type Counts, printSoak, type SoakRow } from './table.ts';
import { TroubledLine } from './troubled-line.ts';
import type { ChannelTruth } from './truth.ts';

const EVERY_MS = 500;
const TIMEOUT_MS = 400;
/** Time in peace at the end, so that the last outages are followed by readings, milliseconds. */
const CALM_MS = 2000;
/** A port that was gone is tried again after so long at most, after outages as they are made here. */
const RETRY_MS = 20_000;

interface Running {
  readonly counts: Counts;
  readonly ended: Promise<void>;
}

function sinkFor(sourceId: string, store: Store, recorder: Recorder, counts: Counts): SourceSink {
  return {
    positions: () => store.positions(sourceId),
    declare: (channels) => {
      for (const { name, unit } of channels) counts.units.set(name, unit);
      recorder.declare(sourceId, channels);
    },
    capture: (capture) => {
      for (const { reason } of capture.refusals) counts.refused.set(reason, (counts.refused.get(reason) ?? 0) + 1);
      if (capture.blocks.length > 0) counts.lastMs = steadyClock.nowMs();
      return recorder.capture(sourceId, capture);
    },
    note: ({ code }) => counts.notes.set(code, (counts.notes.get(code) ?? 0) + 1),
    gap: (fromMs, toMs, cause) => recorder.gap(sourceId, fromMs, toMs, cause),
  };
}

/** Plug in, disturb, record for so long, and judge. */
async function soak(minutes: number, seed: number, folder: string): Promise<boolean> {
  const chance = new Chance(seed);
  // Short runs have their outages sooner.
  const restMs: [number, number] = minutes < 1 ? [500, 2500] : [2000, 25_000];
  const turnMs: [number, number] = minutes < 1 ? [500, 2500] : [1000, 30_000];
  const counts = new Map<string, Counts>();
  const known = (sourceId: string, channel: string) => counts.get(sourceId)?.units.get(channel);
  const lines: TroubledLine[] = [];
  for (const line of soakLines()) {
    const own = new Chance(chance.between(1, 2 ** 31));
    const turns = { restMs: turnMs, known };
    lines.push(await TroubledLine.plug({ line, chance: own, timeoutMs: TIMEOUT_MS, everyMs: EVERY_MS, restMs, turns }));
  }
  const startMs = steadyClock.nowMs();
  const queuePath = join(folder, 'queue.db');
  const store = await openStore(queuePath);
  const recorder = await Recorder.open({
    store,
    clock: steadyClock,
    timeZone: 'UTC',
    toolName: 'Soak',
    synthSourceId: null,
    ruleOf: () => ({ pointsPerChunk: 500, rollover: 'growth', closeAfterQuietMs: null }),
    makeNonce,
    onCommitted: () => {},
    onStoreState: () => {},
  });
  const hub = new LineHub();
  const stopped = new AbortController();
  const run = (source: SoakSource, port: string): Running => {
    const own: Counts = { refused: new Map(), notes: new Map(), units: new Map(), lastMs: 0 };
    counts.set(source.id, own);
    const ended = superviseSource({
      open: () =>
        openSerialSource({
          ...source,
          ...{ port, line: {}, everyMs: source.id === 'ionization' ? null : EVERY_MS },
          ...{ timeoutMs: source.id === 'ionization' ? null : TIMEOUT_MS, expect: null, hub, clock: steadyClock },
        }),
      sink: sinkFor(source.id, store, recorder, own),
      clock: steadyClock,
      signal: stopped.signal,
      onState: ({ error }) => {
        if (error) own.notes.set(error.code, (own.notes.get(error.code) ?? 0) + 1);
      },
    });
    return { counts: own, ended };
  };
  const running = lines.map((line, at) =>
    (soakLines()[at]?.sources ?? []).map((source) => ({ source, ...run(source, line.path) })),
  );
  const tick = setInterval(() => recorder.tick(), 1000);
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  // The first readings come in peace: channels are known, and a hole has two ends.
  await steadyClock.sleep(3000);
  for (const line of lines) line.begin();
  await steadyClock.sleep(minutes * 60_000);
  await Promise.all(lines.map((line) => line.calm()));
  const calmMs = steadyClock.nowMs() + CALM_MS;
  await steadyClock.sleep(CALM_MS);
  const isBack = () => running.flat().every(({ counts }) => counts.lastMs > calmMs);
  while (!isBack() && steadyClock.nowMs() < calmMs + RETRY_MS) await steadyClock.sleep(200);
  const stoppedMs = steadyClock.nowMs();
  delay.disable();
  clearInterval(tick);
  stopped.abort();
  await Promise.all(running.flat().map(({ ended }) => ended));
  await recorder.end();
  const ids = lines.flatMap(({ truths }) => truths.map(({ sourceId }) => sourceId));
  const { gaps, refusedMs } = await readLedger(store, ids);
  await store.close();
  const rows: SoakRow[] = [];
  for (const [at, line] of lines.entries()) {
    const verdicts: (readonly [ChannelTruth, Verdict])[] = [];
    for (const truth of line.truths) {
      const points = readQueuePoints(queuePath, truth.sourceId, truth.channel, startMs);
      const refused = refusedMs(truth.sourceId, truth.channel);
      verdicts.push([
        truth,
        judgeChannel(truth, points, gapsOf(gaps, truth.sourceId), refused, line.outages, stoppedMs),
      ]);
    }
    rows.push({ line, verdicts, counts: (running[at] ?? []).map(({ counts }) => counts), gaps });
  }
  for (const line of lines) await line.remove();
  return printSoak(rows, { minutes, seed, delayP99Ms: delay.percentile(99) / 1e6, delayMaxMs: delay.max / 1e6 });
}

const gapsOf = (gaps: readonly GapRow[], sourceId: string) => gaps.filter((gap) => gap.sourceId === sourceId);

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    folder: { type: 'string' },
  },
});
if (!hasPty) {
  console.error('This machine has no pseudo-terminals, or no socat that makes them.');
  process.exit(2);
}
const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'epistream-soak-'));
const isClean = await soak(Number(values.minutes), Number(values.seed), folder);
if (values.folder === undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
process.exit(isClean ? 0 : 1);
