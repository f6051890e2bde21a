// A mark is what an event log says at a time: a recipe step, a sample moved, an alarm. It has no value, so it is no point:
// it goes to no service and is kept here, for plots, receipts and the finding of runs.

/** One line of an event log. */
export interface Mark {
  /** Unix milliseconds, by the stamp of the line. */
  readonly timeMs: number;
  /** What the line says, without its stamp; at most MARK_TEXT_MAX characters, then cut with dots at its end. */
  readonly text: string;
  /** File, below the folder of the source. */
  readonly place: string;
  /** 1-based number of the line; null when it was not counted. */
  readonly line: number | null;
  /** Byte of the file at which the line begins; null when not known. */
  readonly byte: number | null;
}

/** A mark with the source that told it. */
export interface MarkRow extends Mark {
  readonly sourceId: string;
}

/** Longest text of a mark, characters. */
export const MARK_TEXT_MAX = 2000;

/** A question for marks: those of one source or of all (null), with fromMs <= time <= toMs, oldest first. */
export interface MarkQuestion {
  readonly sourceId: string | null;
  readonly fromMs: number;
  readonly toMs: number;
  /** Where the former page ended; null: from the beginning. */
  readonly after: MarkPlace | null;
  /** 1..MARK_PAGE_MAX; more is cut to that. */
  readonly limit: number;
}

export const MARK_PAGE_MAX = 1000;

/** Where a page of marks ends. */
export interface MarkPlace {
  readonly timeMs: number;
  readonly id: number;
}

export interface MarkPage {
  readonly marks: readonly (MarkRow & { readonly id: number })[];
  /** Where the next page begins; null: there is none. */
  readonly next: MarkPlace | null;
}
