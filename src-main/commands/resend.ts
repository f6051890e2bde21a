// `epistream resend`: send again what the service refused, as it is or as a corrected stream, also while an agent runs.

import { resolve } from 'node:path';
import { z } from 'zod';
import { RefusedPart, Resent, SendAgain, SendAsNew } from '../contract/refused.ts';
import { ReceiptAnswer } from '../delivery/receipt/questions.ts';
import { instant, showControls } from '../delivery/receipt/receipt-words.ts';
import { formatCount } from '../model/format.ts';
import { HELD_ANSWERS, type HeldAnswer } from '../model/queue.ts';
import { defaultDataFolder } from '../platform/data-folder.ts';
import { type AskQueue, withQueue } from './shared/ask-queue.ts';
import { EXIT } from './shared/exit.ts';
import { type Option, readOptions, requireOption, usageError } from './shared/options.ts';

const OPTIONS = {
  data: { value: 'D', help: 'data folder of the agent (default: the one of this user)' },
  stream: { value: 'S', help: 'number, name, nonce or entry of the stream' },
  list: { value: null, help: 'only list what was refused, with the id of each chunk' },
  chunk: { value: 'ID', isMany: true, help: 'only this chunk; may be given several times' },
  channel: { value: 'NAME', help: 'only this channel' },
  'points-per-chunk': { value: 'N', help: 'as a corrected stream, with so many points a chunk' },
  unit: { value: 'U', help: 'as a corrected stream, the channel with this unit' },
  rename: { value: 'TO', help: 'as a corrected stream, the channel under this name' },
  held: { value: 'WHAT', help: 'answer whether the service holds the stream already: leave-out or send' },
} as const satisfies Record<string, Option>;

type Question = { ask: 'send-again'; which: SendAgain } | { ask: 'send-as-new'; which: SendAsNew };

const wrong = (message: string) => usageError('resend', message);

/**
 * Check a value of the command line.
 * @throws `cli.usage` where a value does not fit.
 */
function check<T>(schema: z.ZodType<T>, which: unknown): T {
  const parsed = schema.safeParse(which);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw wrong(`${issue?.path.join('.')}: ${issue?.message}`);
}

function toWhole(name: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw wrong(`--${name} ${text}: not a whole number.`);
}

/**
 * Send again what the service refused.
 *
 * @returns exit code 0, also when nothing was left to send; 1 when chunks stay here because the disk altered them.
 * @throws `cli.usage`, `status.no-data`, `receipt.unknown-stream`; those of the store's `sendAgain`.
 */
export async function run(args: readonly string[]): Promise<number> {
  const summary =
    'Send again what the service refused: in its place, or as a corrected stream where something is changed.';
  const read = readOptions('resend', summary, OPTIONS, args);
  if (!read) return EXIT.done;
  const { data, stream: text, list, chunk, channel = null, unit = null, rename = null } = read.values;
  const perChunk = read.values['points-per-chunk'];
  const pointsPerChunk = perChunk === undefined ? null : toWhole('points-per-chunk', perChunk);
  const chunkIds = chunk?.map((id) => toWhole('chunk', id)) ?? null;
  const name = requireOption('resend', 'stream', text);
  const { held } = read.values;
  if (held !== undefined && !HELD_ANSWERS.includes(held as HeldAnswer))
    throw wrong(`--held ${held}: send or leave-out.`);
  const isNew = pointsPerChunk !== null || unit !== null || rename !== null;
  const questionOf = (streamId: number): Question => {
    const which = { streamId, chunkIds, channel };
    return isNew
      ? { ask: 'send-as-new', which: check(SendAsNew, { ...which, pointsPerChunk, unit, rename }) }
      : { ask: 'send-again', which: check(SendAgain, which) };
  };
  questionOf(1); // What does not fit is told before anybody is asked.
  return withQueue(resolve(data ?? defaultDataFolder()), async (ask) => {
    const { stream } = ReceiptAnswer.parse(await ask({ ask: 'receipt', stream: name }));
    if (held !== undefined) return answerHeld(ask, stream.id, held as HeldAnswer);
    if (list) return printRefused(ask, stream.id);
    console.log(showControls(stream.name));
    return send(ask, questionOf(stream.id));
  });
}

async function answerHeld(ask: AskQueue, streamId: number, answer: HeldAnswer): Promise<number> {
  const isTaken = z.boolean().parse(await ask({ ask: 'answer-held', streamId, answer }));
  const done = answer === 'send' ? 'It is sent.' : 'What the service holds of it is not sent again.';
  console.log(isTaken ? done : 'Nothing of this stream waits any more.');
  return EXIT.done;
}

/** Ask until nothing is left. */
async function send(ask: AskQueue, question: Question): Promise<number> {
  for (let sent = 0; ; ) {
    const resent = Resent.parse(await ask(question));
    sent += resent.chunks;
    if (resent.chunks > 0) console.log(sentLine(resent));
    if (resent.left > 0 && resent.chunks > 0) continue;
    if (sent === 0) console.log(nothingLine(resent));
    if (resent.damaged === 0) return EXIT.done;
    console.error(
      `epistream: ${formatCount(resent.damaged)} chunks no longer match their checksum and stay here.\n` +
        '  hint: The disk altered them. Check it, and copy the data folder away.',
    );
    return EXIT.fault;
  }
}

function sentLine({ chunks, points, stream }: z.infer<typeof Resent>): string {
  const what = `${formatCount(points)} points in ${formatCount(chunks)} ${chunks === 1 ? 'chunk' : 'chunks'}`;
  if (!stream) return `${what} wait again, in their place.`;
  return showControls(`${what} wait in stream ${stream.id}, "${stream.name}".`);
}

function nothingLine({ resentIn, settled }: z.infer<typeof Resent>): string {
  if (resentIn.length > 0) return `Nothing is sent a second time: it was sent again in stream ${resentIn.join(', ')}.`;
  if (settled > 0) return 'Nothing to send again: these chunks are not refused any more.';
  return 'Nothing to send again.';
}

async function printRefused(ask: AskQueue, streamId: number): Promise<number> {
  const parts = z.array(RefusedPart).parse(await ask({ ask: 'refused', streamId }));
  for (const { id, channel, index, rows, firstMs, lastMs, words, resentIn } of parts) {
    const where = `chunk ${id}: ${channel}, ${index}, ${formatCount(rows)} points, ${instant(firstMs)} to ${instant(lastMs)}`;
    console.log(showControls(`${where}${resentIn === null ? '' : `, sent again in stream ${resentIn}`}: ${words}`));
  }
  if (parts.length === 0) console.log('The service refused nothing of this stream.');
  return EXIT.done;
}
