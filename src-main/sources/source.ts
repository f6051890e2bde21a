// The promise that every source keeps. A source runs until it is aborted or fails; it never retries inside (supervise.ts
// owns that), and it never decides what happens to its readings afterwards.

import type { AgentError } from '../model/agent-error.ts';
import type { ChannelDeclaration } from '../model/channel.ts';
import type { News } from '../model/news.ts';
import type { Capture } from '../model/readings.ts';

export type { News as SourceNote } from '../model/news.ts';
export type { Capture, Position, Refusal, SourceBytes } from '../model/readings.ts';

/** Cause of a gap before the start of a source; the agent names a change of the settings instead. */
export const NOT_RUNNING = 'the agent was not running';

export interface SourceSink {
  /**
   * Read back what this source committed last.
   *
   * @returns position value (JSON text) by key; empty at the first start.
   */
  positions(): Promise<ReadonlyMap<string, string>>;
  /** Declare channels before their first reading, and again when a unit or origin changes. Cheap to repeat. */
  declare(channels: readonly ChannelDeclaration[]): void;
  /**
   * Hand over readings.
   *
   * @returns a promise that is fulfilled once they are on disk. A source with a file behind it waits for it (that bounds
   *   memory); a source that cannot wait goes on and lets the recorder hold a bounded amount.
   * @throws rejects with an AgentError when the capture was not stored; then the positions did not move either.
   */
  capture(capture: Capture): Promise<void>;
  /** A remark for screen and event journal; the same code replaces the former remark of this source. */
  note(note: News): void;
  /** Report that the source cannot read for now and resumes by itself; null: it reads again. Absent: not reported. */
  stalled?(error: AgentError | null): void;
  /** Interval that could not be captured, Unix milliseconds. */
  gap(fromMs: number, toMs: number, cause: string): void;
}

export interface Source {
  /** From the settings; unique. */
  readonly id: string;
  readonly kind: 'log' | 'rheed' | 'simulator' | 'serial';
  /**
   * Read until aborted.
   *
   * @param sink - where to hand readings.
   * @param signal - the signal that ends the run.
   * @returns fulfilled when aborted, or when a source with an end (drain, simulated growth) has reached it.
   * @throws rejects with an AgentError whose `retry` says whether opening again can help.
   */
  run(sink: SourceSink, signal: AbortSignal): Promise<void>;
}
