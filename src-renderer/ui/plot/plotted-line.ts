import type { KnownGap } from '../../format/line-gaps.ts';

/** A line as a plot draws it. */
export interface PlottedLine {
  /** Unlike that of any other line of this plot. */
  readonly key: string;
  readonly name: string;
  /** More about it, shown when the pointer rests on its name. */
  readonly title: string;
  readonly unit: string;
  /** Rising: Unix milliseconds on an axis of time, else numbers in the unit of the axis. */
  readonly xs: readonly number[];
  /** As many as `xs`; null breaks the line. */
  readonly values: readonly (number | null)[];
  /** Place in the row of colours; from the tenth on dashed. */
  readonly colour: number;
  /** A value holds until the next one: the line goes in steps. */
  readonly isStepped?: boolean;
  /** On an axis of elapsed time: the Unix time of its zero, milliseconds. */
  readonly zeroMs?: number;
  /** Of all points of the span, also where fewer are drawn. */
  readonly statistics?: Statistics | null;
  /** Where the agent knows that something is missing; drawn as bands. Only on an axis of time. */
  readonly gaps?: readonly KnownGap[];
  /** Where its alarms begin; drawn across the plot. */
  readonly limits?: readonly PlottedLimit[];
}

/** A value at which an alarm begins. */
export interface PlottedLimit {
  /** HiHi, Hi, Lo or LoLo. */
  readonly word: string;
  readonly value: number;
}

/** A place on the horizontal axis with words: a line of an event log, a peak of a spectrum. */
export interface PlottedMark {
  readonly at: number;
  readonly text: string;
  /** Something came here that is no number: a cross at the foot of the plot instead of a line through it. */
  readonly isNoNumber?: boolean;
  /** Its words stand at its head, not beside the plot: they are short, as those of a peak. */
  readonly isWritten?: boolean;
}

/** What the points of a line are together. */
export interface Statistics {
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  /** Standard deviation of the points. */
  readonly deviation: number;
}

/** What stands on the horizontal axis. `elapsed`: milliseconds from a moment that each line has for itself. `number` with its words ("binding energy (eV)"), rising to the left when reversed. */
export type PlotAxis =
  | { readonly kind: 'time' }
  | { readonly kind: 'elapsed' }
  | { readonly kind: 'number'; readonly label: string; readonly isReversed?: boolean };

/** How values are drawn. `auto`: over decades for pressures that reach over more than two. */
export type Scale = 'auto' | 'linear' | 'log';

/** Lowest and highest value by hand, by the unit of a plot, or by the key of a line with an axis of its own. */
export type ValueRanges = Readonly<Record<string, readonly [number, number]>>;

/** A stretch of the horizontal axis. */
export interface PlotSpan {
  readonly from: number;
  readonly to: number;
}
