// The simulated tool as a source. A reading's growth time and stamp are both functions of its number since the growth
// began, so after a restart the growth has gone on without us: what was not read meanwhile is a gap, as with a real tool.
import { z } from 'zod';
import { type Clock, systemClock } from '../../platform/clock.ts';
import { NOT_RUNNING, type Source, type SourceSink } from '../source.ts';
import { prepareCamera, runCamera, type SimulatedCamera } from './camera-run.ts';
import { declareGrowth, GrowthModel } from './growth-model.ts';

/** Readings handed over at once, at most: after a long pause of the machine they come in blocks. */
const BLOCK_READINGS = 1000;
/** A pause longer than this is a gap and is not filled up, milliseconds. */
const PAUSE_MS = 10_000;

const KEY = 'growth';
const Stored = z.object({
  /** When the growth began, Unix ms. */
  beganMs: z.number(),
  /** Stamp of reading 0 of this run, Unix ms. */
  originMs: z.number(),
  /** The next reading. */
  next: z.int().nonnegative(),
  /** Growth time of reading 0, seconds, and how it runs: settings may change between two runs. */
  growthS: z.number(),
  intervalMs: z.number(),
  speed: z.number(),
});
type Stored = z.infer<typeof Stored>;

export interface SimulatorOptions {
  readonly id: string;
  /** Integer; the same seed gives the same values at the same growth time. */
  readonly seed: number;
  /** Growth time per real time. */
  readonly speed: number;
  /** Real time between two readings. */
  readonly intervalMs: number;
  /** A RHEED camera beside the growth; null or absent: none. */
  readonly camera?: SimulatedCamera | null;
  readonly clock?: Clock;
  /** End after this much real time since the growth began; absent: never. */
  readonly durationMs?: number;
}

/**
 * Make the source of a simulated growth.
 *
 * @param options - seed, speed, interval.
 * @returns a source whose stamps never go back: they follow the monotonic clock from the wall clock at which the growth began,
 *   and after a restart from the last stamp on, with the frame counter going on.
 */
export function openSimulatorSource(options: SimulatorOptions): Source {
  const { id, camera = null, clock = systemClock } = options;
  if (camera === null) return { id, kind: 'simulator', run: (sink, signal) => run(options, sink, signal) };
  // Before anybody looks into its folder.
  prepareCamera(camera);
  return {
    id,
    kind: 'simulator',
    run: async (sink, signal) => {
      const pictures = runCamera(camera, clock, signal).catch((thrown: unknown) => noteCamera(sink, thrown));
      await Promise.all([run(options, sink, signal), pictures]);
    },
  };
}

/** A camera that cannot write is told; the growth goes on without it. */
function noteCamera(sink: SourceSink, thrown: unknown): void {
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  const message = `The simulated camera stopped: ${why}.`;
  sink.note({ level: 'warning', code: 'simulator.camera', message, hint: 'Free some disk space, then start again.' });
}

async function run(options: SimulatorOptions, sink: SourceSink, signal: AbortSignal): Promise<void> {
  const { seed, intervalMs, speed, durationMs = Number.POSITIVE_INFINITY, clock = systemClock } = options;
  const model = new GrowthModel(seed);
  const channels = declareGrowth(intervalMs);
  const names = channels.map(({ name }) => name);
  let state = resume((await sink.positions()).get(KEY), options, clock.nowMs(), sink);
  sink.declare(channels);
  const stampOf = (reading: number) => state.originMs + reading * intervalMs;
  // The anchor joins the two clocks once: a wall clock that steps later moves no stamp.
  const anchorMs = clock.monotonicMs() - (clock.nowMs() - state.originMs);
  const total = Math.max(0, Math.floor((durationMs - (state.originMs - state.beganMs)) / intervalMs));

  while (!signal.aborted && state.next < total) {
    const sinceOriginMs = clock.monotonicMs() - anchorMs;
    const due = Math.min(total, Math.floor(sinceOriginMs / intervalMs) + 1);
    if (due <= state.next) {
      await clock.sleep(Math.max(1, state.next * intervalMs - sinceOriginMs), signal);
      continue;
    }
    if ((due - state.next) * intervalMs > PAUSE_MS && total === Number.POSITIVE_INFINITY) {
      sink.gap(stampOf(state.next), stampOf(due - 1), 'the agent was paused');
      state = { ...state, next: due - 1 };
    }
    const count = Math.min(due - state.next, BLOCK_READINGS);
    const timesMs = new Float64Array(count);
    const values = new Float64Array(count * names.length);
    for (let row = 0; row < count; row++) {
      const reading = state.next + row;
      timesMs[row] = stampOf(reading);
      values.set(model.valuesAt(state.growthS + (reading * intervalMs * speed) / 1000), row * names.length);
    }
    const next: Stored = { ...state, next: state.next + count };
    await sink.capture({
      blocks: [{ channels: names, timesMs, values }],
      positions: [{ key: KEY, value: JSON.stringify(next) }],
      rowsRead: count,
      refusals: [],
      refusedCount: 0,
      origin: 'live',
    });
    state = next;
  }
}

/** Go on from the committed reading: the growth went on while nobody read it, and its stamps never go back. */
function resume(value: string | undefined, options: SimulatorOptions, nowMs: number, sink: SourceSink): Stored {
  const { intervalMs, speed } = options;
  if (value === undefined) return { beganMs: nowMs, originMs: nowMs, next: 0, growthS: 0, intervalMs, speed };
  const former = Stored.parse(JSON.parse(value));
  const lastMs = former.originMs + (former.next - 1) * former.intervalMs;
  const growthAt = (ms: number) => former.growthS + ((ms - former.originMs) * former.speed) / 1000;
  const originMs = Math.max(nowMs, lastMs + intervalMs);
  if (originMs - lastMs > 2 * intervalMs && former.next > 0) sink.gap(lastMs, originMs, NOT_RUNNING);
  const { beganMs } = former;
  return { beganMs, originMs, next: 0, growthS: growthAt(originMs), intervalMs, speed };
}
