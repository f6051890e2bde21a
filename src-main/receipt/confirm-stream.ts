// The full read-back at a stream's end: every acknowledged point of every channel against what the service gives back.
//
// Bounds: at most GROUP_POINTS points of stored data are in memory at once (one channel at least); a stream with more is
// read as often as it has groups. A read may lag behind the writes, so one that shows too little is void and repeated, and
// a difference counts only when two reads in a row show the same.
import { AgentError } from '../model/agent-error.ts';
import type { ChannelFacts, Confirmation, StoredPage, StreamFacts } from '../model/receipt.ts';
import type { SeriesColumns } from '../service/scan-series.ts';
import { findPoints, type Points } from './compare.ts';
import { instant } from './receipt-words.ts';

const GROUP_POINTS = 4_000_000;
/** Points that are asked of the store at once. */
const PAGE_POINTS = 100_000;
/** Waits between reads that do not agree with the counts, milliseconds. A replica may be that far behind. */
const READ_AGAIN_MS = [1000, 1000, 2000, 4000, 8000, 16_000, 30_000] as const;
const NOTES_MAX = 20;

/** What it needs of the store. */
export interface ConfirmStore {
  streamFacts(streamId: number): Promise<StreamFacts | null>;
  storedPage(streamId: number, after: number, maxPoints: number): Promise<StoredPage>;
  putConfirmation(streamId: number, confirmation: Confirmation): Promise<void>;
}

/** What it needs of the service's client. */
export interface ConfirmService {
  scanTimeSeries(
    request: { data_id: string; return_null_if_missing: boolean },
    onProperty: (property: SeriesColumns) => void,
    options: { signal: AbortSignal },
  ): Promise<unknown>;
}

export interface ConfirmParts {
  readonly store: ConfirmStore;
  readonly service: ConfirmService;
  readonly clock: { nowMs(): number; sleep(durationMs: number, signal?: AbortSignal): Promise<void> };
}

/** One read of the whole stream. */
interface Read {
  readonly compared: number;
  /** What does not agree, with numbers; equal reads give equal notes. */
  readonly notes: readonly string[];
  /** Wherever something does not agree, less is there than was acknowledged: the read may just lag. */
  readonly isShort: boolean;
}

/**
 * Read a delivered stream back, point by point, and note in the store what came of it.
 *
 * **Takes**: the stream's id; it is delivered. **Gives**: what was noted; null when there is nothing to read back (no
 * entry, or not a point acknowledged) or the signal ended it.
 * **Errors**: `receipt.not-delivered`; the ServiceError of a read that failed: nothing was noted then, call again later.
 */
export async function confirmStream(
  streamId: number,
  parts: ConfirmParts,
  signal: AbortSignal,
): Promise<Confirmation | null> {
  const facts = await parts.store.streamFacts(streamId);
  const { isDelivered = false, dataId = null, pointsAcknowledged = 0 } = facts?.tally ?? {};
  if (!facts || !isDelivered) {
    throw new AgentError({
      code: 'receipt.not-delivered',
      message: `Stream ${streamId} is not delivered yet.`,
      hint: 'It is read back once all of it is delivered.',
      retry: 'later',
    });
  }
  if (dataId === null || pointsAcknowledged === 0) return null;
  let former: string | null = null;
  for (const waitMs of [0, ...READ_AGAIN_MS]) {
    if (waitMs > 0) await parts.clock.sleep(waitMs, signal);
    const read = signal.aborted ? null : await readOnce(facts, dataId, parts, signal);
    if (read === null) return null;
    const picture = JSON.stringify(read.notes);
    const isSettled = read.notes.length === 0 || (picture === former && !read.isShort);
    former = picture;
    if (!isSettled && waitMs !== READ_AGAIN_MS.at(-1)) continue;
    const confirmation: Confirmation = {
      atMs: parts.clock.nowMs(),
      outcome: read.notes.length > 0 ? 'differs' : read.compared === pointsAcknowledged ? 'confirmed' : 'counted',
      pointsCompared: read.compared,
      pointsExpected: pointsAcknowledged,
      notes: read.notes,
    };
    await parts.store.putConfirmation(streamId, confirmation);
    return confirmation;
  }
  return null;
}

async function readOnce(
  { tally, channels }: StreamFacts,
  dataId: string,
  { store, service }: ConfirmParts,
  signal: AbortSignal,
): Promise<Read | null> {
  const notes: string[] = [];
  let compared = 0;
  let isShort = true;
  const own = new Set(channels.map(({ name }) => name));
  for (const [at, group] of groupsOf(channels).entries()) {
    const stored = await collect(tally.id, group, store, signal);
    const waiting = new Map(group.map((channel) => [channel.name, channel]));
    const judge = (channel: ChannelFacts, read: Points) => {
      waiting.delete(channel.name);
      const verdict = judgeChannel(channel, stored.get(channel.id) as Points, read);
      compared += verdict.matched;
      if (verdict.note === null) return;
      notes.push(verdict.note);
      isShort &&= verdict.isShort;
    };
    const request = { data_id: dataId, return_null_if_missing: true };
    await service.scanTimeSeries(
      request,
      ({ name, timesMs, values }) => {
        const channel = waiting.get(name);
        if (channel) judge(channel, { timesMs, values });
        else if (at === 0 && !own.has(name) && values.length > 0) {
          notes.push(`channel "${name}": the service has ${values.length} points that were not sent from here`);
          isShort = false;
        }
      },
      { signal },
    );
    if (signal.aborted) return null;
    for (const channel of [...waiting.values()]) judge(channel, EMPTY);
  }
  return { compared, notes: notes.slice(0, NOTES_MAX), isShort };
}

const EMPTY: Points = { timesMs: new Float64Array(), values: new Float64Array() };

function judgeChannel({ name, acknowledged }: ChannelFacts, stored: Points, read: Points) {
  const { matched, firstMissing } = findPoints(stored, read);
  const found = read.values.length;
  const isFine = firstMissing === null && found === acknowledged;
  const missing =
    firstMissing && `; the first that is missing: ${firstMissing.value} at ${instant(firstMissing.timeMs)}`;
  const note = `channel "${name}": ${acknowledged} points were acknowledged, the service gives ${found} back, ${matched} of ${stored.values.length} compared are there${missing ?? ''}`;
  return { matched, note: isFine ? null : note, isShort: found < acknowledged };
}

/** Channels whose points fit into memory together. */
function groupsOf(channels: readonly ChannelFacts[]): ChannelFacts[][] {
  const groups: ChannelFacts[][] = [[]];
  let points = 0;
  for (const channel of channels) {
    if (points > 0 && points + channel.acknowledged > GROUP_POINTS) {
      groups.push([]);
      points = 0;
    }
    groups.at(-1)?.push(channel);
    points += channel.acknowledged;
  }
  return groups;
}

/** The acknowledged points of some channels, as far as they are still kept here. */
async function collect(
  streamId: number,
  channels: readonly ChannelFacts[],
  store: ConfirmStore,
  signal: AbortSignal,
): Promise<Map<number, Points>> {
  const columns = new Map(
    channels.map(({ id, acknowledged }) => [
      id,
      { timesMs: new Float64Array(acknowledged), values: new Float64Array(acknowledged), length: 0 },
    ]),
  );
  for (let after: number | null = 0; after !== null && !signal.aborted; ) {
    const page: StoredPage = await store.storedPage(streamId, after, PAGE_POINTS);
    for (const { state, channelIds, rows, timesMs, values } of page.blocks) {
      if (state !== 'acknowledged') continue;
      for (const [c, id] of channelIds.entries()) {
        const column = columns.get(id);
        if (!column) continue;
        column.timesMs.set(timesMs.subarray(0, rows), column.length);
        column.values.set(values.subarray(c * rows, (c + 1) * rows), column.length);
        column.length += rows;
      }
    }
    after = page.next;
  }
  return new Map(
    [...columns].map(([id, { timesMs, values, length }]) => [
      id,
      { timesMs: timesMs.subarray(0, length), values: values.subarray(0, length) },
    ]),
  );
}
