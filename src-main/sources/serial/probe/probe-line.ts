// A line that is probed. Ethernet instruments and terminal servers hang up at what they do not know: it is opened again for
// the next question, and who hung up at what is told.
//
// Bound: opened again 3 times, half a second apart; then what keeps it from being opened is the end of the probe.
import type { Clock } from '../../../platform/clock.ts';
import { Line, type Outcome, type Request } from '../line/line.ts';
import type { Transport } from '../line/transport.ts';

const TRIES = 3;
const PAUSE_MS = 500;

export type ProbeOutcome = Outcome | { readonly kind: 'hung-up' };

export class ProbeLine {
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #settleMs: number;
  #line: Line | null = null;
  #place = '';

  /** Takes how to get there, and the time after opening in which nothing is asked, milliseconds. */
  constructor(transport: Transport, clock: Clock, settleMs: number) {
    this.#transport = transport;
    this.#clock = clock;
    this.#settleMs = settleMs;
  }

  /**
   * Open it.
   *
   * @throws those of the transport.
   */
  async open(): Promise<void> {
    this.#line ??= await Line.open(this.#transport, this.#clock, this.#settleMs);
    this.#place = this.#line.place;
  }

  /** Where the line leads. */
  get place(): string {
    return this.#place;
  }

  /** What came and belonged to no reply, since it was opened last: how much, and its beginning. */
  get stray(): { readonly bytes: number; readonly text: string } {
    return { bytes: this.#line?.counts.strayBytes ?? 0, text: this.#line?.lastStray ?? '' };
  }

  /**
   * Ask.
   *
   * @throws those of the transport, when it hung up before and cannot be opened again.
   */
  async ask(request: Request): Promise<ProbeOutcome> {
    for (let tries = 1; this.#line === null; tries++) {
      try {
        await this.open();
      } catch (error) {
        if (tries >= TRIES) throw error;
        await this.#clock.sleep(PAUSE_MS);
      }
    }
    try {
      return await (this.#line as Line).ask(request);
    } catch {
      // A device that hung up is asked the next question on a new connection; a port that is gone fails there.
      await this.close();
      return { kind: 'hung-up' };
    }
  }

  async close(): Promise<void> {
    const line = this.#line;
    this.#line = null;
    await line?.close();
  }
}
