// What a plot shows, as text: in the address behind the #, so that it can be sent to somebody and opened again, and in this
// browser. Whatever stands there may be old or made by hand: what does not fit is left out.
import { readWord, writeWord } from '../../format/state-word.ts';
import { readStored, store } from '../../state/browser-storage.ts';
import { CHANNELS_MAX } from '../../state/plot.ts';
import type { View } from '../../state/plots.ts';

export type Scale = 'auto' | 'linear' | 'log';

export interface PlotState {
  /** Keys of the chosen channels; null: nobody chose yet. */
  readonly chosen: readonly string[] | null;
  readonly view: View;
  readonly scale: Scale;
  /** Vertical ranges by hand, by unit. */
  readonly ranges: Readonly<Record<string, readonly [number, number]>>;
}

const MINUTE_MS = 60_000;
export const windows = [
  { value: MINUTE_MS, label: '1 min' },
  { value: 10 * MINUTE_MS, label: '10 min' },
  { value: 60 * MINUTE_MS, label: '1 h' },
  { value: 8 * 60 * MINUTE_MS, label: '8 h' },
  { value: 24 * 60 * MINUTE_MS, label: '1 d' },
  { value: 7 * 24 * 60 * MINUTE_MS, label: '7 d' },
] as const;
const KEY = 'epistream.plots';
/** A span shorter or longer than this is not shown, milliseconds. */
export const SPAN_MIN_MS = 50;
export const SPAN_MAX_MS = 400 * 24 * 60 * MINUTE_MS;

const firstState: PlotState = { chosen: null, view: { lastMs: 10 * MINUTE_MS }, scale: 'auto', ranges: {} };

/** Write a state as one word of an address. */
export const writeState = (state: PlotState): string => writeWord(state);

/**
 * Read such a word.
 *
 * @returns null when it is none.
 */
export const readState = (word: string): PlotState | null => toState(readWord(word));

/** What was shown last in this browser. */
export const readKept = (): PlotState => readState(readStored(KEY) ?? '') ?? firstState;

/** Keep what is shown for the next time in this browser, where it keeps anything. */
export const keepState = (state: PlotState): void => store(KEY, writeState(state));

function toState(value: unknown): PlotState | null {
  if (typeof value !== 'object' || value === null) return null;
  const { chosen, view, scale, ranges } = value as Record<string, unknown>;
  const keys = Array.isArray(chosen) ? chosen.filter((key) => typeof key === 'string').slice(0, CHANNELS_MAX) : null;
  const known = (['auto', 'linear', 'log'] as const).find((one) => one === scale) ?? 'auto';
  const seen = toView(view);
  return seen && { chosen: keys, view: seen, scale: known, ranges: toRanges(ranges) };
}

function toRanges(value: unknown): PlotState['ranges'] {
  const entries = Object.entries(typeof value === 'object' && value !== null ? value : {}).slice(0, CHANNELS_MAX);
  return Object.fromEntries(
    entries.filter(([, range]) => Array.isArray(range) && range.length === 2 && range.every(Number.isFinite)),
  );
}

function toView(value: unknown): View | null {
  const { lastMs, fromMs, toMs } = (value ?? {}) as Record<string, unknown>;
  if (typeof lastMs === 'number') return isLength(lastMs) ? { lastMs } : null;
  if (typeof fromMs !== 'number' || typeof toMs !== 'number' || !Number.isFinite(fromMs)) return null;
  return isLength(toMs - fromMs) ? { fromMs, toMs } : null;
}

const isLength = (lengthMs: number) => lengthMs >= SPAN_MIN_MS && lengthMs <= SPAN_MAX_MS;
