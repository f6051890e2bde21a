// A log folder with its tool and its reader, both of one test; and the log that most tests write, whose values count its lines.
import { onTestFinished } from 'vitest';
import { tempFolder } from '../temp-folder.ts';
import { LogReader } from './log-reader.ts';
import { LogWriter } from './log-writer.ts';

export const HEADER = 'time,v\n';

/** Lines numbered from..to; the number is the value. */
export const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `${1_790_000_000 + from + i}.5,${from + i}\n`).join('');

/** The values of the lines up to this one. */
export const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);

/** Takes the reader's options; the folder is a new one unless it is named. The reader ends with the test. */
export function openLogRig(options: Partial<ConstructorParameters<typeof LogReader>[0]> = {}) {
  const { path: folder = tempFolder() } = options;
  const reader = new LogReader({ ...options, path: folder });
  onTestFinished(() => reader.kill());
  return { folder, reader, writer: new LogWriter(folder) };
}
