// What a comparison shows, as text in the address: ids and shifts, no data.
import { readWord, writeWord } from '../../format/state-word.ts';
import type { PlotSpan } from '../../ui/plot/plotted-line.ts';
import type { Alignment } from './align.ts';

export interface CompareState {
  readonly ids: readonly string[];
  readonly alignment: Alignment;
  /** By id: how much later its curve is drawn, milliseconds. */
  readonly shiftsMs: Readonly<Record<string, number>>;
  /** Keys of channels; null: nobody chose yet. */
  readonly chosen: readonly string[] | null;
  /** Vertical ranges by hand, by the key of the channel. */
  readonly ranges: Readonly<Record<string, readonly [number, number]>>;
  /** Elapsed milliseconds in sight; null: all. */
  readonly span: PlotSpan | null;
}

/** Growths at once; more lines of one channel cannot be told apart. */
export const COMPARED_MAX = 3;
export const CHANNELS_MAX = 8;
const TEXT_MAX = 2000;

const firstCompare: CompareState = {
  ids: [],
  alignment: { at: 'start' },
  shiftsMs: {},
  chosen: null,
  ranges: {},
  span: null,
};

export const writeCompare = (state: CompareState): string => writeWord(state);

/** Read a word of an address; what does not fit is left out. */
export function readCompare(word: string): CompareState {
  const read = readWord(word);
  if (typeof read !== 'object' || read === null) return firstCompare;
  const { ids, alignment, shiftsMs, chosen, ranges, span } = read as Record<string, unknown>;
  return {
    ids: textsOf(ids).slice(0, COMPARED_MAX),
    alignment: toAlignment(alignment),
    shiftsMs: recordOf(shiftsMs, (value): value is number => Number.isFinite(value)),
    chosen: Array.isArray(chosen) ? textsOf(chosen).slice(0, CHANNELS_MAX) : null,
    ranges: recordOf(ranges, isRange),
    span: toSpan(span),
  };
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string' && one.length <= TEXT_MAX) : [];

function recordOf<V>(value: unknown, fits: (value: unknown) => value is V): Record<string, V> {
  const entries = Object.entries(typeof value === 'object' && value !== null ? value : {}).slice(0, CHANNELS_MAX);
  return Object.fromEntries(entries.filter((entry): entry is [string, V] => fits(entry[1])));
}

const isRange = (value: unknown): value is [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every(Number.isFinite);

function toAlignment(value: unknown): Alignment {
  const { at, text, key } = (value ?? {}) as Record<string, unknown>;
  if (at === 'note' && typeof text === 'string') return { at, text };
  if (at === 'opening' && typeof key === 'string') return { at, key };
  return { at: 'start' };
}

function toSpan(value: unknown): PlotSpan | null {
  const { from, to } = (value ?? {}) as Record<string, unknown>;
  return typeof from === 'number' && typeof to === 'number' && from < to ? { from, to } : null;
}
