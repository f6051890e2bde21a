// A stream's entry on the service: made once, found again when it is not known whether it was made. The service's
// initialize has no idempotency key, so the stream's name carries a nonce, the intent is on disk before anything goes
// out, and after a lost answer or a crash the catalogue is searched for the nonce: twice, because a search may lag.
import { AgentError } from '../model/agent-error.ts';
import type { UploadStream } from '../model/queue.ts';
import type { UploadClock, UploadQueue, UploadService } from './ports.ts';

/** Time between two searches; an entry counts as missing only when both miss it, milliseconds. */
const SEARCH_AGAIN_MS = 1000;

export interface EntryOptions {
  readonly queue: UploadQueue;
  readonly service: UploadService;
  readonly serviceAddress: string;
  /** Path template that ends a stream on the service; null: none. */
  readonly finalizePath: string | null;
  readonly clock: UploadClock;
}

/**
 * Make sure that the stream has exactly one entry that it knows.
 *
 * **Takes**: the stream as it stands on disk, without `dataId`.
 * **Gives**: fulfilled when the entry's id is on disk.
 * **Errors**: the ServiceError of the call that failed; the intent stays on disk, so calling again is always right.
 */
export async function ensureEntry(
  stream: UploadStream,
  { queue, service, serviceAddress, finalizePath, clock }: EntryOptions,
  signal: AbortSignal,
): Promise<void> {
  const keep = (dataId: string, processedDataId: string) =>
    queue.setInitialized(stream.id, {
      dataId,
      processedDataId,
      service: serviceAddress,
      isToFinalize: finalizePath !== null,
    });
  if (stream.isInitializeSent) {
    for (let search = 0; search < 2; search++) {
      if (search > 0) await clock.sleep(SEARCH_AGAIN_MS, signal);
      const found = await findEntry(stream, service, signal);
      if (found) return keep(found, '');
    }
  }
  await queue.markInitializeSent(stream.id, serviceAddress);
  try {
    const { data_id: dataId, processed_data_id: processedDataId } = await service.initializeStream(
      {
        points_per_chunk: stream.pointsPerChunk,
        stream_name: stream.name,
        ...(stream.synthSourceId === null ? {} : { synth_source_id: stream.synthSourceId }),
      },
      { signal },
    );
    await keep(dataId, processedDataId ?? '');
  } catch (thrown) {
    const failure = (thrown as { failure?: { kind: string } }).failure;
    if (failure && failure.kind !== 'ambiguous' && !stream.isInitializeSent)
      await queue.unmarkInitializeSent(stream.id);
    throw thrown;
  }
}

async function findEntry(stream: UploadStream, service: UploadService, signal: AbortSignal): Promise<string | null> {
  const entries = await service.listDataEntries({ keywords: [stream.nonce] }, { signal });
  const matching = entries.filter(({ raw_name }) => raw_name?.includes(stream.nonce));
  const empty: string[] = [];
  for (const { data_id } of matching) {
    const series = await service.readTimeSeries({ data_id, return_null_if_missing: true }, { signal });
    if (series === null || Object.keys(series.properties ?? {}).length === 0) empty.push(data_id);
  }
  if (matching.length > 0 && empty.length === 0) {
    throw new AgentError({
      code: 'upload.entry-taken',
      message: `The service has an entry named "${stream.name}" that already holds data.`,
      hint: 'Two agents may be working on copies of the same queue. Stop one of them.',
      retry: 'after-human',
    });
  }
  return empty[0] ?? null;
}
