// What the recorder is given, and what it needs of the others.
import type { AgentError } from '../../model/agent-error.ts';
import type { Commit, RecorderState } from '../../model/queue.ts';
import type { Rollover } from './periods.ts';

/** What the recorder needs of the store. */
interface RecorderStore {
  load(): Promise<RecorderState>;
  commit(commit: Commit): Promise<void>;
}

interface RecorderClock {
  nowMs(): number;
  monotonicMs(): number;
  sleep(durationMs: number): Promise<void>;
}

/** How the streams of one source are cut. */
export interface StreamRule {
  readonly pointsPerChunk: number | 'auto';
  readonly rollover: Rollover;
  /** Quiet time after which a stream is closed, milliseconds; null: never. */
  readonly closeAfterQuietMs: number | null;
}

export interface RecorderOptions {
  readonly store: RecorderStore;
  readonly clock: RecorderClock;
  readonly timeZone: string;
  readonly toolName: string;
  readonly synthSourceId: number | null;
  readonly ruleOf: (sourceId: string) => StreamRule;
  /** Short random word, different each time. */
  readonly makeNonce: () => string;
  /** Streams whose state on disk changed; called after the commit. */
  readonly onCommitted: (streamIds: readonly number[]) => void;
  /** The store refuses (error) or takes again (null). */
  readonly onStoreState: (error: AgentError | null) => void;
}
