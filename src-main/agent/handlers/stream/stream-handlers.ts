// What a person asks of single streams.
import type { Snapshot } from '../../../contract/snapshot.ts';
import type { Handlers, Value } from '../../../contract/table.ts';
import { makeReceipt } from '../../../delivery/receipt/receipt.ts';
import { AgentError } from '../../../model/agent-error.ts';
import type { StreamTally } from '../../../model/queue.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import { sendAgain, sendAsNew } from '../../pipeline/resend.ts';

/** The calls for streams. `running` throws while nothing runs; `snapshot` tells the newest picture. */
export function streamHandlers(running: () => Pipeline, snapshot: () => Snapshot): Handlers['stream'] {
  return {
    list: async ({ before, limit }) =>
      (await running().store.listStreams(before ?? Number.MAX_SAFE_INTEGER, limit)).map(rowOf),
    receipt: async ({ streamId }) => {
      const facts = (await running().store.streamFacts(streamId)) ?? noStream(streamId);
      return makeReceipt(facts, snapshot().atMs, snapshot().version);
    },
    refused: async ({ streamId }) => running().store.refusedChunks(streamId),
    refusedRows: ({ streamId, chunkId }) => refusedRows(running(), streamId, chunkId),
    sendAgain: async (which) => sendAgain(which, running().resendParts),
    sendAsNew: async (which) => sendAsNew(which, running().resendParts),
  };
}

/** The points of a chunk by its channel and its time; a stored point bears no mark of its chunk. */
async function refusedRows(
  { store }: Pipeline,
  streamId: number,
  chunkId: number,
): Promise<Value<'stream', 'refusedRows'>> {
  const [stream] = await store.listStreams(streamId + 1, 1);
  const part = (await store.refusedChunks(streamId)).find(({ id }) => id === chunkId);
  if (stream?.id !== streamId || !part) return noStream(streamId);
  const { timesMs, values } = await store.readPoints(stream.sourceId, part.channel, part.firstMs, part.lastMs);
  if (timesMs.length !== part.rows) return null;
  return Array.from(timesMs, (timeMs, at) => ({ timeMs, value: values[at] as number }));
}

function rowOf(tally: StreamTally): Value<'stream', 'list'>[number] {
  const { id, sourceId, name, dataId, channels, pointsStored, pointsAcknowledged, pointsRefused, pointsResent } = tally;
  const state = tally.isDelivered ? 'delivered' : tally.isClosed ? 'closed' : 'open';
  const points = { pointsStored, pointsAcknowledged, pointsRefused, pointsResent };
  return { id, sourceId, name, dataId, state, channels, ...points, lastStoredMs: tally.lastStoredMs };
}

function noStream(streamId: number): never {
  throw new AgentError({
    code: 'stream.unknown',
    message: `There is no stream ${streamId} in this queue, or this chunk of it was settled meanwhile.`,
    hint: 'Look at the list of streams again.',
  });
}
