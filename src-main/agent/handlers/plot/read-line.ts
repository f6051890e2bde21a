// A line of a plot from the queue, however long: the store gives the newest part of a span where that holds more chunks
// than it unpacks at once, so it is asked again for what lies before, and what came is thinned at once. Between two
// questions the store commits what was captured.
import type { Value } from '../../../contract/table.ts';
import { thin } from '../../../model/thin.ts';
import type { Store } from '../../../queue/store/store.ts';
import { LineSums } from './line-sums.ts';

/** A span with fewer points than the store unpacks chunks at once was not cut. */
const CUT_POINTS_MIN = 400;
/** Questions for one line; some hundred thousand points even with short chunks. */
const QUESTIONS_MAX = 60;
/** Stamps are doubles of milliseconds; nothing is stamped finer, milliseconds. */
const STEP_MS = 0.001;

export interface LineQuestion {
  readonly sourceId: string;
  readonly channel: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly maxPoints: number;
}

/**
 * Read a line.
 *
 * @returns its points, thinned keeping extremes; `readFromMs` tells from when on all were looked through (null: all).
 * @throws those of the store.
 */
export async function readLine(
  store: Pick<Store, 'readPoints'>,
  { sourceId, channel, fromMs, toMs, maxPoints }: LineQuestion,
): Promise<Value<'plot', 'read'>[number]> {
  const parts: { timesMs: number[]; values: number[] }[] = [];
  const sums = new LineSums();
  let unit = '';
  let untilMs = toMs;
  let readFromMs: number | null = null;
  for (let question = 0; question < QUESTIONS_MAX; question++) {
    const read = await store.readPoints(sourceId, channel, fromMs, untilMs);
    unit ||= read.unit;
    sums.add(read.values);
    if (read.timesMs.length > 0) parts.unshift(thin(read.timesMs, read.values, maxPoints));
    const oldestMs = read.timesMs.reduce((least, timeMs) => Math.min(least, timeMs), untilMs);
    readFromMs = oldestMs;
    untilMs = oldestMs - STEP_MS;
    if (read.timesMs.length < CUT_POINTS_MIN || untilMs < fromMs) {
      readFromMs = null;
      break;
    }
  }
  const only = parts.length === 1 ? parts[0] : undefined;
  const times = Float64Array.from(parts.flatMap(({ timesMs }) => timesMs));
  const line = only ?? thin(times, Float64Array.from(parts.flatMap(({ values }) => values)), maxPoints);
  return { sourceId, channel, unit, ...line, readFromMs, statistics: sums.statistics() };
}
