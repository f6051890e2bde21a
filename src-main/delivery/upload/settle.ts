// Compares a stream of this queue with its entry at the service: at each start, after an answer that was lost, and where a
// count does not agree. Points at the service that it has not acknowledged are compared with the waiting chunks: a chunk that
// is there is acknowledged, never sent. Points that are left over did not come from this queue as it is now: the queue is an
// older copy, or a request arrived twice.
//
// A read may lag behind a write: one that shows fewer points than were acknowledged is void, or not yet what the service said
// it took; "not there" and "more is there" need two equal reads a second apart. Where a chunk that is sent again replaces the
// first, one read is enough for "not there". Bounds: VOID_READS_MAX reads that are void (60, so about a minute); one chunk in
// memory beside the series.
import { AgentError } from '../../model/agent-error.ts';
import { formatCounted } from '../../model/format.ts';
import type { SealedChunk } from '../../model/queue.ts';
import type { UploadClock, UploadQueue, UploadService } from './ports.ts';
import { type BackRead, readBack } from './read-series.ts';

/** Time between two reads, milliseconds. */
const READ_AGAIN_MS = 1000;
/** The service rounds stamps: so far inside a window a chunk's must lie, milliseconds. */
const EDGE_MS = 2;
/** So many reads must show too few points before the service counts as having lost them. */
const VOID_READS_MAX = 60;

export interface SettleOptions {
  readonly queue: UploadQueue;
  readonly service: Pick<UploadService, 'readTimeSeries'>;
  readonly clock: UploadClock;
  /** A chunk that is sent again replaces the first. */
  readonly isReplacing: boolean;
  /** Chunks that the service said it took: a read that does not show them yet is void. */
  readonly taken: readonly number[];
}

/**
 * `settled`: the chunks that still wait are not there. `more`: the service holds points that are neither acknowledged nor wait
 * here, and nothing was changed. `less`: it lost points that it had acknowledged, as `error` says; those that are kept here
 * wait again.
 */
export type Settled = { readonly kind: 'settled' } | { readonly kind: 'more' | 'less'; readonly error: AgentError };

/** A waiting chunk of which channels are there; all of them, or some. */
interface Found {
  readonly chunkId: number;
  readonly channelIds: readonly number[];
  readonly isWhole: boolean;
}

/** What a read shows. */
interface Look {
  readonly found: readonly Found[];
  /** A channel of which so many points are there that nothing explains; negative: so many are missing. Null: none. */
  readonly odd: { readonly name: string; readonly points: number } | null;
}

/**
 * Find out which waiting chunks of a stream the service has, and acknowledge those. Takes the stream's id and its entry on the
 * service. No request of the stream may be under way.
 *
 * @returns how both stand to each other then.
 * @throws the ServiceError of a read that failed, those of the store.
 */
export async function settleWaiting(
  streamId: number,
  dataId: string,
  { queue, service, clock, isReplacing, taken }: SettleOptions,
  signal: AbortSignal,
): Promise<Settled> {
  let isWhole = false;
  let seen: string | null = null;
  for (let voidReads = 0; ; ) {
    const read = await readBack(streamId, dataId, { queue, service }, signal, isWhole);
    const first = await queue.nextChunk(streamId);
    const isOutside = read.fromMs !== null && first !== null && !isInside(first, read.fromMs);
    const look = isOutside ? null : await lookAt(streamId, read, queue);
    if (signal.aborted) return { kind: 'settled' };
    if (look === null) {
      isWhole = true;
      continue;
    }
    const { found, odd } = look;
    const isThere = (id: number) => found.some(({ chunkId, isWhole }) => isWhole && chunkId === id);
    const isLate = (odd !== null && odd.points < 0) || !taken.every(isThere);
    if (isLate && voidReads < VOID_READS_MAX - 1) voidReads += 1;
    else {
      if (isLate) {
        // The service may have taken as many points as it lost, so the points themselves are compared.
        const { series } = await readBack(streamId, dataId, { queue, service }, signal, true);
        const lost = await takeLostBack(streamId, series, queue);
        if (lost.again + lost.gone > 0) return { kind: 'less', error: holdsLess(lost) };
      }
      const picture = JSON.stringify([first?.id, look]);
      if (seen === picture || (odd === null && (first === null || isThere(first.id) || isReplacing))) {
        if (odd) return { kind: 'more', error: holdsMore(odd) };
        await acknowledge(found, { queue, clock, isReplacing });
        return { kind: 'settled' };
      }
      seen = picture;
    }
    await clock.sleep(READ_AGAIN_MS, signal);
  }
}

/** What a read shows; null: it is of a window in which not all lies that it would have to be compared with. */
async function lookAt(streamId: number, { series, fromMs }: BackRead, queue: UploadQueue): Promise<Look | null> {
  const known =
    fromMs === null ? await queue.acknowledgedPoints(streamId) : await queue.countAcknowledgedAfter(streamId, fromMs);
  if (known === null) return null;
  const left = new Map<string, number>();
  for (const name of new Set([...known.keys(), ...series.keys()])) {
    left.set(name, (series.get(name)?.points ?? 0) - (known.get(name) ?? 0));
  }
  const odd = (is: (points: number) => boolean) => {
    const one = [...left].find(([, points]) => is(points));
    return one ? { name: one[0], points: one[1] } : null;
  };
  const short = odd((points) => points < 0);
  if (short) return { found: [], odd: short };
  const found: Found[] = [];
  let after = 0;
  while ([...left.values()].some((points) => points > 0)) {
    const chunk = await queue.chunkAfter(streamId, after);
    if (chunk === null) break;
    after = chunk.id;
    if (fromMs !== null && !isInside(chunk, fromMs)) return null;
    const there = chunk.channels.filter(({ name, values }) => {
      const points = left.get(name) ?? 0;
      if (chunk.rows > points || !series.get(name)?.takeAll(chunk.timesMs, values)) return false;
      left.set(name, points - chunk.rows);
      return true;
    });
    if (there.length === 0) continue;
    const channelIds = there.map(({ id }) => id);
    found.push({ chunkId: chunk.id, channelIds, isWhole: there.length === chunk.channels.length });
  }
  return { found, odd: odd((points) => points > 0) };
}

function isInside({ timesMs }: SealedChunk, fromMs: number): boolean {
  return timesMs.every((timeMs) => timeMs > fromMs + EDGE_MS);
}

async function acknowledge(
  found: readonly Found[],
  { queue, clock, isReplacing }: Pick<SettleOptions, 'queue' | 'clock' | 'isReplacing'>,
): Promise<void> {
  const whole = found.filter(({ isWhole }) => isWhole).map(({ chunkId }) => chunkId);
  if (whole.length > 0) await queue.acknowledge(whole, clock.nowMs());
  // Sent again whole it replaces what is there of it.
  if (isReplacing) return;
  for (const { chunkId, channelIds, isWhole } of found) {
    if (!isWhole) await queue.acknowledgePart(chunkId, channelIds, clock.nowMs());
  }
}

/**
 * Let each acknowledged chunk that the service has lost wait again. Points that are not kept here any more are lost.
 *
 * @returns how many points wait again, and how many are lost there.
 */
async function takeLostBack(
  streamId: number,
  series: BackRead['series'],
  queue: UploadQueue,
): Promise<{ again: number; gone: number }> {
  let [again, gone] = [0, 0];
  const lost: number[] = [];
  for (let chunk = await queue.acknowledgedAfter(streamId, 0); chunk; ) {
    const { id, timesMs, channels, rows } = chunk;
    const isThere = ({ name, values }: (typeof channels)[number]) =>
      series.get(name)?.takeAll(timesMs, values) ?? false;
    // Each of its channels is looked for, so that what is there of it answers for no other chunk.
    if (channels.filter(isThere).length < channels.length) {
      lost.push(id);
      again += rows * channels.length;
    }
    chunk = await queue.acknowledgedAfter(streamId, id);
  }
  for (const id of lost) await queue.takeBack(id);
  for (const [name, acknowledged] of await queue.acknowledgedPoints(streamId)) {
    const held = series.get(name)?.points ?? 0;
    if (held >= acknowledged) continue;
    gone += acknowledged - held;
    await queue.setAcknowledged(streamId, name, held);
  }
  return { again, gone };
}

function holdsLess({ again, gone }: { readonly again: number; readonly gone: number }): AgentError {
  const rest = gone > 0 ? ` ${formatCounted(gone, 'point')} are not kept here any more.` : '';
  return new AgentError({
    code: 'upload.service-lost',
    message: `The service lacks points of this stream that it had acknowledged. ${formatCounted(again, 'point')} in the chunks that it lost are sent again.${rest}`,
    hint: 'It may have been restored from a backup. Ask its administrator, and compare streams that were delivered before: epistream receipt.',
    retry: 'later',
  });
}

function holdsMore({ name, points }: NonNullable<Look['odd']>): AgentError {
  return new AgentError({
    code: 'upload.holds-more',
    message: `The service holds ${points} points of channel "${name}" that this queue does not know to have sent.`,
    hint: 'This queue may be an older copy, or a request arrived twice. What waits is compared with it point by point, and what is not there goes into a new stream.',
    retry: 'later',
  });
}
