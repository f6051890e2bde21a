// Opens a source, watches it run, opens it again. A source that fails waits by itself: nothing it does, throws or leaves
// undone reaches another source.
//
// Bounds: 1 s before it is opened again, twice as long each time, 60 s at most, without a last try; a capture on disk resets
// that. 5 s at most where the store refused what was read: the source is well, and what it gives meanwhile may be lost.
// Invariant: one run of a source at a time.
import { type AgentError, toAgentError } from '../model/agent-error.ts';
import type { Clock } from '../platform/clock.ts';
import type { Capture, Source, SourceSink } from './source.ts';

/** First wait before a source is opened again, and the longest, milliseconds. */
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;
/** The longest when the store refused a capture, as on a full disk, milliseconds. */
const LONGEST_REFUSED_MS = 5_000;

/**
 * `starting`: being opened. `running`: reading. `waiting`: failed or stalled, will be opened again or goes on. `failed`: failed, waits for a
 * person. `finished`: came to its own end. `stopped`: ended by the agent.
 */
type SourceState = 'starting' | 'running' | 'waiting' | 'failed' | 'finished' | 'stopped';

export interface SourceReport {
  readonly state: SourceState;
  /** What made it wait or fail; null otherwise. */
  readonly error: AgentError | null;
  /** Wall clock at which it is opened again, Unix ms; null when it is not waiting. */
  readonly retryAtMs: number | null;
  /** Wall clock of the last capture on disk with a reading in it, Unix ms; null before the first. */
  readonly lastReadingMs: number | null;
}

export interface SuperviseOptions {
  /** Makes the source; called again for each try. May throw. */
  readonly open: () => Source;
  readonly sink: SourceSink;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Told at each change of state; a listener that throws does not disturb the source. */
  readonly onState: (report: SourceReport) => void;
}

/**
 * Keep one source running.
 *
 * @param options - how to open it, where its readings go, the clock, and the signal that ends it. After a failure whose `retry`
 *   is `later` or that is a bug, it is opened again after 1 s, then twice as long each time up to 60 s, or 5 s after a capture
 *   that the store refused; a capture on disk restarts the count. A failure that needs a person, or that no try can cure, ends it
 *   as `failed`.
 * @returns fulfilled when the source is `finished`, `failed` or `stopped`; never rejects.
 */
export async function superviseSource({ open, sink, clock, signal, onState }: SuperviseOptions): Promise<void> {
  let failures = 0;
  let lastReadingMs: number | null = null;
  let isRefused = false;
  const tell = (state: SourceState, error: AgentError | null = null, retryAtMs: number | null = null) => {
    try {
      onState({ state, error, retryAtMs, lastReadingMs });
    } catch {
      // The listener has troubles of its own; the source runs on, and the next report tells the state again.
    }
  };
  const watched: SourceSink = {
    positions: () => sink.positions(),
    declare: (channels) => sink.declare(channels),
    note: (note) => sink.note(note),
    gap: (fromMs, toMs, cause) => sink.gap(fromMs, toMs, cause),
    stalled: (error) => tell(error === null ? 'running' : 'waiting', error),
    capture: async (capture: Capture) => {
      try {
        await sink.capture(capture);
      } catch (thrown) {
        isRefused = true;
        throw thrown;
      }
      failures = 0;
      if (capture.blocks.length > 0) lastReadingMs = clock.nowMs();
    },
  };
  for (;;) {
    if (signal.aborted) return tell('stopped');
    tell('starting');
    try {
      isRefused = false;
      const source = open();
      tell('running');
      await source.run(watched, signal);
      return tell(signal.aborted ? 'stopped' : 'finished');
    } catch (thrown) {
      const error = toAgentError(thrown);
      if (signal.aborted) return tell('stopped');
      const isHopeless = error.retry === 'after-human' || (error.retry === 'never' && error.code !== 'internal');
      if (isHopeless) return tell('failed', error);
      const waitMs = Math.min(FIRST_WAIT_MS * 2 ** failures, isRefused ? LONGEST_REFUSED_MS : LONGEST_WAIT_MS);
      failures += 1;
      tell('waiting', error, clock.nowMs() + waitMs);
      await clock.sleep(waitMs, signal);
    }
  }
}
