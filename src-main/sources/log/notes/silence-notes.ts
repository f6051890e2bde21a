// What the silence of channels is told as. A channel that stopped is a warning at once; one that is quiet, or of which it
// cannot be told, is a remark, gathered now and then so that a flow meter does not fill the journal.
import { formatDuration, formatSecond } from '../../../model/format.ts';
import type { Readings } from '../../../model/readings.ts';
import type { SourceNote } from '../../source.ts';
import { NoteBoard } from './note-board.ts';
import { remarkOf } from './remarks.ts';
import { SilenceWatch, type SilentChannel } from './silence.ts';

/** A quiet channel is reported after this, milliseconds; and how often such remarks are made. */
const QUIET_MS = 300_000;
const REMARK_MS = 600_000;

const CODES = { stopped: 'log.channels-stopped', unclear: 'log.channels-silent', quiet: 'log.channels-quiet' } as const;
type Told = keyof typeof CODES;

/** Watches a folder for silence and says what it means. */
export class SilenceNotes {
  readonly #watch = new SilenceWatch();
  readonly #board: NoteBoard;
  /** What stands on the board: code and subject by channel. */
  readonly #told = new Map<string, { told: Told; subject: string }>();
  #remarkAtMs = Number.NEGATIVE_INFINITY;

  constructor(note: (note: SourceNote) => void) {
    this.#board = new NoteBoard(note);
  }

  /** A look begins, at this monotonic time in milliseconds. */
  look(monotonicMs: number): void {
    this.#watch.look(monotonicMs);
  }

  /** Rows of a file were read; null: something was, and gave no row. */
  heard(file: string, block: Readings | null, isLive: boolean): void {
    if (block !== null) this.#watch.heard(file, block, isLive);
    else if (isLive) this.#watch.wrote(file);
  }

  /**
   * Say what has changed.
   *
   * @param monotonicMs - monotonic time, milliseconds.
   */
  publish(monotonicMs: number): void {
    const silent = this.#watch.judge();
    const isRemarkDue = monotonicMs - this.#remarkAtMs >= REMARK_MS;
    if (isRemarkDue) this.#remarkAtMs = monotonicMs;
    const left = new Set(this.#told.keys());
    for (const one of silent) {
      left.delete(one.channel);
      const told = toldAs(one);
      if (told === null || told === this.#told.get(one.channel)?.told) continue;
      if (told !== 'stopped' && !isRemarkDue) continue;
      this.#takeBack(one.channel);
      this.#tell(one, told);
    }
    for (const channel of left) this.#takeBack(channel);
    this.#board.publish();
  }

  /** The run ends: what was said of now no longer holds. */
  end(): void {
    for (const channel of [...this.#told.keys()]) this.#takeBack(channel);
    this.#board.publish();
  }

  #tell({ channel, lastMs, beatMs }: SilentChannel, told: Told): void {
    const rhythm = told === 'quiet' ? '' : `every ${formatDuration(beatMs)}, `;
    const subject = `${channel} (${rhythm}last ${formatSecond(lastMs)})`;
    this.#told.set(channel, { told, subject });
    this.#board.add(CODES[told], remarkOf(CODES[told]), subject);
  }

  #takeBack(channel: string): void {
    const told = this.#told.get(channel);
    if (told === undefined) return;
    this.#told.delete(channel);
    this.#board.remove(CODES[told.told], told.subject);
  }
}

function toldAs({ silence, silentMs }: SilentChannel): Told | null {
  if (silence === 'overdue') return null;
  return silence === 'quiet' && silentMs < QUIET_MS ? null : silence;
}
