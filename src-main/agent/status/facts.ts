// What the parts say of themselves, as the snapshot is made from it. Plain values; nobody is asked back.
import type { RunningGrowth } from '../../contract/growth.ts';
import type { JournalEntry, Snapshot, SourceView } from '../../contract/snapshot.ts';
import type { UpdatesView } from '../../contract/updates.ts';
import type { QueueTally } from '../../model/queue.ts';
import type { Room } from './fill.ts';
import type { AwakeFact, ReadyFacts } from './ready.ts';

/** What an upload is doing, as the upload's own state tells it. */
export interface UploadFact {
  readonly state: {
    readonly is:
      | 'stopped'
      | 'resuming'
      | 'checking'
      | 'idle'
      | 'sending'
      | 'ahead'
      | 'refusing'
      | 'waiting'
      | 'blocked';
    readonly untilMs?: number | null;
    readonly reason?: { readonly message: string; readonly hint: string };
  };
  /** True while its request is under way. */
  readonly isOnLine: boolean;
}

/** Why nobody gets through to the service. */
export interface LineFact {
  readonly trouble: 'offline' | 'asked' | 'key' | 'foreign' | 'certificate';
  readonly message: string;
  readonly hint: string;
  readonly sinceMs: number;
  readonly untilMs: number;
}

export interface ServiceFact {
  readonly address: string;
  readonly isEmbedded: boolean;
  readonly startedMs: number;
  /** Since when a person has paused the sending; null: it goes on. */
  readonly pausedSinceMs: number | null;
  readonly fault: LineFact | null;
  /** Since when requests get through; null before the first. */
  readonly upSinceMs: number | null;
}

interface StoreFact extends Room {
  readonly path: string;
  /** The store refuses now; null while it takes. */
  readonly fault: { readonly message: string; readonly hint: string } | null;
  /** The queue is not where it was opened: nothing is sent; null while it is. */
  readonly away: { readonly message: string; readonly hint: string } | null;
}

export interface Facts {
  readonly atMs: number;
  readonly version: string;
  readonly phase: Snapshot['phase'];
  /** Why the agent could not start, or what it could not store before it stopped; null otherwise. */
  readonly failure: { readonly message: string; readonly hint: string } | null;
  readonly isTrial: boolean;
  readonly toolName: string | null;
  readonly timeZone: string;
  readonly service: ServiceFact | null;
  readonly sources: readonly SourceView[];
  readonly tally: QueueTally | null;
  readonly uploads: ReadonlyMap<number, UploadFact>;
  readonly store: StoreFact | null;
  /** The growth that runs; null: none. */
  readonly growth: RunningGrowth | null;
  /** Null while nothing runs. */
  readonly ready: ReadyFacts | null;
  readonly awake: AwakeFact;
  readonly journal: readonly JournalEntry[];
  readonly updates: UpdatesView;
}
