// What the recorder is given, and what it needs of the others.
import type { AgentError } from '../../model/agent-error.ts';
import type { Mark } from '../../model/marks.ts';
import type { Commit, RecorderState } from '../../model/queue.ts';
import type { Readings } from '../../model/readings.ts';
import type { Rollover } from './periods.ts';
import type { SourceBytes } from './source-spans.ts';

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

/** What a source hands over; the promise of sources says what each field means. */
export interface RecorderCapture {
  readonly blocks: readonly Readings[];
  readonly positions: readonly { key: string; value: string }[];
  readonly marks?: readonly Mark[];
  readonly rowsRead: number;
  readonly refusals: readonly {
    place: string;
    line: number | null;
    byte: number | null;
    channel: string;
    text: string;
    reason: string;
  }[];
  readonly refusedCount: number;
  readonly origin: 'live' | 'backfill';
  readonly file: string | null;
  readonly sourceBytes?: readonly SourceBytes[];
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
