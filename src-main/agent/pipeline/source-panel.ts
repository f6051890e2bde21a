// What each source says of itself and what came of it, kept for the screen.
import type { SourceView } from '../../contract/snapshot.ts';

type Note = SourceView['notes'][number];

/** Pauses between two captures that the rhythm of a source is judged by. */
const PAUSES = 8;

export class SourcePanel {
  #view: SourceView;
  readonly #notes = new Map<string, Note>();
  /** The last pauses between two captures, milliseconds. */
  #pausesMs: readonly number[] = [];

  constructor(id: string, kind: SourceView['kind'], place: string) {
    this.#view = {
      id,
      kind,
      place,
      state: 'starting',
      message: '',
      hint: '',
      newestReadMs: null,
      lastReadingMs: null,
      lastCaptureMs: null,
      pauseMs: 0,
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
    if (view.lastCaptureMs !== null) this.#pausesMs = [...this.#pausesMs, nowMs - view.lastCaptureMs].slice(-PAUSES);
    this.#view = {
      ...view,
      lastCaptureMs: nowMs,
      pauseMs: Math.max(...this.#pausesMs, 0),
      lastReadingMs:
        lastReadingMs === null ? view.lastReadingMs : Math.max(view.lastReadingMs ?? lastReadingMs, lastReadingMs),
      rowsRead: view.rowsRead + rows,
      pointsRead: view.pointsRead + points,
      pointsUnstored: Math.max(0, view.pointsUnstored - points),
      cellsRefused: view.cellsRefused + refused,
    };
  }
}
