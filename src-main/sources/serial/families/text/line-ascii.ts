// Lines of text: a question with a terminator, perhaps an echo of it, a reply with a terminator, perhaps a prompt. Also
// boards that talk unasked, with lines that a pattern describes.
import { z } from 'zod';
import { bytesOf, lineOf, textOf } from '../../protocol/bytes.ts';
import type { Exchange, Frame } from '../../protocol/exchange.ts';
import { defineFamily, type FamilyContext } from '../../protocol/family.ts';
import { anyLine, type Framer, loneLine, untilBytes } from '../../protocol/framer.ts';
import { commandSet, refuseCommand } from './ascii-commands.ts';

const TERMINATORS = { cr: '\r', lf: '\n', crlf: '\r\n', lfcr: '\n\r', none: '' } as const;
const terminator = z.enum(['cr', 'lf', 'crlf', 'lfcr']);

const Setup = z.strictObject({
  /** Set of questions that may be asked. */
  commands: z.string().min(1),
  /** What ends a question; none: one character is one. */
  send_end: z.union([terminator, z.literal('none')]).default('crlf'),
  /** What ends a reply; any: CR, LF or both, whichever comes. */
  reply_end: z.union([terminator, z.literal('any')]).default('crlf'),
  /** The instrument sends the question back before its reply. */
  echo: z.boolean().default(false),
  /** Text that comes before a reply and is not part of it, such as a prompt. */
  prompt: z.string().max(16).default(''),
  /** What each reply begins with and what is no part of it; `{address}` stands for the address. Other lines are skipped. */
  reply_head: z.string().max(16).default(''),
  /** It talks unasked too: lines that are not the reply are passed on to `unsolicited`, and the reply is waited for. */
  talks: z.boolean().default(false),
  /** The reply rule tells each question's reply from every other one's, so that a late one is skipped. */
  proves_reply: z.boolean().default(false),
  /** What is sent after a time-out: an empty line ends a question that was cut; none for boards that would answer it. */
  neutral: z.enum(['end', 'none']).default('end'),
  /** Longest line, bytes. */
  max_bytes: z.int().min(16).max(65_536).default(4096),
});
type Setup = z.infer<typeof Setup>;
type Context = Omit<FamilyContext<Setup>, 'isReply'>;

/** `ask: 'KRDG? A'`; `{address}` in it stands for the address. */
const Ask = z.string().min(1).max(200);

const Hear = z.undefined();

function framerOf({ reply_end: end, talks, max_bytes: maxBytes }: Setup): Framer {
  if (end !== 'any') return untilBytes(bytesOf(TERMINATORS[end]), maxBytes);
  return talks ? anyLine(maxBytes) : loneLine(maxBytes);
}

/** The question itself, where it comes back, is a line of its own whatever it ends with; then the reply. */
function echoOr(question: Uint8Array, reply: Framer): Framer {
  const isEnd = (byte: number | undefined) => byte === 0x0d || byte === 0x0a;
  return {
    maxBytes: reply.maxBytes,
    cut: (bytes) => {
      const isEcho = isEnd(bytes[question.length]) && question.every((byte, at) => bytes[at] === byte);
      return isEcho ? { kind: 'frame', from: 0, to: question.length + 1 } : reply.cut(bytes);
    },
  };
}

/** The line without its end and prompt. A NUL or a blank at its ends is no part of it. */
function readLine(frame: Frame, { prompt }: Setup): string {
  const text = lineOf(frame.bytes).replace(/^[\0\s]+|[\0\s]+$/g, '');
  return prompt !== '' && text.startsWith(prompt) ? text.slice(prompt.length).trim() : text;
}

const fill = (ask: string, { address }: Context) =>
  ask.replaceAll('{address}', address === null ? '' : String(address));

export const lineAscii = defineFamily<Setup, string, undefined>({
  name: 'line-ascii',
  title: 'lines of text',
  setup: Setup,
  address: z.union([z.string().regex(/^[A-Za-z0-9]{1,8}$/), z.int(), z.null()]),
  ask: Ask,
  refuse: (ask, context) =>
    refuseCommand(context.setup.commands, fill(ask, context), TERMINATORS[context.setup.send_end]),
  mayWrite: (bytes, { setup }) => {
    const text = textOf(bytes);
    const end = TERMINATORS[setup.send_end];
    if (text === end) return true;
    return text.endsWith(end) && refuseCommand(setup.commands, text.slice(0, text.length - end.length), end) === null;
  },
  neutral: ({ setup }) => bytesOf(setup.neutral === 'end' ? TERMINATORS[setup.send_end] : ''),
  provesReply: ({ proves_reply: provesReply }) => provesReply,
  bond: ({ commands }) => commandSet(commands)?.bond ?? null,
  *exchange(ask, context): Exchange {
    const { setup, isReply } = context;
    const question = fill(ask, context);
    const read = framerOf(setup);
    const first = echoOr(bytesOf(question), read);
    let frame = yield { send: bytesOf(question + TERMINATORS[setup.send_end]), read: first };
    // Its own question is no reply: an echo, of the instrument or of the converter of a two-wire line.
    if (readLine(frame, setup) === question) frame = yield { read };
    const head = fill(setup.reply_head, context);
    const text = () => readLine(frame, setup).slice(head.length).trim();
    // Of another unit on the line, a late reply to another question, or come by itself: not what is waited for.
    const isForeign = () =>
      !readLine(frame, setup).startsWith(head) || ((setup.talks || setup.proves_reply) && !isReply(text()));
    while (isForeign()) frame = yield { read, isForeign: true };
    return { kind: 'text', text: text(), atMs: frame.atMs };
  },
  unsolicited: {
    hear: Hear,
    framer: framerOf,
    decode: (frame, _hear, setup) => ({ kind: 'text', text: readLine(frame, setup), atMs: frame.atMs }),
  },
});
