// An instrument made of a transcript: bytes that it expects, bytes that it answers. What it is made to do wrong is decided for
// each answer. The emulator is one that listens on a TCP port of this machine, which a pseudo-terminal may stand before
// (pty.ts); played-port.ts has one without either.
import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What is said and what is answered; `next` goes on from there, as long as the other side says just that. */
export interface Dialog {
  readonly in: Uint8Array;
  /** Null: no answer. */
  readonly out: Uint8Array | null;
  readonly next: readonly Dialog[];
}

export interface Answer {
  readonly bytes: Uint8Array;
  readonly delayMs: number;
}

/** What becomes of an answer; null: it is never given. */
export type Interfere = (answer: Uint8Array, question: Uint8Array) => Answer | null;

export const asItIs: Interfere = (bytes) => ({ bytes, delayMs: 0 });

/** What an instrument hears and says, whatever the bytes come over. */
export class Instrument {
  dialogs: readonly Dialog[];
  interfere: Interfere = asItIs;
  /** Bytes that no dialog expects. */
  readonly unexpected: number[] = [];
  /** Questions that were understood, in order. */
  readonly asked: Uint8Array[] = [];
  #input: number[] = [];
  #next: readonly Dialog[] = [];

  constructor(dialogs: readonly Dialog[]) {
    this.dialogs = dialogs;
  }

  /** A connection begins: what was said on the last one is forgotten. */
  protected begin(): void {
    this.#input = [];
    this.#next = [];
  }

  /** Hear bytes; what is answered is handed over in order, some of it to be said later. */
  protected hear(bytes: Uint8Array, answer: (answer: Answer) => void): void {
    this.#input.push(...bytes);
    while (this.#input.length > 0) {
      const dialog = this.#find(this.#next) ?? this.#find(this.dialogs);
      if (dialog) {
        this.asked.push(dialog.in);
        this.#input.splice(0, dialog.in.length);
        this.#next = dialog.next;
        const said = dialog.out === null ? null : this.interfere(dialog.out, dialog.in);
        if (said) answer(said);
      } else if ([...this.#next, ...this.dialogs].some((one) => this.#isBeginning(one))) return;
      else this.unexpected.push(this.#input.shift() as number);
    }
  }

  /** The longest dialog that the input begins with. */
  #find(dialogs: readonly Dialog[]): Dialog | undefined {
    const fit = dialogs.filter((one) => one.in.every((byte, at) => this.#input[at] === byte));
    return fit.sort((a, b) => b.in.length - a.in.length)[0];
  }

  #isBeginning(dialog: Dialog): boolean {
    return this.#input.length < dialog.in.length && this.#input.every((byte, at) => dialog.in[at] === byte);
  }
}

export class InstrumentEmulator extends Instrument {
  readonly #server: Server;
  #socket: Socket | null = null;

  private constructor(dialogs: readonly Dialog[]) {
    super(dialogs);
    this.#server = createServer((socket) => this.#serve(socket));
  }

  /** Start one; the caller stops it. */
  static async start(dialogs: readonly Dialog[]): Promise<InstrumentEmulator> {
    const emulator = new InstrumentEmulator(dialogs);
    await new Promise<void>((resolve) => emulator.#server.listen(0, '127.0.0.1', resolve));
    return emulator;
  }

  get tcpPort(): number {
    return (this.#server.address() as { port: number }).port;
  }

  get isConnected(): boolean {
    return this.#socket !== null;
  }

  /** Say something unasked. */
  send(bytes: Uint8Array): void {
    this.#socket?.write(bytes);
  }

  /** End the connection, as a terminal server that is switched off. */
  hangUp(): void {
    this.#socket?.destroy();
  }

  async stop(): Promise<void> {
    this.#socket?.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(socket: Socket): void {
    this.#socket = socket;
    this.begin();
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (this.#socket === socket) this.#socket = null;
    });
    socket.on('data', (bytes) => this.hear(bytes, (answer) => void this.#answer(socket, answer)));
  }

  async #answer(socket: Socket, { bytes, delayMs }: Answer): Promise<void> {
    if (delayMs > 0) await sleep(delayMs);
    if (!socket.destroyed) socket.write(bytes);
  }
}
