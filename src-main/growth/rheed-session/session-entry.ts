// A session's entry on the service: made once, found again when it is not known whether it was made; and its sample, made
// once. The start has no idempotency key, so the name carries a nonce, the intent is on disk before anything goes out, and
// after a lost answer or a crash the catalogue is searched for the nonce, twice, because a search may lag.
import { isNotTaken, refuse } from '../../model/agent-error.ts';
import type { RheedSession } from '../../model/rheed-session.ts';
import type { SessionClock, SessionService } from './ports.ts';
import { startBody } from './start-body.ts';

/** Time between two searches, milliseconds. */
const SEARCH_AGAIN_MS = 1000;
/** Time between two looks at a session that is being changed, milliseconds. */
const HELD_MS = 100;

export interface EntryParts {
  readonly service: SessionService;
  readonly clock: SessionClock;
  /** Keep the session as it is now; fulfilled when it is on disk. */
  readonly keep: (change: Partial<RheedSession>) => Promise<RheedSession>;
  /** The session as it stands now: until the start is marked as sent, its sample may be changed. */
  readonly current: () => RheedSession;
  /** The sample of that name which a session of this agent created; null: none did. */
  readonly ownSample: (name: string) => string | null;
  /** What it carries is being changed: nothing may go out before that is on disk. */
  readonly isHeld: () => boolean;
  /** Path template that ends a session; null: none. */
  readonly finalizePath: string | null;
}

/**
 * Make sure that the session has exactly one entry that it knows, and one sample at most. Takes the session as it stands on
 * disk, without `dataId`, its rate known.
 *
 * @returns the session with its entry, on disk.
 * @throws the ServiceError of the call that failed; the intent stays on disk, so calling again is always right.
 *   `rheed.two-entries` and `rheed.two-samples` when a person must choose.
 */
export async function ensureSessionEntry(
  session: RheedSession & { readonly fps: number },
  serviceAddress: string,
  parts: EntryParts,
  signal: AbortSignal,
): Promise<RheedSession> {
  const { service, clock, keep } = parts;
  // One note: an agent that dies after it knows the entry, and that it is to be ended.
  const finalize = parts.finalizePath === null ? 'none' : 'due';
  const adopt = (dataId: string) => keep({ dataId, service: serviceAddress, finalize, problem: '', hint: '' });
  if (session.isStartSent) {
    for (let search = 0; search < 2; search++) {
      if (search > 0) await clock.sleep(SEARCH_AGAIN_MS, signal);
      const dataId = await findEntry(session, service, signal);
      if (dataId !== null) return adopt(dataId);
    }
  }
  const isStill = ({ sampleId, newSampleName }: RheedSession) =>
    parts.current().sampleId === sampleId && parts.current().newSampleName === newSampleName;
  let chosen = parts.current();
  let known = await settleSample(chosen, parts, signal);
  while (!isStill(chosen) || parts.isHeld()) {
    if (parts.isHeld()) await clock.sleep(HELD_MS, signal);
    signal.throwIfAborted();
    chosen = parts.current();
    known = await settleSample(chosen, parts, signal);
  }
  // No other turn comes between the look at the sample and this mark.
  const before = await keep({ ...known, isStartSent: true });
  const wasSent = session.isStartSent;
  try {
    const dataId = await service.startRheedStream(startBody({ ...before, fps: session.fps }), { signal });
    return await adopt(dataId);
  } catch (thrown) {
    const { failure } = thrown as { failure?: { kind: string } };
    // It is certain that nothing was made: it may be changed again.
    if (failure && isNotTaken(failure) && !wasSent) await keep({ isStartSent: false });
    throw thrown;
  }
}

async function findEntry(
  { nonce, name }: RheedSession,
  service: SessionService,
  signal: AbortSignal,
): Promise<string | null> {
  const entries = await service.listDataEntries({ keywords: [nonce] }, { signal });
  const found: string[] = [];
  for (const { data_id, raw_name } of entries) {
    if (!raw_name?.includes(nonce)) continue;
    const settings = await service.readRheedSettings({ data_id }, { signal });
    if (settings.data_item_name === name) found.push(data_id);
  }
  if (found.length > 1) {
    throw refuse(
      'rheed.two-entries',
      `The service has ${found.length} RHEED entries named "${name}": ${found.join(', ')}.`,
      'Two agents may be working on copies of the same queue. Delete all but one of them there, then try again.',
    );
  }
  return found[0] ?? null;
}

/** A sample that is there already is linked and not made a second time. */
async function settleSample(
  { sampleId, newSampleName }: RheedSession,
  { service, ownSample }: EntryParts,
  signal: AbortSignal,
): Promise<Partial<RheedSession>> {
  if (sampleId !== null || newSampleName === null) return {};
  const own = ownSample(newSampleName);
  if (own !== null) return { sampleId: own };
  const entries = await service.listDataEntries({ keywords: [newSampleName] }, { signal });
  const ids = new Set<string>();
  for (const { physical_sample_id: id, physical_sample_name: name } of entries)
    if (id && name === newSampleName) ids.add(id);
  if (ids.size > 1) {
    throw refuse(
      'rheed.two-samples',
      `The service has ${ids.size} samples named "${newSampleName}": ${[...ids].join(', ')}.`,
      'Choose one of them by its id; none was created.',
    );
  }
  const [known] = ids;
  return known === undefined ? {} : { sampleId: known };
}
