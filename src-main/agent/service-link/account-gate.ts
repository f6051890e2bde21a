// A queue belongs to one account of one service: a key of another organization must not carry this organization's data
// there. No call of the interface tells whose a key is; what tells is whether the entries that were begun for this queue
// can be seen with it. That is asked once for each key; a mark of the key (a salted hash) is kept with the queue.
import { createHash, randomBytes } from 'node:crypto';
import { ServiceError } from '../../delivery/client/service-error.ts';
import { isLookUpRefused } from '../../delivery/upload/look-up.ts';
import type { UploadService } from '../../delivery/upload/ports.ts';
import { gateService } from './gate.ts';

/** What the gate needs of the store. */
export interface AccountStore {
  /** The mark kept for a service (null: none yet), and the newest entries that were begun there. */
  account(service: string): Promise<{ mark: string | null; dataIds: readonly string[] }>;
  setAccountMark(service: string, mark: string): Promise<void>;
}

export interface AccountGateOptions {
  readonly store: AccountStore;
  /** What streams are bound to: the base address. */
  readonly serviceAddress: string;
  readonly apiKey: () => string | null;
}

/**
 * Keep everything back from the service while the key belongs to another account than the queue. Takes the service, the
 * queue's store, and where the key is asked for.
 *
 * @returns the same calls; each rejects with `upload.other-account` (held, like a refused key) while none of the entries begun
 *   for this queue can be seen. A queue for which nothing was begun yet takes whatever key comes.
 */
export function gateByAccount<S extends UploadService>(
  service: S,
  { store, serviceAddress, apiKey }: AccountGateOptions,
): S {
  let accepted: string | null = null;
  return gateService(service, async (signal) => {
    const key = apiKey();
    // Without a key nothing goes out; the client says so.
    if (key === null || key === accepted) return;
    const { mark, dataIds } = await store.account(serviceAddress);
    if (mark === null || !isMarkOf(mark, key)) {
      const isKnown = dataIds.length === 0 || (await areVisible(service, dataIds, signal));
      if (isKnown) await store.setAccountMark(serviceAddress, markOf(key, randomBytes(8).toString('hex')));
    }
    accepted = key;
  });
}

/** Whether entries can be seen; false: this key may see none, which says nothing of whose it is. */
async function areVisible(service: UploadService, dataIds: readonly string[], signal: AbortSignal): Promise<boolean> {
  try {
    const seen = await service.listDataEntries({ data_ids: [...dataIds] }, { signal });
    if (seen.some(({ data_id }) => dataIds.includes(data_id))) return true;
  } catch (thrown) {
    if (isLookUpRefused(thrown)) return false;
    throw thrown;
  }
  throw new ServiceError({
    code: 'upload.other-account',
    message: `The queued data belongs to another account: this key cannot see the last ${dataIds.length} streams of this PC.`,
    hint: 'Enter the key of the former account. To record for another one, start Epistream with another --data folder; what waits here stays.',
    failure: { kind: 'held', reason: 'key' },
  });
}

const hashOf = (key: string, salt: string) => createHash('sha256').update(`${salt}\n${key}`).digest('hex');
const markOf = (key: string, salt: string) => `${salt}:${hashOf(key, salt)}`;

function isMarkOf(mark: string, key: string): boolean {
  const [salt = ''] = mark.split(':');
  return markOf(key, salt) === mark;
}
