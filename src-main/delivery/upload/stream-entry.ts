// A stream's entry on the service: made once, found again when it is not known whether it was made. The service's
// initialize has no idempotency key, so the stream's name carries a nonce, the intent is on disk before anything goes
// out, and after a lost answer or a crash the catalogue is searched for the nonce: twice, because a search may lag.
//
// Invariant: at most one entry a stream is made as long as the service shows an entry within SEARCH_AGAIN_MS (1 s) of its
// making; one that already holds data is never taken. What a try that may have arrived carried never changes.
import { AgentError } from '../../model/agent-error.ts';
import type { EntryContent, UploadStream } from '../../model/queue.ts';
import type { EntryDesk, UploadClock, UploadQueue, UploadService } from './ports.ts';

/** Time between two searches; an entry counts as missing only when both miss it, milliseconds. */
const SEARCH_AGAIN_MS = 1000;

export interface EntryOptions {
  readonly queue: UploadQueue;
  readonly service: UploadService;
  readonly serviceAddress: string;
  /** Path template that ends a stream on the service; null: none. */
  readonly finalizePath: string | null;
  readonly clock: UploadClock;
  readonly entries: EntryDesk;
}

/** For streams that carry nothing but their name. */
export const PLAIN_ENTRIES: EntryDesk = {
  look: ({ name, sampleId, projectId }) => ({ is: 'ready', content: { name, sampleId, projectId } }),
  take: (stream) => PLAIN_ENTRIES.look(stream),
  giveBack: () => {},
};

/**
 * Make sure that the stream has exactly one entry that it knows. Takes the stream as it stands on disk, without `dataId`.
 *
 * @returns fulfilled when the entry's id is on disk.
 * @throws the ServiceError of the call that failed; the intent stays on disk, so calling again is always right.
 *   `upload.entry-waits` when what the entry is to carry is not known yet.
 */
export async function ensureEntry(
  stream: UploadStream,
  { queue, service, serviceAddress, finalizePath, clock, entries }: EntryOptions,
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
  const content = contentOf(stream, entries);
  try {
    await queue.markInitializeSent(stream.id, serviceAddress, content);
  } catch (thrown) {
    if (!stream.isInitializeSent) entries.giveBack(stream.id);
    throw thrown;
  }
  const { sampleId, projectId } = content;
  try {
    const { data_id: dataId, processed_data_id: processedDataId } = await service.initializeStream(
      {
        points_per_chunk: stream.pointsPerChunk,
        stream_name: content.name,
        ...(stream.synthSourceId === null ? {} : { synth_source_id: stream.synthSourceId }),
        ...(sampleId === null ? {} : { physical_sample_id: sampleId }),
        ...(projectId === null ? {} : { project_id: projectId }),
      },
      { signal },
    );
    await keep(dataId, processedDataId ?? '');
  } catch (thrown) {
    const failure = (thrown as { failure?: { kind: string } }).failure;
    if (failure && failure.kind !== 'ambiguous' && !stream.isInitializeSent) {
      await queue.unmarkInitializeSent(stream.id, stream.name);
      entries.giveBack(stream.id);
    }
    throw thrown;
  }
}

/** What goes out; after a try that may have arrived the very same. */
function contentOf(stream: UploadStream, entries: EntryDesk): EntryContent {
  const { name, sampleId, projectId } = stream;
  if (stream.isInitializeSent) return { name, sampleId, projectId };
  const answer = entries.take(stream);
  if (answer.is === 'ready') return answer.content;
  throw new AgentError({ code: 'upload.entry-waits', message: answer.message, hint: answer.hint, retry: 'later' });
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
