// A log folder as a source that reads on the thread of its volume (reader-thread.ts).
import type { Source } from '../../source.ts';
import { type LogSourceOptions, openLogSource } from '../log-source.ts';
import { runOnThread } from './reader-thread.ts';

/**
 * Make the source of a log folder. It reads on another thread, with the file system and the clocks of this PC.
 *
 * @param options - settings of the source, without `clock` and `files`.
 * @returns as `openLogSource`; `run` is fulfilled when aborted, also while the folder does not answer.
 * @throws as `openLogSource`.
 */
export function openLogReader(options: Omit<LogSourceOptions, 'clock' | 'files'>): Source {
  const { id, kind } = openLogSource(options);
  return { id, kind, run: (sink, signal) => runOnThread(options, sink, signal) };
}
