// What each source says of itself and what came of it, kept for the screen.
import type { SourceView } from '../contract/snapshot.ts';

type Note = SourceView['notes'][number];

export class SourcePanel {
  #view: SourceView;
  readonly #notes = new Map<string, Note>();

  constructor(id: string, kind: SourceView['kind'], place: string) {
    this.#view = {
      id,
      kind,
      place,
      state: 'starting',
      message: '',
      hint: '',
      lastReadingMs: null,
      lastCaptureMs: null,
      rowsRead: 0,
      pointsRead: 0,
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

  /** Count what is on disk now. */
  captured(nowMs: number, rows: number, points: number, refused: number, lastReadingMs: number | null): void {
    const view = this.#view;
    this.#view = {
      ...view,
      lastCaptureMs: nowMs,
      lastReadingMs:
        lastReadingMs === null ? view.lastReadingMs : Math.max(view.lastReadingMs ?? lastReadingMs, lastReadingMs),
      rowsRead: view.rowsRead + rows,
      pointsRead: view.pointsRead + points,
      cellsRefused: view.cellsRefused + refused,
    };
  }
}
