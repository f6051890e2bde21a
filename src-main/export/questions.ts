// What an export asks of a queue: of a running agent over its door, or of one that nobody holds. Question and answer are plain
// JSON either way; numbers travel as the bytes of their doubles, so that each comes back as it was.
import { z } from 'zod';
import { makeReceipt, Receipt } from '../delivery/receipt/receipt.ts';
import { AgentError } from '../model/agent-error.ts';
import type { StoredSpan } from '../model/export.ts';
import { Growth, type GrowthPage, type GrowthStream } from '../model/growth.ts';
import { MARK_PAGE_MAX, type MarkPage, type MarkPlace, type MarkQuestion } from '../model/marks.ts';
import type { StreamFacts } from '../model/receipt.ts';
import { RheedSession } from '../model/rheed-session.ts';
import { type SeriesReader, type Spool, writeSpool } from './spool.ts';

/** Growths that are looked through for a name, the newest. */
const GROWTHS_NAMED = 1000;
/** Marks that an export takes along at most, the oldest of its time. */
const MARKS_MAX = 20_000;

const streamId = z.int().positive();

/** What is exported: a growth by id or name, a stream by number, name, nonce or entry, an entry of the service,
 * also one that others made, or all streams of a time (Unix ms). */
export const ExportChoice = z.union([
  z.strictObject({ growth: z.string().min(1).max(300) }),
  z.strictObject({ stream: z.string().min(1).max(300) }),
  z.strictObject({ entry: z.string().min(1).max(300) }),
  z.strictObject({ fromMs: z.number(), toMs: z.number() }),
]);
export type ExportChoice = z.infer<typeof ExportChoice>;

export const ExportQuestion = z.discriminatedUnion('ask', [
  z.object({ ask: z.literal('export-plan'), choice: ExportChoice }),
  z.object({
    ask: z.literal('export-span'),
    streamIds: z.array(streamId).max(2000),
    fromMs: z.number(),
    toMs: z.number(),
    maxPoints: z.int().positive().max(1_000_000),
  }),
  z.object({
    ask: z.literal('export-spool'),
    dataId: z.string().min(1).max(300),
    streamId: streamId.nullable().describe('of this queue, which sent the entry; null: others made it'),
    folder: z.string().max(4096).describe('where the series is put'),
  }),
]);
export type ExportQuestion = z.infer<typeof ExportQuestion>;

const ExportMark = z.object({ sourceId: z.string(), timeMs: z.number(), text: z.string(), place: z.string() });
export type ExportMark = z.infer<typeof ExportMark>;

export const PlanAnswer = z.object({
  growth: Growth.nullable(),
  streams: z.array(
    z.object({
      receipt: Receipt,
      channels: z.array(z.object({ id: z.number(), name: z.string(), unit: z.string() })),
      keptPoints: z.number().describe('points that the queue still has'),
    }),
  ),
  marks: z.array(ExportMark),
  areMarksCut: z.boolean(),
  sessions: z.array(RheedSession),
  settings: z.string().nullable().default(null).describe('YAML without secrets; null: not known'),
});
export type PlanAnswer = z.infer<typeof PlanAnswer>;

export const SpanAnswer = z.object({
  toMs: z.number(),
  damagedPoints: z.number(),
  spans: z.array(z.object({ streamId, channelIds: z.array(z.number()), times: z.string(), values: z.string() })),
});

/** What it needs of the store. */
export interface ExportStore {
  findStreams(text: string): Promise<number[]>;
  streamFacts(streamId: number): Promise<StreamFacts | null>;
  growth(id: string): Promise<Growth | null>;
  growths(before: number | null, limit: number): Promise<GrowthPage>;
  growthStreams(parts: readonly string[]): Promise<GrowthStream[]>;
  listMarks(question: MarkQuestion): Promise<MarkPage>;
  rheedSessions(): Promise<RheedSession[]>;
  storedSpan(ids: readonly number[], fromMs: number, toMs: number, maxPoints: number): Promise<StoredSpan>;
  keptPoints(streamId: number, ids: readonly number[]): Promise<number>;
  streamsIn(fromMs: number, toMs: number): Promise<number[]>;
}

/** The service that the settings name. */
export interface ExportService {
  readonly client: SeriesReader & {
    listDataEntries(request: {
      data_ids: string[];
      limit: number;
    }): Promise<readonly { readonly raw_name?: string | null | undefined }[]>;
  };
  /** What streams are bound to. */
  readonly mark: string;
}

/** What an export says of the program that made it. */
export interface ExportMade {
  readonly atMs: number;
  readonly version: string;
  /** The settings that are in force, as YAML without secrets; null: not known. */
  readonly settings: () => Promise<string | null>;
}

/**
 * Answer a question of an export.
 *
 * @param store - the queue.
 * @param question - the question.
 * @param made - the moment, the program's version, and its settings.
 * @param service - who is asked for points that are not kept here; null: nobody can be.
 * @returns what `PlanAnswer`, `SpanAnswer` or `Spool` reads; null for a spool that nobody can read here.
 * @throws `export.nothing-found`, `export.ambiguous`; those of the store.
 */
export async function answerExport(
  store: ExportStore,
  question: ExportQuestion,
  made: ExportMade,
  service: ExportService | null,
): Promise<unknown> {
  if (question.ask === 'export-plan') return makePlan(store, question.choice, made);
  if (question.ask === 'export-spool') return spool(store, question, service);
  const { streamIds, fromMs, toMs, maxPoints } = question;
  const { spans, ...rest } = await store.storedSpan(streamIds, fromMs, toMs, maxPoints);
  return {
    ...rest,
    spans: spans.map(({ timesMs, values, ...span }) => ({ ...span, times: toText(timesMs), values: toText(values) })),
  };
}

type SpoolQuestion = Extract<ExportQuestion, { ask: 'export-spool' }>;

async function spool(
  store: ExportStore,
  { dataId, streamId, folder }: SpoolQuestion,
  service: ExportService | null,
): Promise<Spool | null> {
  if (streamId === null) {
    if (!service) throw noService();
    const [entry] = await service.client.listDataEntries({ data_ids: [dataId], limit: 1 });
    return { title: entry?.raw_name ?? '', series: await writeSpool(service.client, dataId, folder) };
  }
  const facts = await store.streamFacts(streamId);
  // Another service than the one that is reached now has it.
  if (!service || facts?.service !== service.mark) return null;
  return { title: '', series: await writeSpool(service.client, dataId, folder) };
}

function noService(): AgentError {
  return new AgentError({
    code: 'export.no-service',
    message: 'The entry is at the service, and nothing runs here that could ask it.',
    hint: 'Start the agent; it has the key. Then export the entry again.',
    retry: 'after-human',
  });
}

function toText({ buffer, byteOffset, byteLength }: Float64Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

/** Read numbers that `answerExport` wrote: as many doubles as there were, bit for bit. */
export function fromText(text: string): Float64Array {
  const bytes = Uint8Array.from(Buffer.from(text, 'base64'));
  return new Float64Array(bytes.buffer, 0, bytes.length / 8);
}

async function makePlan(store: ExportStore, choice: ExportChoice, made: ExportMade): Promise<PlanAnswer> {
  const growth = 'growth' in choice ? await findGrowth(store, choice.growth) : null;
  const ids = await findStreams(store, choice, growth);
  const streams: PlanAnswer['streams'] = [];
  for (const id of ids) {
    const facts = await store.streamFacts(id);
    if (!facts) continue;
    const channels = facts.channels.map(({ id, name, unit }) => ({ id, name, unit }));
    const keptPoints = await store.keptPoints(id, ids);
    streams.push({ receipt: makeReceipt(facts, made.atMs, made.version), channels, keptPoints });
  }
  const span = spanOf(streams, growth);
  const { marks, isCut } = span ? await marksIn(store, span) : { marks: [], isCut: false };
  const parts = new Set(growth?.parts.map(({ id }) => id));
  const sessions = (await store.rheedSessions()).filter(({ growth: part }) => part !== null && parts.has(part));
  return { growth, streams, marks, areMarksCut: isCut, sessions, settings: await made.settings() };
}

/** The time of a growth, or from the first to the last reading; null: there is none. */
function spanOf(streams: PlanAnswer['streams'], growth: Growth | null): { fromMs: number; toMs: number } | null {
  const stamps = streams.flatMap(({ receipt: { stream } }) => [
    stream.firstReadingMs ?? [],
    stream.lastReadingMs ?? [],
  ]);
  const all = [...stamps.flat(), ...(growth ? [growth.startedMs, growth.endedMs ?? growth.startedMs] : [])];
  if (all.length === 0) return null;
  return { fromMs: all.reduce((a, b) => Math.min(a, b)), toMs: all.reduce((a, b) => Math.max(a, b)) };
}

async function marksIn(store: ExportStore, span: { fromMs: number; toMs: number }) {
  const marks: ExportMark[] = [];
  for (let after: MarkPlace | null = null; ; ) {
    const page: MarkPage = await store.listMarks({ sourceId: null, ...span, after, limit: MARK_PAGE_MAX });
    marks.push(...page.marks.map(({ sourceId, timeMs, text, place }) => ({ sourceId, timeMs, text, place })));
    after = page.next;
    if (after === null || marks.length >= MARKS_MAX) return { marks, isCut: after !== null };
  }
}

async function findGrowth(store: ExportStore, text: string): Promise<Growth> {
  const own = await store.growth(text);
  if (own) return own;
  const { growths } = await store.growths(null, GROWTHS_NAMED);
  const [first, second] = growths.filter(({ parts }) => parts.some(({ name }) => name === text));
  if (second) throw ambiguous('growth', text, '"epistream growth show" tells the id of a growth.');
  return first ?? notFound('growth', text, 'Name it by its id or its name, as the Growth screen shows them.');
}

async function findStreams(store: ExportStore, choice: ExportChoice, growth: Growth | null): Promise<number[]> {
  if (growth) return (await store.growthStreams(growth.parts.map(({ id }) => id))).map(({ id }) => id);
  if ('fromMs' in choice) return store.streamsIn(choice.fromMs, choice.toMs);
  if ('entry' in choice) return streamsOfEntry(store, choice.entry);
  const text = 'stream' in choice ? choice.stream : '';
  const [first, second] = await store.findStreams(text);
  if (second !== undefined) throw ambiguous('stream', text, '"epistream receipt --data D" lists numbers and nonces.');
  const hint = 'Name it by number, name, nonce or entry: "epistream receipt --data D" lists them.';
  return [first ?? notFound('stream', text, hint)];
}

/** The stream that an entry was sent from; none: others made it. An entry is no number and no name of a stream. */
async function streamsOfEntry(store: ExportStore, entry: string): Promise<number[]> {
  for (const id of await store.findStreams(entry)) {
    if ((await store.streamFacts(id))?.tally.dataId === entry) return [id];
  }
  return [];
}

function ambiguous(noun: string, text: string, hint: string): AgentError {
  return new AgentError({ code: 'export.ambiguous', message: `More than one ${noun} is meant by "${text}".`, hint });
}

function notFound(noun: string, text: string, hint: string): never {
  const message = `There is no ${noun} "${text}" in this queue.`;
  throw new AgentError({ code: 'export.nothing-found', message, hint });
}
