// What a plot shows, as text: in the address behind the #, so that it can be sent to somebody and opened again, and in this
// browser. Such a text may be old or made by hand: parts that do not fit are left out. Links to the page that compared growths
// are read too; they had the same names without a view.
import { readWord, writeWord } from '../../format/state-word.ts';
import { readStored, store } from '../../state/browser-storage.ts';
import type { View } from '../../state/plot.ts';
import { CHANNELS_MAX } from '../../ui/plot/line-key.ts';
import type { PlotSpan, Scale, ValueRanges } from '../../ui/plot/plotted-line.ts';
import type { Alignment } from './growth-lines.ts';

export interface PlotState {
  /** Keys of the chosen channels; null: nobody chose yet. */
  readonly chosen: readonly string[] | null;
  readonly view: View;
  readonly scale: Scale;
  readonly ranges: ValueRanges;
  /** Keys of lines with an axis of their own. */
  readonly ownAxes: readonly string[];
  /** Growths laid over each other, in the place of the view; none: the view. */
  readonly ids: readonly string[];
  readonly alignment: Alignment;
  /** The part of the growths that is in sight, milliseconds of their axis; null: all. */
  readonly span: PlotSpan | null;
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
/** Growths at once: more lines of one channel cannot be told apart. */
export const GROWTHS_MAX = 6;
const TEXT_MAX = 2000;
/** A span shorter or longer than this is not shown, milliseconds. */
export const SPAN_MIN_MS = 50;
export const SPAN_MAX_MS = 400 * 24 * 60 * MINUTE_MS;

const firstState: PlotState = {
  chosen: null,
  view: { lastMs: 10 * MINUTE_MS },
  scale: 'auto',
  ranges: {},
  ownAxes: [],
  ids: [],
  alignment: 'start',
  span: null,
};

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

/** Views that a person named. This browser keeps them, as all choices of a screen; a link takes one to another PC. */
export type NamedViews = Readonly<Record<string, string>>;

const VIEWS_KEY = 'epistream.views';
export const NAME_MAX = 60;

/** Read the named views: by the name, the word of the view. */
export function readViews(): NamedViews {
  const read = readWord(readStored(VIEWS_KEY) ?? '');
  const entries = Object.entries(typeof read === 'object' && read !== null ? read : {});
  return Object.fromEntries(
    entries.filter(([name, word]) => name.length <= NAME_MAX && typeof word === 'string' && readState(word) !== null),
  );
}

/** Keep the named views. */
export const keepViews = (views: NamedViews): void => store(VIEWS_KEY, writeWord(views));

function toState(value: unknown): PlotState | null {
  if (typeof value !== 'object' || value === null) return null;
  const { chosen, view, scale, ranges, ownAxes, ids, alignment, span } = value as Record<string, unknown>;
  const growths = textsOf(ids, GROWTHS_MAX);
  const known = (['auto', 'linear', 'log'] as const).find((one) => one === scale) ?? 'auto';
  const seen = toView(view) ?? (growths.length > 0 ? firstState.view : null);
  return (
    seen && {
      chosen: Array.isArray(chosen) ? textsOf(chosen, CHANNELS_MAX) : null,
      view: seen,
      scale: known,
      ranges: toRanges(ranges),
      ownAxes: textsOf(ownAxes, CHANNELS_MAX),
      ids: growths,
      alignment: alignment === 'clock' ? alignment : 'start',
      span: toSpan(span),
    }
  );
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= TEXT_MAX;
const textsOf = (value: unknown, most: number): string[] =>
  Array.isArray(value) ? value.filter(isText).slice(0, most) : [];
const isRange = (value: unknown) => Array.isArray(value) && value.length === 2 && value.every(Number.isFinite);

function toRanges(value: unknown): ValueRanges {
  const entries = Object.entries(typeof value === 'object' && value !== null ? value : {}).slice(0, CHANNELS_MAX);
  return Object.fromEntries(entries.filter(([, range]) => isRange(range)));
}

function toSpan(value: unknown): PlotSpan | null {
  const { from, to } = (value ?? {}) as Record<string, unknown>;
  return typeof from === 'number' && typeof to === 'number' && from < to ? { from, to } : null;
}

function toView(value: unknown): View | null {
  const { lastMs, fromMs, toMs } = (value ?? {}) as Record<string, unknown>;
  if (typeof lastMs === 'number') return isLength(lastMs) ? { lastMs } : null;
  if (typeof fromMs !== 'number' || typeof toMs !== 'number' || !Number.isFinite(fromMs)) return null;
  return isLength(toMs - fromMs) ? { fromMs, toMs } : null;
}

const isLength = (lengthMs: number) => lengthMs >= SPAN_MIN_MS && lengthMs <= SPAN_MAX_MS;
