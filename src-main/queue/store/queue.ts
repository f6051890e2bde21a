// The whole queue as its worker thread holds it: one file, one connection, plain synchronous calls (calls.ts).
import type { Database } from 'better-sqlite3';
import { toAgentError } from '../../model/agent-error.ts';
import type { Commit } from '../../model/queue.ts';
import { CALLS, type CallKind, type CallName, type FileCallName } from './calls.ts';
import { ChunkQueue } from './chunks/chunk-queue.ts';
import { HeldElsewhere } from './chunks/held-elsewhere.ts';
import { ReadingsTable } from './chunks/readings-table.ts';
import { Resend } from './chunks/resend.ts';
import type { StoreLook } from './database/place-error.ts';
import { QueueFile, type QueueFileOptions, type StoreRoom } from './queue-file.ts';
import { openSweep } from './space/sweep.ts';
import { openAccountQueries } from './tables/account-queries.ts';
import { openEventQueries } from './tables/event-queries.ts';
import { openExportQueries } from './tables/export-queries.ts';
import { openFinalizeQueries } from './tables/finalize-queries.ts';
import { openGivenUp } from './tables/given-up.ts';
import { openGrowthQueries } from './tables/growths.ts';
import { openMarkQueries } from './tables/marks-table.ts';
import { ReceiptQueries } from './tables/receipt-queries.ts';
import { openRefusalQueries } from './tables/refusal-queries.ts';
import { openRheedSessions } from './tables/rheed-sessions.ts';
import { openTallyQueries } from './tables/tally-queries.ts';
import { openWindowQueries } from './tables/window-queries.ts';

/** Everything that answers calls, each with some of them. */
function openParts(database: Database, path: string) {
  return [
    new ReadingsTable(database),
    new ChunkQueue(database),
    new HeldElsewhere(database),
    openFinalizeQueries(database),
    openSweep(database),
    openGivenUp(database),
    openTallyQueries(database, path),
    openEventQueries(database),
    openWindowQueries(database),
    openMarkQueries(database),
    openRefusalQueries(database),
    new ReceiptQueries(database),
    new Resend(database),
    openAccountQueries(database),
    openRheedSessions(database),
    openGrowthQueries(database),
    openExportQueries(database),
  ] as const;
}

type All<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer A) => void ? A : never;
type Answered = All<ReturnType<typeof openParts>[number]>;
/** The calls of the table that a part of the file answers. */
type Calls = Pick<Answered, Exclude<CallName, FileCallName>>;

type Call = (...args: unknown[]) => unknown;

function openCalls(database: Database, path: string): Calls {
  const parts = openParts(database, path) as readonly object[] as readonly Record<string, Call>[];
  const calls = Object.keys(CALLS).flatMap((name) => {
    const part = parts.find((one) => name in one);
    return part?.[name] ? [[name, part[name].bind(part)]] : [];
  });
  return Object.fromEntries(calls) as unknown as Calls;
}

/** Every call of the queue. All of them are synchronous here, and promises on the other side of the thread. */
export type Queue = Calls & {
  /** Room on the disk, and how long it lasts at the present rate. */
  room(): StoreRoom;
  /** Whether the queue is where it was opened; repairs what can be repaired. */
  look(): StoreLook;
  close(): void;
};

/**
 * Open the queue. A damaged file is set aside whole, what can be read of it goes into a new one, and an event says so.
 *
 * @param path - the path of its file (its folder must exist).
 * @returns the calls; each throws an AgentError of `storeError` and has then changed nothing. On a full or failing disk the
 *   queue opens and can be read.
 * @throws those of `storeError`; `store.newer`, `store.foreign`, `store.unsafe`.
 */
export function openQueue(path: string, options: QueueFileOptions = {}): Queue {
  const file = new QueueFile<Calls>(path, (database) => openCalls(database, path), options);
  const { nowMs = Date.now } = options;

  function readChunk<T>(work: (calls: Calls) => T): T {
    // One that is still named after it was set aside would be set aside for ever.
    for (let former: number | null = null; ; ) {
      try {
        file.assertHere();
        return file.read(work);
      } catch (thrown) {
        const error = toAgentError(thrown);
        const { chunkId } = error.context;
        if (error.code !== 'store.chunk-damaged' || typeof chunkId !== 'number' || chunkId === former) throw error;
        former = chunkId;
        file.drain((calls) => calls.setAside(chunkId, nowMs(), error.message));
      }
    }
  }

  type Work = (calls: Calls) => unknown;
  const ways: Readonly<Record<Exclude<CallKind, 'file'>, (work: Work, args: readonly unknown[]) => unknown>> = {
    read: (work) => file.read(work),
    chunk: readChunk,
    capture: (work, [commit]) => file.capture(commit as Commit, work),
    fill: (work) => file.fill(work),
    note: (work) => file.write(work),
    drain: (work) => file.drain(work),
    inner: (work) => file.drain(work),
  };
  const guarded = Object.entries(CALLS).flatMap(([name, kind]) => {
    if (kind === 'file') return [];
    const call = (...args: unknown[]) => ways[kind]((calls) => (calls[name as keyof Calls] as Call)(...args), args);
    return [[name, call]];
  });
  return {
    ...(Object.fromEntries(guarded) as unknown as Calls),
    room: () => file.room(),
    look: () => file.look(),
    close: () => file.close(),
  };
}
