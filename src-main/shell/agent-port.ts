import type { JournalEntry, Snapshot } from '../contract/snapshot.ts';
import type { FeedName, FeedValue, Handlers } from '../contract/table.ts';

/** What the shell needs of the agent; the agent itself knows nothing of Electron. */
export interface AgentPort {
  readonly handlers: Handlers;
  readonly snapshot: Snapshot;
  readonly subscribe: <F extends FeedName>(feed: F, listener: (value: FeedValue<F>) => void) => () => void;
  start(): Promise<void>;
  /** Everything captured is on disk when this is fulfilled. */
  stop(): Promise<void>;
  /** Note an event of the desktop in the journal. */
  tell(event: Omit<JournalEntry, 'id' | 'atMs'>): void;
  /** The PC woke up: whatever waited for a later try is tried at once. */
  release(): void;
}
