// An instrument on a port that is not there: bytes go from the source to it and back on a clock that the test plays, so that
// a time-out takes no time. It comes, goes and answers as one behind a pseudo-terminal does.
import { AgentError } from '../../../src-main/model/agent-error.ts';
import type { OnBytes, Transport } from '../../../src-main/sources/serial/line/transport.ts';
import type { VirtualClock } from '../../simulation/virtual-clock.ts';
import { type Answer, type Dialog, Instrument } from './instrument-emulator.ts';

/** What the port is called. */
export const PLAYED_PORT = '/dev/ttyPLAYED';
/** From the last byte of a question to the first of its answer, milliseconds. */
const ANSWER_MS = 1;

interface Open {
  readonly onBytes: OnBytes;
  readonly end: (reason: AgentError | null) => void;
}

const refuse = (code: string, message: string) => new AgentError({ code, message, hint: '', retry: 'later' });

export class PlayedPort extends Instrument {
  /** As `makeTransport` makes it of a port's name. */
  readonly transport: Transport;
  readonly #clock: VirtualClock;
  #isPlugged = true;
  #open: Open | null = null;

  constructor(dialogs: readonly Dialog[], clock: VirtualClock) {
    super(dialogs);
    this.#clock = clock;
    this.transport = {
      name: PLAYED_PORT,
      characterMs: 1,
      open: async (onBytes) => {
        if (!this.#isPlugged) throw refuse('serial.port-missing', `There is no port ${PLAYED_PORT}.`);
        return this.#connect(onBytes);
      },
    };
  }

  get isConnected(): boolean {
    return this.#open !== null;
  }

  /** Say something unasked. */
  send(bytes: Uint8Array): void {
    this.#open?.onBytes(bytes);
  }

  /** Pull the port out, in the middle of whatever it does. */
  unplug(): Promise<void> {
    this.#isPlugged = false;
    this.#open?.end(refuse('serial.port-gone', `${PLAYED_PORT} is disconnected.`));
    return Promise.resolve();
  }

  plugIn(): Promise<void> {
    this.#isPlugged = true;
    return Promise.resolve();
  }

  #connect(onBytes: OnBytes) {
    const closed = Promise.withResolvers<AgentError | null>();
    const open: Open = {
      onBytes,
      end: (reason) => {
        if (this.#open === open) this.#open = null;
        closed.resolve(reason);
      },
    };
    this.#open = open;
    this.begin();
    return {
      place: PLAYED_PORT,
      closed: closed.promise,
      write: async (bytes: Uint8Array) => {
        if (this.#open !== open) throw refuse('serial.port-gone', `${PLAYED_PORT} is disconnected.`);
        this.hear(bytes, (answer) => void this.#answer(open, answer));
      },
      close: () => Promise.resolve(open.end(null)),
    };
  }

  async #answer(open: Open, { bytes, delayMs }: Answer): Promise<void> {
    await this.#clock.sleep(ANSWER_MS + delayMs);
    if (this.#open === open) open.onBytes(bytes);
  }
}
