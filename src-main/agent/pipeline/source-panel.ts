// What each source says of itself and what came of it, kept for the screen.
import type { SourceView } from '../../contract/snapshot.ts';

type Note = SourceView['notes'][number];

/**
 * Pauses between two readings that the rhythm of a source is judged by. Of them the second longest counts: one that came once
 * may be the very fault that a person wants to hear of, one that came again is the way of the source.
 */
const PAUSES = 16;
/** With fewer pauses than this the longest counts. */
const PAUSES_KNOWN = 3;

export class SourcePanel {
  #view: SourceView;
  readonly #notes = new Map<string, Note>();
  /** The last pauses between two stored readings, milliseconds. */
  #pausesMs: readonly number[];

  /** @param former - what was known of this source before its settings changed. */
  constructor(id: string, kind: SourceView['kind'], place: string, former?: SourcePanel) {
    this.#pausesMs = former ? former.#pausesMs : [];
    this.#view = {
      id,
      kind,
      place,
      state: 'starting',
      message: '',
      hint: '',
      newestReadMs: null,
      lastReadingMs: null,
      lastCaptureMs: former?.view.lastCaptureMs ?? null,
      pauseMs: former?.view.pauseMs ?? 0,
      rowsRead: 0,
      pointsRead: 0,
      pointsUnstored: 0,
      cellsRefused: 0,
      notes: [],
    };
  }

  get view(): SourceView {
    return { ...this.#view, notes: [...this.#notes.values()] };
  }

  setState(state: SourceView['state'], message: string, hint: string): void {
    this.#view = { ...this.#view, state, message, hint };
  }

  note(note: Note): void {
    this.#notes.set(note.code, note);
  }

  /** Count what was read; it goes to disk next. */
  read(points: number, newestMs: number | null): void {
    const { pointsUnstored, newestReadMs } = this.#view;
    this.#view = {
      ...this.#view,
      pointsUnstored: pointsUnstored + points,
      newestReadMs: newestMs === null ? newestReadMs : Math.max(newestReadMs ?? newestMs, newestMs),
    };
  }

  /** It did not come to disk: what became of it is a gap, or is read again. */
  dropped(points: number): void {
    this.#view = { ...this.#view, pointsUnstored: Math.max(0, this.#view.pointsUnstored - points) };
  }

  /** Count what is on disk now. */
  captured(nowMs: number, rows: number, points: number, refused: number, lastReadingMs: number | null): void {
    const view = this.#view;
    // Remarks and lines that gave no number show that it writes, not that it measures.
    const hasReading = points > 0;
    if (hasReading && view.lastCaptureMs !== null) {
      this.#pausesMs = [...this.#pausesMs, nowMs - view.lastCaptureMs].slice(-PAUSES);
    }
    this.#view = {
      ...view,
      lastCaptureMs: hasReading ? nowMs : view.lastCaptureMs,
      pauseMs: usualPauseMs(this.#pausesMs),
      lastReadingMs:
        lastReadingMs === null ? view.lastReadingMs : Math.max(view.lastReadingMs ?? lastReadingMs, lastReadingMs),
      rowsRead: view.rowsRead + rows,
      pointsRead: view.pointsRead + points,
      pointsUnstored: Math.max(0, view.pointsUnstored - points),
      cellsRefused: view.cellsRefused + refused,
    };
  }
}

/** The longest pause that is usual, milliseconds; 0: not known yet. */
function usualPauseMs(pausesMs: readonly number[]): number {
  const longestFirst = pausesMs.toSorted((a, b) => b - a);
  return longestFirst[pausesMs.length < PAUSES_KNOWN ? 0 : 1] ?? 0;
}
