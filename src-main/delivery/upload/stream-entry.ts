// A stream's entry on the service: made once, found again when it is not known whether it was made. The service's
// initialize has no idempotency key, so the stream's name carries a nonce, the intent is on disk before anything goes
// out, and after a lost answer or a crash the catalogue is searched for the nonce: twice, because a search may lag.
//
// Invariant: at most one entry a stream is made as long as the service shows an entry within SEARCH_AGAIN_MS (1 s) of its
// making. One that is found may hold data, sent by a later state of this queue: it is compared before anything is sent. What
// a try that may have arrived carried never changes.
import { AgentError, isNotTaken } from '../../model/agent-error.ts';
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
  look: ({ name, sampleId, projectId }) => ({ kind: 'ready', content: { name, sampleId, projectId } }),
  take: (stream) => PLAIN_ENTRIES.look(stream),
  giveBack: () => {},
};

/** Code of the reason for which a stream waits that cannot have its entry yet. */
export const ENTRY_WAITS = 'upload.entry-waits';

/** Why a stream is not sent: it was begun at another service than this one. Null: it was not. */
export function elsewhereReason({ service }: UploadStream, serviceAddress: string) {
  if (service === null || service === serviceAddress) return null;
  return {
    code: 'upload.other-service',
    message: `This stream belongs to ${service}, and the settings now name ${serviceAddress}.`,
    hint: 'Set the address back to deliver it there. It stays here until then.',
  };
}

/** Why the entry of a stream cannot be made yet, and whether a person must act. Null: it can, or was made. */
export function entryWaits(stream: UploadStream, entries: EntryDesk) {
  if (stream.dataId !== null || stream.isInitializeSent) return null;
  const answer = entries.look(stream);
  if (answer.kind === 'ready') return null;
  const { message, hint, isForPerson } = answer;
  return { reason: { code: ENTRY_WAITS, message, hint }, isForPerson };
}

/**
 * Look for the entry of a stream whose initialize may have reached the service: twice, because a search may lag. Takes the
 * stream as it stands on disk.
 *
 * @returns its id, of an empty one if there is one; null: there is none.
 * @throws the ServiceError of the call that failed.
 */
export async function findEntry(
  stream: UploadStream,
  { service, clock }: Pick<EntryOptions, 'service' | 'clock'>,
  signal: AbortSignal,
): Promise<string | null> {
  for (let search = 0; search < 2; search++) {
    if (search > 0) await clock.sleep(SEARCH_AGAIN_MS, signal);
    const { all, empty } = await matchingEntries(stream, service, signal);
    const found = empty[0] ?? all[0];
    if (found) return found;
  }
  return null;
}

/**
 * Make the entry of a stream. Takes the stream as it stands on disk, without `dataId`; one whose initialize may have arrived
 * is looked for first.
 *
 * @returns fulfilled when the entry's id is on disk.
 * @throws the ServiceError of the call that failed; the intent stays on disk, so calling again is always right.
 *   `upload.entry-waits` when what the entry is to carry is not known yet.
 */
export async function makeEntry(stream: UploadStream, options: EntryOptions, signal: AbortSignal): Promise<void> {
  const { queue, service, serviceAddress, entries } = options;
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
    await keepEntry(stream, { dataId, processedDataId: processedDataId ?? '' }, options);
  } catch (thrown) {
    const { failure } = thrown as { failure?: { kind: string } };
    if (failure && isNotTaken(failure) && !stream.isInitializeSent) {
      await queue.unmarkInitializeSent(stream.id, stream.name);
      entries.giveBack(stream.id);
    }
    throw thrown;
  }
}

/**
 * Look for a stream's entry again, by the stream's name, after the service did not know the id that it gave itself. Takes
 * the stream, of which nothing was acknowledged yet, and that id.
 *
 * @returns fulfilled when another entry of that name is on disk, where the service shows an empty one; else nothing changed.
 * @throws the ServiceError of the call that failed.
 */
export async function findEntryAgain(
  stream: UploadStream,
  dataId: string,
  options: EntryOptions,
  signal: AbortSignal,
): Promise<void> {
  const { empty, all } = await matchingEntries(stream, options.service, signal);
  const [found] = empty;
  if (found && !all.includes(dataId)) await keepEntry(stream, { dataId: found, processedDataId: '' }, options);
}

/** Note on disk which entry a stream has. */
export function keepEntry(
  { id }: UploadStream,
  given: { dataId: string; processedDataId: string },
  { queue, serviceAddress, finalizePath }: EntryOptions,
): Promise<void> {
  return queue.setInitialized(id, { ...given, service: serviceAddress, isToFinalize: finalizePath !== null });
}

/** What goes out; after a try that may have arrived the very same. */
function contentOf(stream: UploadStream, entries: EntryDesk): EntryContent {
  const { name, sampleId, projectId } = stream;
  if (stream.isInitializeSent) return { name, sampleId, projectId };
  const answer = entries.take(stream);
  if (answer.kind === 'ready') return answer.content;
  throw new AgentError({ code: ENTRY_WAITS, message: answer.message, hint: answer.hint, retry: 'later' });
}

/** Entries of the stream's nonce, and those of them that hold nothing yet. */
async function matchingEntries(
  { nonce }: UploadStream,
  service: UploadService,
  signal: AbortSignal,
): Promise<{ all: string[]; empty: string[] }> {
  const entries = await service.listDataEntries({ keywords: [nonce] }, { signal });
  const all = entries.filter(({ raw_name }) => raw_name?.includes(nonce)).map(({ data_id }) => data_id);
  const empty: string[] = [];
  for (const data_id of all) {
    const series = await service.readTimeSeries({ data_id, return_null_if_missing: true }, { signal });
    if (series === null || Object.keys(series.properties ?? {}).length === 0) empty.push(data_id);
  }
  return { all, empty };
}
