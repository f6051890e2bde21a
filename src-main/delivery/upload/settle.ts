// Settles chunks whose outcome is not known, by asking the service what it holds. A read may lag behind a write: one that
// shows fewer points than were confirmed is void, and "not there" needs two equal reads a second apart. Of a stream whose chunks
// went out side by side, those behind the first may be there although the first is not.
//
// Bounds: VOID_READS_MAX reads that are void (60, so about a minute), then the stream is held. Chunks are acknowledged in
// their order, each only when all of it is there; nothing is sent from here.
import { AgentError } from '../../model/agent-error.ts';
import type { SealedChunk } from '../../model/queue.ts';
import type { UploadClock, UploadQueue, UploadService } from './ports.ts';
import { type ChannelVerdict, judge } from './read-back.ts';
import { readBack } from './read-series.ts';

/** Time between two reads, milliseconds. */
const READ_AGAIN_MS = 1000;
/** The service rounds stamps: so far inside a window a chunk's must lie, milliseconds. */
const EDGE_MS = 2;
/** Reads that show fewer points than were confirmed before this is told as a loss of the service. */
const VOID_READS_MAX = 60;

export interface SettleOptions {
  readonly queue: UploadQueue;
  readonly service: UploadService;
  readonly clock: UploadClock;
}

/** What a look at what the service holds has found. */
export interface Settled {
  /** Null: the first chunk that still waits is certain not to be there; else nothing of the stream may be sent. */
  readonly difference: AgentError | null;
  /** More is there than one request can have brought: this queue is older than what was sent from it. */
  readonly holdsMore: boolean;
}

/**
 * Find out which of the stream's first waiting chunks the service has, and acknowledge those. Takes the stream's id, its
 * entry on the service. No request of the stream may be under way.
 *
 * @returns what differs, with both numbers, and whether the service holds more than this queue can know.
 * @throws the ServiceError of a read that failed; what was acknowledged until then stays so.
 */
export async function settleFirstChunks(
  streamId: number,
  dataId: string,
  { queue, service, clock }: SettleOptions,
  signal: AbortSignal,
): Promise<Settled> {
  let isWhole = false;
  const read = () => readBack(streamId, dataId, { queue, service }, signal, isWhole);
  let { series, fromMs } = await read();
  let seenAbsent: string | null = null;
  let hasFound = false;
  for (let voidReads = 0; ; ) {
    const chunk = await queue.nextChunk(streamId);
    const others = (await queue.burstChunks(streamId)).filter(({ id }) => id !== chunk?.id);
    const known =
      fromMs === null ? await queue.acknowledgedPoints(streamId) : await queue.countAcknowledgedAfter(streamId, fromMs);
    if (known === null || (chunk && fromMs !== null && !areInside([chunk, ...others], fromMs))) {
      // It was refused once and is sent again, its stamps went back, or more was found than a window is counted for: a
      // window near the end says nothing of it.
      isWhole = true;
      ({ series, fromMs } = await read());
      continue;
    }
    const most = (name: string) => (known.get(name) ?? 0) + pointsOf(others, name);
    const holdsMore = [...(series ?? [])].some(([name, { values }]) => values.length > most(name));
    if (!chunk || signal.aborted) return { difference: null, holdsMore };
    const verdicts = judge(withKnown(chunk, known), series, others);
    const different = verdicts.find(({ verdict }) => verdict === 'differs');
    const short = verdicts.find(({ verdict }) => verdict === 'short');
    if (short) {
      voidReads += 1;
      if (voidReads >= VOID_READS_MAX) return { difference: lost(short), holdsMore: false };
    } else if (different) {
      return { difference: differs(chunk, different, pointsOf(others, different.name)), holdsMore: hasFound };
    } else {
      const there = verdicts.filter(({ verdict }) => verdict === 'there');
      if (there.length === verdicts.length) {
        await queue.acknowledge(chunk.id, clock.nowMs());
        hasFound = true;
        continue;
      }
      const picture = JSON.stringify([chunk.id, verdicts]);
      if (seenAbsent === picture) {
        const ids = there.map(({ channelId }) => channelId);
        if (ids.length > 0) await queue.acknowledgePart(chunk.id, ids, clock.nowMs());
        return { difference: null, holdsMore };
      }
      seenAbsent = picture;
    }
    await clock.sleep(READ_AGAIN_MS, signal);
    ({ series, fromMs } = await read());
  }
}

function areInside(chunks: readonly SealedChunk[], fromMs: number): boolean {
  return chunks.every(({ timesMs }) => timesMs.every((timeMs) => timeMs > fromMs + EDGE_MS));
}

/** Points that some chunks have of a channel. */
function pointsOf(chunks: readonly SealedChunk[], name: string): number {
  const own = chunks.filter(({ channels }) => channels.some((channel) => channel.name === name));
  return own.reduce((sum, { rows }) => sum + rows, 0);
}

/** The chunk with the points that are known to be among those read: within a window only what was acknowledged inside it. */
function withKnown(chunk: SealedChunk, known: ReadonlyMap<string, number>): SealedChunk {
  return { ...chunk, channels: chunk.channels.map((one) => ({ ...one, acknowledged: known.get(one.name) ?? 0 })) };
}

function lost({ name, found, acknowledged }: ChannelVerdict): AgentError {
  return new AgentError({
    code: 'upload.service-lost',
    message: `The service holds ${found} points of channel "${name}" and had confirmed ${acknowledged}.`,
    hint: 'It may have been restored from a backup. The stream is held; acknowledged data is still kept here for days.',
    retry: 'after-human',
  });
}

function differs(chunk: SealedChunk, { name, found, acknowledged }: ChannelVerdict, others: number): AgentError {
  return new AgentError({
    code: 'upload.count-differs',
    message:
      `Count differs for channel "${name}", chunk ${chunk.index}: ${acknowledged} points were confirmed, ` +
      `${chunk.rows + others} may have arrived, the service holds ${found}.`,
    hint: 'This stream is held and nothing of it is sent until someone has looked. Its data is safe here.',
    retry: 'after-human',
  });
}
