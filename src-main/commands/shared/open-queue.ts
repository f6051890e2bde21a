import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AgentError } from '../../model/agent-error.ts';
import { openStore, type Store } from '../../queue/store/store.ts';

/**
 * Open the queue of a data folder in which no agent runs.
 *
 * @returns the store; its opener closes it.
 * @throws `status.no-data` when there is none, and none is made; those of the store.
 */
export async function openQueueOf(folder: string): Promise<Store> {
  const path = join(folder, 'queue.db');
  if (existsSync(path)) return openStore(path);
  throw new AgentError({
    code: 'status.no-data',
    message: `No agent runs in ${folder}, and there is no queue in it.`,
    hint: 'Name the data folder with --data, or start recording first.',
  });
}
