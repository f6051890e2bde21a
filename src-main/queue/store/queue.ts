// The whole queue as its worker thread holds it: one file, one connection, plain synchronous calls.
//
// Each call is of one kind, which says what a full disk does to it (queue-file.ts): reads go on; the recorder's commits and
// what is sent again are refused rather than given the reserve; an event is written where there is room; all others empty
// the queue and may use the reserve. A call that READS and FILLING do not name is of the last kind.
import type { Database } from 'better-sqlite3';
import { toAgentError } from '../../model/agent-error.ts';
import type { Commit, SealedChunk } from '../../model/queue.ts';
import { openChunkQueue } from './chunks/chunk-queue.ts';
import { openHeldElsewhere } from './chunks/held-elsewhere.ts';
import { openOpenChunks } from './chunks/open-chunks.ts';
import { openReadingsTable } from './chunks/readings-table.ts';
import { openResendCalls } from './chunks/resend.ts';
import type { StoreLook } from './database/place-error.ts';
import { QueueFile, type QueueFileOptions, type StoreRoom } from './queue-file.ts';
import { openSweep } from './space/sweep.ts';
import { openAccountQueries } from './tables/account-queries.ts';
import { openEventQueries } from './tables/event-queries.ts';
import { openExportQueries } from './tables/export-queries.ts';
import { openGivenUp } from './tables/given-up.ts';
import { openGrowthQueries } from './tables/growths.ts';
import { openMarkQueries } from './tables/marks-table.ts';
import { openReceiptQueries } from './tables/receipt-queries.ts';
import { openRefusalQueries } from './tables/refusal-queries.ts';
import { openRheedSessions } from './tables/rheed-sessions.ts';
import { openTallyQueries } from './tables/tally-queries.ts';
import { openWindowQueries } from './tables/window-queries.ts';

/** Calls that only look: they are answered also while the disk refuses to be written. */
const READS: ReadonlySet<string> = new Set([
  'load',
  'positions',
  'uploadStreams',
  'uploadStream',
  'account',
  'streamToFinalize',
  'streamsToFinalize',
  'nextChunk',
  'knownEntries',
  'listChannelNames',
  'acknowledgedPoints',
  'readWindow',
  'countAcknowledgedAfter',
  'tally',
  'listChannels',
  'readPoints',
  'listEvents',
  'findEvents',
  'listGaps',
  'listMarks',
  'listRefusedCells',
  'findStreams',
  'listStreams',
  'streamFacts',
  'storedPage',
  'unconfirmedStreams',
  'refusedChunks',
  'lastIds',
  'rheedSessions',
  'rheedEntries',
  'growths',
  'growth',
  'growthStreams',
  'storedSpan',
  'keptPoints',
  'streamsIn',
]);

/** Reads of what is to be sent: refused while the path of the queue leads elsewhere. */
const SENT: ReadonlySet<string> = new Set(['openChunks']);

/** Calls that fill the queue beside the recorder's commits: they get no room from the reserve. */
const FILLING: ReadonlySet<string> = new Set(['sendAgain', 'sendAsNew', 'recut']);

function calls(database: Database, path: string) {
  return {
    ...openReadingsTable(database),
    ...openChunkQueue(database),
    ...openHeldElsewhere(database),
    ...openSweep(database),
    ...openGivenUp(database),
    ...openTallyQueries(database, path),
    ...openEventQueries(database),
    ...openWindowQueries(database),
    ...openMarkQueries(database),
    ...openRefusalQueries(database),
    ...openReceiptQueries(database),
    ...openResendCalls(database),
    ...openAccountQueries(database),
    ...openOpenChunks(database),
    ...openRheedSessions(database),
    ...openGrowthQueries(database),
    ...openExportQueries(database),
  };
}

type Calls = ReturnType<typeof calls>;

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
  const file = new QueueFile<Calls>(path, (database) => calls(database, path), options);
  const { nowMs = Date.now } = options;

  /** A chunk that is to be sent; those that the disk altered are set aside on the way. */
  function readChunk(work: (queue: Calls) => SealedChunk | null): SealedChunk | null {
    file.assertHere();
    for (;;) {
      try {
        return file.read(work);
      } catch (thrown) {
        const error = toAgentError(thrown);
        const { chunkId } = error.context;
        if (error.code !== 'store.chunk-damaged' || typeof chunkId !== 'number') throw error;
        file.drain((queue) => queue.setAside(chunkId, nowMs(), error.message));
      }
    }
  }

  const guarded = (name: string) => {
    const call = (queue: Calls, args: unknown[]) =>
      (queue[name as keyof Calls] as (...args: unknown[]) => unknown)(...args);
    if (SENT.has(name)) {
      return (...args: unknown[]) => {
        file.assertHere();
        return file.read((queue) => call(queue, args));
      };
    }
    if (READS.has(name)) return (...args: unknown[]) => file.read((queue) => call(queue, args));
    if (FILLING.has(name)) return (...args: unknown[]) => file.fill((queue) => call(queue, args));
    if (name === 'addEvent') return (...args: unknown[]) => file.write((queue) => call(queue, args));
    return (...args: unknown[]) => file.drain((queue) => call(queue, args));
  };
  const names = file.read((queue) => Object.keys(queue));
  return {
    ...(Object.fromEntries(names.map((name) => [name, guarded(name)])) as unknown as Calls),
    nextChunk: (streamId: number) => readChunk((queue) => queue.nextChunk(streamId)),
    chunkAfter: (streamId: number, id: number) => readChunk((queue) => queue.chunkAfter(streamId, id)),
    commit: (commit: Commit) => file.capture(commit.sequence, (queue) => queue.commit(commit)),
    room: () => file.room(),
    look: () => file.look(),
    close: () => file.close(),
  };
}
