// A counter that a port tells: a frame grabber with a register on its serial line, polled or talking by itself. The port
// belongs to somebody else; what is needed of it is its lines.
//
// Bounds: nothing is kept between two looks but the last number; the port bounds its lines. Invariants: the first line after
// opening is dropped, since it may be the end of one; the first number of all is where counting begins. It is told once when
// 20 lines in a row held no number.
import { z } from 'zod';
import type { CounterEvent, CounterReader, Sighting } from '../count/sighting.ts';
import type { CounterText } from './counter-text.ts';

/** A line as it came. */
export interface PortLine {
  readonly text: string;
  /** When its end was there, by the steady clock, Unix milliseconds. */
  readonly atMs: number;
}

/** What is needed of a port, however it is reached. It asks for the register by itself where it must be asked. */
export interface CounterPort {
  /**
   * Lines that came whole since the last call.
   *
   * @throws AgentError when the port is gone.
   */
  takeLines(): readonly PortLine[];
  close(): void;
}

/** Lines in a row without a number before that is told. */
const UNREAD_MAX = 20;
/** From the moment a register is read to the end of its line, milliseconds: 20 characters at 9600 baud. */
const LINE_MS = 20;

const PortState = z.object({ name: z.string(), number: z.number().nullable() });

export class PortReader implements CounterReader {
  readonly #port: CounterPort;
  readonly #name: string;
  readonly #text: CounterText;
  /** What comes first after opening may be the end of a line: half a number. */
  #isFirstLine = true;
  #hasBegun: boolean;
  #unread = 0;
  #number: number | null = null;
  #events: CounterEvent[] = [];

  constructor({ port, name, text, state }: { port: CounterPort; name: string; text: CounterText; state: unknown }) {
    this.#port = port;
    this.#name = name;
    this.#text = text;
    // Another port is another counter: where it stands is where counting begins.
    const former = PortState.safeParse(state);
    this.#hasBegun = former.success && former.data.name === name;
  }

  describe(): string {
    return `counter at ${this.#name}`;
  }

  state(): unknown {
    return this.#hasBegun ? { name: this.#name, number: this.#number } : null;
  }

  takeEvents(): readonly CounterEvent[] {
    return this.#events.splice(0);
  }

  close(): void {
    this.#port.close();
  }

  look(nowMs: number): Promise<readonly Sighting[]> {
    try {
      return Promise.resolve(this.#port.takeLines().flatMap((line) => this.#read(line, nowMs)));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #read({ text, atMs }: PortLine, nowMs: number): Sighting[] {
    if (this.#isFirstLine) {
      this.#isFirstLine = false;
      return [];
    }
    const words = this.#text.read(text.trim());
    if (words === null) {
      this.#unread += 1;
      const shown = `${this.#name}: ${UNREAD_MAX} lines in a row hold no number, the last: ${text.slice(0, 100)}`;
      if (this.#unread === UNREAD_MAX) this.#events.push({ kind: 'unreadable', atMs: nowMs, text: shown });
      return [];
    }
    this.#unread = 0;
    this.#number = words.number;
    const isBaseline = !this.#hasBegun;
    this.#hasBegun = true;
    const lost = words.lost === null ? {} : { lostSoFar: words.lost };
    return [
      {
        run: this.#name,
        kind: 'value',
        number: words.number,
        ownMs: words.ownMs,
        isBaseline,
        ...lost,
        atMs: atMs - LINE_MS / 2,
        uncertaintyMs: LINE_MS / 2,
      },
    ];
  }
}
