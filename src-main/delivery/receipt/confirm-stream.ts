// The full read-back at a stream's end: every acknowledged point of every channel against what the service gives back.
//
// First each channel as a sequence: what was sent and what comes back, both as hashes of all times and of all values in
// their order. That costs one pass over the queue and one read, and no memory that grows with the points. A channel whose
// sequence is another one (sorted by the service, or with points missing, changed or in excess), or of which not all is
// kept here, is compared exactly, point by point, in windows of bounded size (compare-windows.ts).
//
// So "confirmed" says: every acknowledged point is there with its value, to the last bit, and its stamp, not more than a
// millisecond off, each once, and nothing else is. A read may lag behind the writes, so one that shows too little is void
// and repeated, and a difference counts only when two reads in a row show the same.
import { AgentError } from '../../model/agent-error.ts';
import type { Confirmation, StreamFacts } from '../../model/receipt.ts';
import type { SeriesListener } from '../client/scan-series.ts';
import { compareByWindows, type Verdict } from './compare-windows.ts';
import { SeriesDigests } from './series-digests.ts';
import { type PagedStore, readStoredChannels, type StoredChannel } from './stored-channels.ts';

/** Waits between reads that do not agree with the counts, milliseconds. A replica may be that far behind. */
const READ_AGAIN_MS = [1000, 1000, 2000, 4000, 8000, 16_000, 30_000] as const;
const NOTES_MAX = 20;

/** What it needs of the store. */
interface ConfirmStore extends PagedStore {
  streamFacts(streamId: number): Promise<StreamFacts | null>;
  putConfirmation(streamId: number, confirmation: Confirmation): Promise<void>;
}

/** What it needs of the service's client. */
export interface ConfirmService {
  scanTimeSeries(
    request: { data_id: string; return_null_if_missing: boolean },
    listener: SeriesListener,
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
 * Read a delivered stream back, point by point, and note in the store what came of it. Takes the stream's id; it is
 * delivered.
 *
 * @returns what was noted; null when there is nothing to read back (no entry, or not a point acknowledged) or the signal ended
 *   it.
 * @throws `receipt.not-delivered`; the ServiceError of a read that failed: nothing was noted then, call again later.
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
  let stored: Promise<readonly StoredChannel[]> | null = null;
  const kept: Kept = {
    names: facts.channels.map(({ name }) => name),
    read: () => (stored ??= readStoredChannels(streamId, facts.channels, parts.store, signal)),
  };
  let former: string | null = null;
  for (const waitMs of [0, ...READ_AGAIN_MS]) {
    if (waitMs > 0) await parts.clock.sleep(waitMs, signal);
    const isLast = waitMs === READ_AGAIN_MS.at(-1);
    const read = signal.aborted ? null : await readOnce(streamId, dataId, kept, parts, signal, isLast);
    if (read === null) return null;
    const picture = JSON.stringify(read.notes);
    const isSettled = read.notes.length === 0 || (picture === former && !read.isShort);
    former = picture;
    if (!isSettled && !isLast) continue;
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

/** What is kept here of the stream. It is read once, and only when the service has given something to compare with. */
interface Kept {
  readonly names: readonly string[];
  readonly read: () => Promise<readonly StoredChannel[]>;
}

async function readOnce(
  streamId: number,
  dataId: string,
  kept: Kept,
  { store, service }: ConfirmParts,
  signal: AbortSignal,
  isLast: boolean,
): Promise<Read | null> {
  const request = { data_id: dataId, return_null_if_missing: true };
  const scan = async (listener: SeriesListener) => {
    await service.scanTimeSeries(request, listener, { signal });
  };
  const series = new SeriesDigests(kept.names);
  await scan(series);
  const stored = signal.aborted ? [] : await kept.read();
  if (signal.aborted) return null;
  const others = stored.filter((channel) => !series.isSequence(channel));
  const alike = stored.reduce((sum, channel) => sum + (others.includes(channel) ? 0 : channel.points), 0);
  const foreign = series.foreign.map(
    ({ name, points }) => `channel "${name}": the service has ${points} points that were not sent from here`,
  );
  const foundOf = ({ facts }: StoredChannel) => series.found(facts.name);
  const short = others.filter((channel) => foundOf(channel) < channel.facts.acknowledged);
  // A read that only lags is void: it is not worth a closer look.
  if (!isLast && short.length > 0 && short.length === others.length && foreign.length === 0) {
    return { compared: 0, notes: [`${short.length} channels are not whole yet`], isShort: true };
  }
  const verdicts = others.length === 0 ? [] : await compareByWindows(streamId, others, { store, scan, signal });
  if (verdicts === null) return null;
  const wrong = verdicts.filter(
    ({ facts, compared, matched, found }) => matched < compared || found !== facts.acknowledged,
  );
  return {
    compared: verdicts.reduce((sum, { matched }) => sum + matched, alike),
    notes: [...wrong.map(noteOf), ...foreign].slice(0, NOTES_MAX),
    isShort: foreign.length === 0 && wrong.every(({ facts, found }) => found < facts.acknowledged),
  };
}

function noteOf({ facts: { name, acknowledged }, compared, matched, found }: Verdict): string {
  const missing = Math.max(compared - matched, acknowledged - found);
  const surplus = found - acknowledged + missing;
  const part = compared < acknowledged ? `; compared one by one: ${compared}` : '';
  return `channel "${name}": ${acknowledged} points were acknowledged, the service gives ${found} back; missing there: ${missing}, surplus: ${surplus}${part}`;
}
