// A Modbus TCP server that reads registers, and does wrong what a gateway may do wrong.
import { createServer, type Server, type Socket } from 'node:net';

/** What is sent for a question: frames, in order. */
export type Answering = (question: Uint8Array, answer: Uint8Array) => readonly Uint8Array[];

export class ModbusServer {
  readonly registers = new Map<number, number>();
  answering: Answering = (_question, answer) => [answer];
  readonly questions: Uint8Array[] = [];
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
      while (input.length >= 12) {
        const question = Uint8Array.from(input.subarray(0, 12));
        input = input.subarray(12);
        this.questions.push(question);
        for (const frame of this.answering(question, this.#answer(Buffer.from(question)))) socket.write(frame);
      }
    });
  }

  #answer(question: Buffer): Uint8Array {
    const first = question.readUInt16BE(8);
    const count = question.readUInt16BE(10);
    const words = Array.from({ length: count }, (_, at) => this.registers.get(first + at));
    const unit = question[6] as number;
    const code = question[7] as number;
    const body = words.includes(undefined)
      ? [unit, code | 0x80, 2]
      : [unit, code, 2 * count, ...words.flatMap((word = 0) => [word >> 8, word & 0xff])];
    return Uint8Array.of(...question.subarray(0, 4), 0, body.length, ...body);
  }
}
