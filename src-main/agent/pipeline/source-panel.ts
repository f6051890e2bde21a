// What each source says of itself and what came of it, kept for the screen.
import type { SourceView } from '../../contract/snapshot.ts';
import type { Clock } from '../../platform/clock.ts';
import { SourceHealth } from './source-health.ts';

/** Older readings are backlog, milliseconds. */
const PRESENT_MS = 120_000;

type Note = SourceView['notes'][number];

export interface PanelOptions extends Pick<SourceView, 'id' | 'kind' | 'place'> {
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  /** What was known of this source before its settings changed. */
  readonly previous?: SourcePanel | undefined;
}

export class SourcePanel {
  #view: Omit<SourceView, 'health' | 'isRecovering' | 'lateAfterMs'>;
  readonly #notes = new Map<string, Note>();
  readonly #clock: PanelOptions['clock'];
  readonly #health: SourceHealth;

  constructor({ id, kind, place, clock, previous }: PanelOptions) {
    this.#clock = clock;
    this.#health = new SourceHealth(kind, previous === undefined ? undefined : previous.#health);
    this.#view = {
      id,
      kind,
      place,
      state: 'starting',
      message: '',
      hint: '',
      newestReadMs: null,
      lastReadingMs: null,
      lastCaptureMs: previous?.view.lastCaptureMs ?? null,
      lastDataMs: previous?.view.lastCaptureMs ?? null,
      rowsRead: 0,
      pointsRead: 0,
      pointsUnstored: 0,
      cellsRefused: 0,
      notes: [],
    };
  }

  get view(): SourceView {
    const lateAfterMs = this.#health.lateAfterMs(this.#clock.monotonicMs());
    const { health } = this;
    // Why it was gone is over with that.
    const isWell = this.#view.state === 'running' && health !== 'gone';
    return {
      ...this.#view,
      ...(isWell ? { message: '', hint: '' } : {}),
      health,
      isRecovering: this.#health.isRecovering,
      lateAfterMs,
      notes: [...this.#notes.values()],
    };
  }

  get health(): SourceView['health'] {
    return this.#health.at(this.#clock.monotonicMs());
  }

  /** Takes the state, and why it waits or has failed; the reason is kept until it no longer counts as gone. */
  setState(state: SourceView['state'], message: string, hint: string): void {
    if (state === 'waiting' || state === 'failed') this.#health.lost();
    if (state === 'running') this.#health.opened(this.#clock.monotonicMs());
    const isGoneStill = this.health === 'gone' && message === '';
    this.#view = { ...this.#view, state, ...(isGoneStill ? {} : { message, hint }) };
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

  /** Count what is on disk now; `isLive`: it was not read as old data. */
  captured(rows: number, points: number, refused: number, lastReadingMs: number | null, isLive = true): void {
    // Remarks and lines that gave no number show that it writes, not that it measures.
    const hasReading = points > 0;
    const nowMs = this.#clock.nowMs();
    const isOfNow = lastReadingMs !== null && lastReadingMs > nowMs - PRESENT_MS;
    if (hasReading && isLive) this.#health.heard(this.#clock.monotonicMs(), isOfNow);
    const isGiving = hasReading && isLive && this.health === 'giving';
    const lastCaptureMs = hasReading ? nowMs : this.#view.lastCaptureMs;
    const view = { ...this.#view, ...(isGiving ? { message: '', hint: '' } : {}) };
    this.#view = {
      ...view,
      lastCaptureMs,
      // While it recovers, the screen says since when nothing had come.
      lastDataMs: isGiving || view.lastDataMs === null ? lastCaptureMs : view.lastDataMs,
      lastReadingMs:
        lastReadingMs === null ? view.lastReadingMs : Math.max(view.lastReadingMs ?? lastReadingMs, lastReadingMs),
      rowsRead: view.rowsRead + rows,
      pointsRead: view.pointsRead + points,
      pointsUnstored: Math.max(0, view.pointsUnstored - points),
      cellsRefused: view.cellsRefused + refused,
    };
  }
}
