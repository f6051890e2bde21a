// A log folder on the thread of its volume (reader-thread.ts): as a source, and shown before it is one.
import type { Source } from '../../source.ts';
import { type LogSourceOptions, openLogSource } from '../log-source.ts';
import { type LogPreview, noPreview, type PreviewOptions } from '../preview.ts';
import { previewOnThread, runOnThread } from './reader-thread.ts';

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

/**
 * Show the first lines of the newest readable file of a folder, as the source would read them.
 *
 * @param options - folder, absolute, with glob, zone and time format.
 * @returns the preview; a fault is its `problem` and `hint`, also where the folder does not answer.
 */
export function previewLogFolder(options: PreviewOptions): Promise<LogPreview> {
  return previewOnThread(options).catch(noPreview);
}
