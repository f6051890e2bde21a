// Taking tags off many entries (4.17). One request does it for all; where the service refuses it, it is asked for each
// entry by itself, so that one that is gone does not keep the tags on the others.
import type { ServiceClient } from '../../../delivery/client/client.ts';
import { ServiceError } from '../../../delivery/client/service-error.ts';
import { retell } from '../retell.ts';

export interface Untagging {
  readonly dataIds: readonly string[];
  readonly tagIds: readonly string[];
}

export interface NotUntagged {
  readonly dataId: string;
  readonly message: string;
  readonly hint: string;
}

/**
 * Take every one of these tags off every one of these entries.
 *
 * @returns the entries that the service refused, with its words; empty when all are done.
 * @throws AgentError where nothing was decided on (no network, key, lost answer); taking a tag off twice does no harm.
 */
export async function untag(
  client: Pick<ServiceClient, 'removeTags'>,
  { dataIds, tagIds }: Untagging,
  signal: AbortSignal,
): Promise<NotUntagged[]> {
  const remove = (ids: readonly string[]) =>
    retell('change', client.removeTags({ data_ids: [...ids], tag_ids: [...tagIds] }, { signal }));
  try {
    await remove(dataIds);
    return [];
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown;
    if (dataIds.length === 1) return [failureOf(dataIds[0] ?? '', thrown)];
  }
  const failed: NotUntagged[] = [];
  for (const dataId of dataIds) {
    try {
      await remove([dataId]);
    } catch (thrown) {
      if (!isRefusal(thrown)) throw thrown;
      failed.push(failureOf(dataId, thrown));
    }
  }
  return failed;
}

/** The service decided against it for what was named, not for who asked. */
function isRefusal(thrown: unknown): thrown is Error & { hint: string } {
  const { cause } = thrown as { cause?: unknown };
  if (!(cause instanceof ServiceError)) return false;
  const { failure } = cause;
  return failure.kind === 'refused' || (failure.kind === 'held' && failure.reason === 'target');
}

const failureOf = (dataId: string, { message, hint }: { message: string; hint: string }): NotUntagged => ({
  dataId,
  message,
  hint,
});
