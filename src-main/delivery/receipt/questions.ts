// What is asked about receipts, by a command of this PC: of a running agent over its door, or of a queue that nobody
// holds. Question and answer are plain JSON either way, so both are one piece of code.
import { z } from 'zod';
import { AgentError } from '../../model/agent-error.ts';
import type { StreamTally } from '../../model/queue.ts';
import type { StoredPage, StreamFacts } from '../../model/receipt.ts';
import { pageToCsv } from './csv.ts';
import { makeReceipt, Receipt } from './receipt.ts';

/** Streams listed at once. */
const STREAMS_A_PAGE = 500;
/** Points of one page of an export: about a megabyte of text, made in some 20 ms of the thread that also captures. */
const EXPORT_POINTS = 20_000;

const id = z.int().positive();
/** Where an export goes on: after this place of the queue, and after so many points of what follows it. */
const Cursor = z.object({ after: z.int().nonnegative(), skip: z.int().nonnegative() });
export type Cursor = z.infer<typeof Cursor>;
export const EXPORT_START: Cursor = { after: 0, skip: 0 };

export const ReceiptQuestion = z.discriminatedUnion('ask', [
  z.object({ ask: z.literal('streams'), before: id.nullable().describe('id; null: from the newest') }),
  z.object({ ask: z.literal('receipt'), stream: z.string().min(1).max(300).describe('id, name, nonce or entry') }),
  z.object({ ask: z.literal('export'), streamId: id, cursor: Cursor }),
]);
export type ReceiptQuestion = z.infer<typeof ReceiptQuestion>;

export const StreamsAnswer = z.object({
  streams: z.array(z.custom<StreamTally>((value) => typeof value === 'object')),
});
export const ReceiptAnswer = Receipt;
export const ExportAnswer = z.object({
  text: z.string().describe('lines of CSV'),
  points: z.int().nonnegative(),
  damagedPoints: z.int().nonnegative().describe('points whose chunk no longer matches its checksum; not in the text'),
  next: Cursor.nullable(),
});

/** What it needs of the store. */
export interface ReceiptStore {
  findStreams(text: string): Promise<number[]>;
  listStreams(before: number, limit: number): Promise<StreamTally[]>;
  streamFacts(streamId: number): Promise<StreamFacts | null>;
  storedPage(streamId: number, after: number, maxPoints: number): Promise<StoredPage>;
}

/**
 * Answer a question about receipts.
 *
 * @param made - for the receipt the moment and the program's version.
 * @returns what `StreamsAnswer`, `ReceiptAnswer` or `ExportAnswer` reads.
 * @throws `receipt.unknown-stream`, `receipt.ambiguous-stream`; those of the store.
 */
export async function answerReceipts(
  store: ReceiptStore,
  question: ReceiptQuestion,
  made: { atMs: number; version: string },
): Promise<unknown> {
  switch (question.ask) {
    case 'streams':
      return { streams: await store.listStreams(question.before ?? Number.MAX_SAFE_INTEGER, STREAMS_A_PAGE) };
    case 'receipt':
      return makeReceipt(await findFacts(store, question.stream), made.atMs, made.version);
    case 'export':
      return exportPage(store, question.streamId, question.cursor);
  }
}

async function findFacts(store: ReceiptStore, text: string): Promise<StreamFacts> {
  const [first, second] = await store.findStreams(text);
  if (second !== undefined) {
    throw new AgentError({
      code: 'receipt.ambiguous-stream',
      message: `More than one stream is meant by "${text}".`,
      hint: 'Name it by its number or its nonce: "epistream receipt --data D" lists them.',
    });
  }
  const facts = first === undefined ? null : await store.streamFacts(first);
  return facts ?? unknown(text);
}

function unknown(text: string): never {
  throw new AgentError({
    code: 'receipt.unknown-stream',
    message: `There is no stream "${text}" in this queue.`,
    hint: 'Name it by number, name, nonce or entry: "epistream receipt --data D" lists them.',
  });
}

async function exportPage(
  store: ReceiptStore,
  streamId: number,
  { after, skip }: Cursor,
): Promise<z.infer<typeof ExportAnswer>> {
  const facts = await store.streamFacts(streamId);
  const page = await store.storedPage(streamId, after, EXPORT_POINTS);
  // What is not sealed yet is given at once: it may be sealed, and so move, before the next question.
  const limit = page.next === null ? Number.POSITIVE_INFINITY : EXPORT_POINTS;
  const { text, points, isCut } = pageToCsv(page, facts?.channels ?? unknown(String(streamId)), { skip, limit });
  const damaged = page.damaged.reduce((sum, { rows, channelIds }) => sum + rows * channelIds.length, 0);
  const rest = page.next === null ? null : { after: page.next, skip: 0 };
  return {
    text,
    points,
    damagedPoints: isCut ? 0 : damaged,
    next: isCut ? { after, skip: skip + points } : rest,
  };
}
