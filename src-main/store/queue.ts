// The whole queue as its worker thread holds it: one file, one connection, plain synchronous calls.
import type { Database } from 'better-sqlite3';
import { openChunkQueue } from './chunk-queue.ts';
import { openDatabase, storeError } from './database.ts';
import { openReadingsTable } from './readings-table.ts';
import { openReceiptQueries } from './receipt-queries.ts';
import { openTallyQueries } from './tally-queries.ts';
import { openWindowQueries } from './window-queries.ts';

function calls(database: Database, path: string) {
  return {
    ...openReadingsTable(database),
    ...openChunkQueue(database),
    ...openTallyQueries(database, path),
    ...openWindowQueries(database),
    ...openReceiptQueries(database),
    close(): void {
      database.close();
    },
  };
}

/** Every call of the queue. All of them are synchronous here, and promises on the other side of the thread. */
export type Queue = ReturnType<typeof calls>;

/**
 * Open the queue.
 *
 * **Takes**: the path of its file (its folder must exist). **Gives**: the calls; each throws an AgentError of
 * `storeError` and has then changed nothing.
 */
export function openQueue(path: string): Queue {
  const queue = calls(openDatabase(path), path);
  for (const [name, call] of Object.entries(queue)) {
    const guarded = (...args: unknown[]) => {
      try {
        return (call as (...args: unknown[]) => unknown)(...args);
      } catch (thrown) {
        throw storeError(thrown, path);
      }
    };
    Object.assign(queue, { [name]: guarded });
  }
  return queue;
}
