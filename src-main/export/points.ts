// The one source of points of every writer: what is exported, and its points window by window, in the order of time.
//
// Bounds: a window holds about POINTS_A_WINDOW points, however long the export is; a millisecond is never cut, so one in which
// there are more holds more.
//
// No writer sees the queue, and the libraries that write are small: hyparquet-writer, h5wasm (the HDF5 library itself), yazl (zip64,
// where fflate writes a broken file above 4 GB). Not taken: @dsnp/parquetjs (thirteen dependencies), parquet-wasm (no streaming
// writer; it reads in the tests, as another implementation), apache-arrow (no Parquet), ro-crate (GPL).
import type { Receipt } from '../delivery/receipt/receipt.ts';
import type { Growth } from '../model/growth.ts';
import { NOTES_SOURCE } from '../model/growth.ts';
import type { RheedSession } from '../model/rheed-session.ts';
import { type ChannelPoints, OlderPoints } from './older.ts';
import {
  type ExportChoice,
  type ExportMark,
  type ExportQuestion,
  fromText,
  PlanAnswer,
  SpanAnswer,
} from './questions.ts';
import { Spool } from './spool.ts';

/** Points that are asked for at once: a question takes the thread of the queue some tens of milliseconds. */
const POINTS_A_WINDOW = 30_000;

/** One channel of one source in one unit, through all streams that are exported. */
export interface Series {
  readonly sourceId: string;
  readonly channel: string;
  readonly unit: string;
}

/** An interval for which a source has no readings, with its cause. */
interface ExportGap {
  readonly sourceId: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly cause: string;
}

/** Everything of an export but its points. */
export interface ExportHead {
  readonly title: string;
  readonly madeMs: number;
  readonly version: string;
  /** First instant, and the first behind the last, Unix ms: points in [fromMs, toMs) are exported. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly growth: Growth | null;
  readonly series: readonly Series[];
  readonly gaps: readonly ExportGap[];
  /** What operators wrote. */
  readonly notes: readonly ExportMark[];
  /** What event logs said. */
  readonly events: readonly ExportMark[];
  readonly areMarksCut: boolean;
  readonly sessions: readonly RheedSession[];
  readonly receipts: readonly Receipt[];
  /** Settings in force when this was exported, as YAML without secrets; null: not known. */
  readonly settings: string | null;
  /** Points that were delivered long ago, are no longer kept on this PC, and were not read from the service either. */
  readonly pointsGone: number;
}

/** Points of each series, as many entries as there are series, each in the order of time. */
export interface PointWindow {
  readonly fromMs: number;
  readonly toMs: number;
  readonly columns: readonly Column[];
}

export interface Column {
  readonly timesMs: Float64Array;
  readonly values: Float64Array;
}

export interface PointSource {
  readonly head: ExportHead;
  /** Read everything once more from the beginning. */
  windows(): AsyncIterable<PointWindow>;
  /** Points that the disk altered, of the windows read last: they are in none. */
  damagedPoints(): number;
}

/** Asks one question of a queue. */
export type AskExport = (question: ExportQuestion) => Promise<unknown>;

export interface SourceOptions {
  readonly version: string;
  readonly nowMs: () => number;
  /** Which series are wanted; all when absent. */
  readonly wants?: (series: Series) => boolean;
  /** Folder of the local disk into which points are read from the service that are no longer kept here; null: they are left out. */
  readonly spoolFolder: string | null;
}

/** Source of the channels of an entry that this queue did not send. */
const FOREIGN_SOURCE = 'service';

/**
 * Open what is chosen for export.
 *
 * @param ask - who has the queue.
 * @param choice - what is exported.
 * @param options - the version, the clock, which series are wanted, and whether the service is asked.
 * @returns head and points.
 * @throws those of `answerExport`.
 */
export async function openPoints(ask: AskExport, choice: ExportChoice, options: SourceOptions): Promise<PointSource> {
  const plan = PlanAnswer.parse(await ask({ ask: 'export-plan', choice }));
  const { series, indexOf, place } = placeSeries(options.wants);
  for (const { receipt, channels } of plan.streams) {
    for (const { id, name, unit } of channels) place(id, { sourceId: receipt.stream.sourceId, channel: name, unit });
  }
  const older = new OlderPoints();
  const foreign = 'entry' in choice && plan.streams.length === 0 ? choice.entry : null;
  const read = await readOlder(ask, plan, foreign, options.spoolFolder, older, place);
  const head = headOf(plan, choice, series, options, read);
  const streamIds = plan.streams.map(({ receipt }) => receipt.stream.id);
  let damaged = 0;

  async function window(fromMs: number, wantedMs: number) {
    const toMs = older.shorten(fromMs, wantedMs, POINTS_A_WINDOW);
    const question = { ask: 'export-span', streamIds, fromMs, toMs, maxPoints: POINTS_A_WINDOW } as const;
    const answer = SpanAnswer.parse(await ask(question));
    const kept = answer.spans.flatMap(pointsOfSpan);
    const columns = sortColumns([...kept, ...older.read(fromMs, answer.toMs, kept)], indexOf, series.length);
    return { fromMs, toMs: answer.toMs, columns, damagedPoints: answer.damagedPoints };
  }

  async function* windows(): AsyncGenerator<PointWindow> {
    damaged = 0;
    let stepMs = head.toMs - head.fromMs;
    for (let fromMs = head.fromMs; fromMs < head.toMs; ) {
      const read = await window(fromMs, Math.min(head.toMs, fromMs + stepMs));
      damaged += read.damagedPoints;
      yield read;
      stepMs = 2 * (read.toMs - fromMs);
      fromMs = read.toMs;
    }
  }
  return { head, windows, damagedPoints: () => damaged };
}

/** Gathers series, each once, and remembers at which place the points of a channel go. */
function placeSeries(wants: SourceOptions['wants']) {
  const series: Series[] = [];
  const indexOf = new Map<number, number>();
  const places = new Map<string, number>();
  const place = (channelId: number, one: Series) => {
    if (wants && !wants(one)) return;
    const key = JSON.stringify(one);
    const index = places.get(key) ?? series.push(one) - 1;
    places.set(key, index);
    indexOf.set(channelId, index);
  };
  return { series, indexOf, place };
}

/** What came from the service: how many points of each stream it has, and the span and name of an entry of others. */
interface OlderRead {
  readonly pointsOf: ReadonlyMap<number, number>;
  readonly title: string;
  readonly stamps: readonly number[];
}

async function readOlder(
  ask: AskExport,
  plan: PlanAnswer,
  foreign: string | null,
  folder: string | null,
  older: OlderPoints,
  place: (channelId: number, one: Series) => void,
): Promise<OlderRead> {
  const pointsOf = new Map<number, number>();
  if (foreign !== null) {
    const spool = Spool.parse(
      await ask({ ask: 'export-spool', dataId: foreign, streamId: null, folder: folder ?? '' }),
    );
    // The queue numbers its channels from 1.
    for (const [i, { channel, unit }] of spool.series.entries())
      place(-i - 1, { sourceId: FOREIGN_SOURCE, channel, unit });
    const idOf = (name: string, inUnit: string) =>
      -1 - spool.series.findIndex(({ channel, unit }) => channel === name && unit === inUnit);
    older.add(spool, idOf);
    return { pointsOf, title: spool.title || foreign, stamps: older.stamps };
  }
  for (const { receipt, channels, keptPoints } of plan.streams) {
    const { stream, service, counts } = receipt;
    const missing = counts.pointsStored - counts.pointsResent - keptPoints;
    if (folder === null || service.dataId === null || missing <= 0) continue;
    const question = { ask: 'export-spool', dataId: service.dataId, streamId: stream.id, folder } as const;
    const answer = await ask(question);
    // Nobody here can ask the service: an agent that is not running.
    if (answer === null) continue;
    const spool = Spool.parse(answer);
    older.add(spool, (name) => channels.find((channel) => channel.name === name)?.id);
    pointsOf.set(
      stream.id,
      spool.series.reduce((sum, { points }) => sum + points, 0),
    );
  }
  return { pointsOf, title: '', stamps: [] };
}

type Span = ReturnType<typeof SpanAnswer.parse>['spans'][number];

function pointsOfSpan({ channelIds, times, values }: Span): ChannelPoints[] {
  const timesMs = fromText(times);
  const all = fromText(values);
  return channelIds.map((channelId, column) => {
    return { channelId, timesMs, values: all.subarray(column * timesMs.length, (column + 1) * timesMs.length) };
  });
}

function sortColumns(points: readonly ChannelPoints[], indexOf: ReadonlyMap<number, number>, count: number): Column[] {
  const parts = Array.from({ length: count }, (): Column[] => []);
  for (const { channelId, ...part } of points) parts[indexOf.get(channelId) ?? -1]?.push(part);
  return parts.map(joinInOrder);
}

const isRising = (timesMs: Float64Array) =>
  timesMs.every((timeMs, i) => i === 0 || timeMs >= (timesMs[i - 1] as number));

/** One column of several, in the order of time; points of one stamp stay in the order in which they were stored. */
function joinInOrder(parts: readonly Column[]): Column {
  const [only] = parts;
  if (only && parts.length === 1 && isRising(only.timesMs)) return only;
  const length = parts.reduce((sum, { timesMs }) => sum + timesMs.length, 0);
  const joined = { timesMs: new Float64Array(length), values: new Float64Array(length) };
  let at = 0;
  for (const { timesMs, values } of parts) {
    joined.timesMs.set(timesMs, at);
    joined.values.set(values, at);
    at += timesMs.length;
  }
  if (isRising(joined.timesMs)) return joined;
  const order = Uint32Array.from(joined.timesMs.keys()).sort(
    (a, b) => (joined.timesMs[a] as number) - (joined.timesMs[b] as number) || a - b,
  );
  const pick = (numbers: Float64Array) => Float64Array.from(order, (i) => numbers[i] as number);
  return { timesMs: pick(joined.timesMs), values: pick(joined.values) };
}

function headOf(
  { growth, streams, marks, areMarksCut, sessions, settings }: PlanAnswer,
  choice: ExportChoice,
  series: readonly Series[],
  { version, nowMs }: SourceOptions,
  older: OlderRead,
): ExportHead {
  const receipts = streams.map(({ receipt }) => receipt);
  const stamps = receipts.flatMap(({ stream: { firstReadingMs, lastReadingMs } }) =>
    firstReadingMs === null || lastReadingMs === null ? [] : [firstReadingMs, lastReadingMs],
  );
  const { fromMs, toMs } = spanOf([...stamps, ...older.stamps], choice);
  const missing = streams.map(({ receipt: { counts, stream }, keptPoints }) => {
    const gone = Math.max(0, counts.pointsStored - counts.pointsResent - keptPoints);
    const read = older.pointsOf.get(stream.id);
    return read === undefined ? gone : Math.min(gone, Math.max(0, counts.pointsAcknowledged - read));
  });
  return {
    title: older.title || titleOf(growth, receipts),
    madeMs: nowMs(),
    version,
    fromMs,
    toMs,
    growth,
    series,
    gaps: gapsOf(receipts, series, { fromMs, toMs }),
    notes: marks.filter(({ sourceId }) => sourceId === NOTES_SOURCE),
    events: marks.filter(({ sourceId }) => sourceId !== NOTES_SOURCE),
    areMarksCut,
    sessions,
    receipts,
    settings,
    pointsGone: missing.reduce((sum, points) => sum + points, 0),
  };
}

/** From the first to the last stamp, within what was chosen. */
function spanOf(stamps: readonly number[], choice: ExportChoice): { fromMs: number; toMs: number } {
  const range = 'fromMs' in choice ? choice : { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY };
  const firstMs = stamps.reduce((a, b) => Math.min(a, b), stamps[0] ?? 0);
  const lastMs = stamps.reduce((a, b) => Math.max(a, b), stamps[0] ?? 0);
  const fromMs = Math.max(range.fromMs, firstMs);
  return { fromMs, toMs: stamps.length === 0 ? fromMs : Math.max(fromMs, Math.min(range.toMs, behind(lastMs))) };
}

/** An instant behind one: stamps that others made may be so large that a double has no next millisecond. */
const behind = (timeMs: number) => Math.max(timeMs + 1, timeMs + Math.abs(timeMs) * Number.EPSILON);

function titleOf(growth: Growth | null, receipts: readonly Receipt[]): string {
  const name = growth?.parts.findLast(({ name }) => name !== '')?.name;
  if (growth) return name ?? `growth ${growth.id}`;
  if (receipts.length > 1) return `${receipts.length} streams`;
  return receipts[0]?.stream.name ?? '';
}

/** Gaps of the sources that are exported, each once and whole, of those that touch the time of the export. */
function gapsOf(
  receipts: readonly Receipt[],
  series: readonly Series[],
  span: { fromMs: number; toMs: number },
): ExportGap[] {
  const sources = new Set(series.map(({ sourceId }) => sourceId));
  const found = new Map<string, ExportGap>();
  for (const { stream, gaps } of receipts) {
    if (!sources.has(stream.sourceId)) continue;
    for (const { fromMs, toMs, cause } of gaps) {
      if (toMs < span.fromMs || fromMs > span.toMs) continue;
      const gap = { sourceId: stream.sourceId, fromMs, toMs, cause };
      found.set(JSON.stringify(gap), gap);
    }
  }
  return [...found.values()].sort((a, b) => a.fromMs - b.fromMs);
}
