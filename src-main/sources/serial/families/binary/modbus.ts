// Modbus RTU and TCP: registers are read, functions 3 and 4, nothing else. The frames are in modbus-frames.ts.
//
// A TCP reply repeats the number of its question; an RTU reply says nothing of its registers. So a profile best reads all it
// wants in one question, and a reply of another length than was asked for is never taken.
import { z } from 'zod';
import { showBytes } from '../../protocol/bytes.ts';
import type { Exchange, Frame, Reply, Step } from '../../protocol/exchange.ts';
import { defineFamily } from '../../protocol/family.ts';
import { exactly } from '../../protocol/framer.ts';
import {
  decodeReply,
  encodeRequest,
  isRegisterRequest,
  READ_FUNCTIONS,
  type RegisterReply,
  type RegisterRequest,
  replyFramer,
  transactionOf,
  WORDS_MAX,
} from './modbus-frames.ts';

const WORDS = { int16: 1, uint16: 1, int32: 2, uint32: 2, float32: 2 } as const;
type NumberKind = keyof typeof WORDS;

const Setup = z.strictObject({
  framing: z.enum(['rtu', 'tcp']).default('rtu'),
  /** The converter of a two-wire line sends back what is written. */
  echo: z.boolean().default(false),
  /** A unit that answers one word whatever was asked is asked for each register by itself. */
  one_word_replies: z.boolean().default(false),
});
type Setup = z.output<typeof Setup>;

const spanOf = (registers: readonly number[], kind: NumberKind) => {
  const first = Math.min(...registers);
  return { first, count: Math.max(...registers) + WORDS[kind] - first };
};

const Ask = z
  .strictObject({
    read: z.enum(['holding', 'input']).default('holding'),
    /** First register of each number, from 0 as it is sent; each is a field of the reply, in this order. */
    registers: z.array(z.int().min(0).max(65_535)).min(1).max(WORDS_MAX),
    as: z.enum(['int16', 'uint16', 'int32', 'uint32', 'float32']).default('int16'),
    low_word_first: z.boolean().default(false),
  })
  .refine(({ registers, as }) => spanOf(registers, as).count <= WORDS_MAX, `more than ${WORDS_MAX} registers at once`)
  .refine(({ registers, as }) => Math.max(...registers) + WORDS[as] <= 65_536, 'a register beyond 65535');
type Ask = z.output<typeof Ask>;

/** Numbers of TCP questions. A late reply must not fit a later question, so they go on from one to the next. */
let lastTransaction = 0;
const nextTransaction = () => {
  lastTransaction = (lastTransaction + 1) % 65_536;
  return lastTransaction;
};

function numberOf(words: readonly number[], kind: NumberKind, lowFirst: boolean): number {
  const view = new DataView(new ArrayBuffer(4));
  const ordered = lowFirst ? [...words].reverse() : words;
  ordered.forEach((word, at) => {
    view.setUint16(2 * at, word);
  });
  if (kind === 'int16') return view.getInt16(0);
  if (kind === 'uint16') return view.getUint16(0);
  if (kind === 'int32') return view.getInt32(0);
  return kind === 'uint32' ? view.getUint32(0) : view.getFloat32(0);
}

type Answer = RegisterReply & { readonly frame: Frame };

function* readRegisters(request: RegisterRequest, setup: Setup): Generator<Step, Answer, Frame> {
  const send = encodeRequest(request);
  const read = replyFramer(request);
  if (setup.echo) yield { send, read: exactly(send.length) };
  let frame = yield setup.echo ? { read } : { send, read };
  while (setup.framing === 'tcp' && transactionOf(frame.bytes) !== request.transaction) {
    frame = yield { read, isForeign: true };
  }
  return { ...decodeReply(frame.bytes, request), frame };
}

function fail(answer: Answer, reason: string): Reply {
  const { bytes, atMs } = answer.frame;
  return { kind: answer.kind === 'refused' ? 'refused' : 'malformed', raw: showBytes(bytes), reason, atMs };
}

export const modbus = defineFamily<Setup, Ask>({
  name: 'modbus',
  title: 'Modbus RTU or TCP',
  setup: Setup,
  address: z.int().min(0).max(255),
  ask: Ask,
  // Its schema lets nothing through but registers to read.
  refuse: () => null,
  mayWrite: (bytes, { setup }) => isRegisterRequest(setup.framing, bytes),
  // A unit begins again after 3.5 characters of silence.
  neutral: () => new Uint8Array(),
  provesReply: ({ framing }) => framing === 'tcp',
  *exchange({ read, registers, as, low_word_first: lowFirst }, { setup, address }): Exchange {
    const { framing, one_word_replies: isOneWord } = setup;
    const request = (first: number, count: number): RegisterRequest => {
      const transaction = framing === 'tcp' ? nextTransaction() : 0;
      return { framing, unit: Number(address), code: READ_FUNCTIONS[read], first, count, transaction };
    };
    const { first, count } = spanOf(registers, as);
    const block = yield* readRegisters(request(first, count), setup);
    if (block.kind !== 'words') return fail(block, block.reason);
    const values: number[] = [];
    for (const register of registers) {
      let words = block.words.slice(register - first, register - first + WORDS[as]);
      if (block.words.length < count) {
        const few = `it answers ${block.words.length} words, ${count} were asked for`;
        if (!isOneWord || block.words.length > 1 || WORDS[as] > 1) return fail(block, few);
        const single = yield* readRegisters(request(register, 1), setup);
        if (single.kind !== 'words') return fail(single, single.reason);
        words = [...single.words];
      }
      values.push(numberOf(words, as, lowFirst));
    }
    const { bytes, atMs } = block.frame;
    const fields = Object.fromEntries(values.map((value, at) => [String(at + 1), value]));
    return { kind: 'fields', fields, raw: showBytes(bytes), atMs };
  },
});
