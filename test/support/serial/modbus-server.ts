// A unit that speaks Modbus TCP and reads registers, and does wrong what a gateway may do wrong: as a server of this machine,
// and on a port that a test plays.
import { createServer, type Server, type Socket } from 'node:net';
import type { VirtualClock } from '../../simulation/virtual-clock.ts';
import type { Answer } from './instrument-emulator.ts';
import { PlayedPort } from './played-port.ts';

/** What is sent for a question: frames, in order. */
export type Answering = (question: Uint8Array, answer: Uint8Array) => readonly Uint8Array[];

/** Bytes of a question that reads. */
const QUESTION_BYTES = 12;

/** What a unit with these registers says to a question. */
function answerTo(registers: ReadonlyMap<number, number>, question: Buffer): Uint8Array {
  const first = question.readUInt16BE(8);
  const count = question.readUInt16BE(10);
  const words = Array.from({ length: count }, (_, at) => registers.get(first + at));
  const unit = question[6] as number;
  const code = question[7] as number;
  const body = words.includes(undefined)
    ? [unit, code | 0x80, 2]
    : [unit, code, 2 * count, ...words.flatMap((word = 0) => [word >> 8, word & 0xff])];
  return Uint8Array.of(...question.subarray(0, 4), 0, body.length, ...body);
}

export class PlayedModbus extends PlayedPort {
  readonly registers = new Map<number, number>();
  answering: Answering = (_question, answer) => [answer];
  #input = Buffer.alloc(0);

  constructor(clock: VirtualClock) {
    super([], clock);
  }

  protected override begin(): void {
    this.#input = Buffer.alloc(0);
  }

  protected override hear(bytes: Uint8Array, answer: (answer: Answer) => void): void {
    this.#input = Buffer.concat([this.#input, bytes]);
    while (this.#input.length >= QUESTION_BYTES) {
      const question = this.#input.subarray(0, QUESTION_BYTES);
      this.#input = this.#input.subarray(QUESTION_BYTES);
      for (const frame of this.answering(question, answerTo(this.registers, question)))
        answer({ bytes: frame, delayMs: 0 });
    }
  }
}

export class ModbusServer {
  readonly registers = new Map<number, number>();
  answering: Answering = (_question, answer) => [answer];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor() {
    this.#server = createServer((socket) => this.#serve(socket));
  }

  static async start(atEnd: (work: () => Promise<void>) => void): Promise<ModbusServer> {
    const server = new ModbusServer();
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    atEnd(() => server.stop());
    return server;
  }

  get url(): string {
    return `tcp://127.0.0.1:${(this.#server.address() as { port: number }).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
    let input = Buffer.alloc(0);
    socket.on('data', (bytes) => {
      input = Buffer.concat([input, bytes]);
      while (input.length >= QUESTION_BYTES) {
        const question = Uint8Array.from(input.subarray(0, QUESTION_BYTES));
        input = input.subarray(QUESTION_BYTES);
        const answer = answerTo(this.registers, Buffer.from(question));
        for (const frame of this.answering(question, answer)) socket.write(frame);
      }
    });
  }
}
