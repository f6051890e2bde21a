// A writer of the truth (test/torture) on a queue that a test harms, and the comparison of what it confirmed with what is there.
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { openQueue } from '../../../src-main/queue/store/queue.ts';
import { judgeQueue } from '../../torture/truth.ts';
import { type Job, WriterProcess } from '../../torture/writer-process.ts';
import type { FaultyDisk } from '../faults/fault-shim.ts';

const WRITER = join(import.meta.dirname, '../../torture/writer.ts');

export const SOUND = { lost: 0, doubled: 0, altered: 0, unexplained: 0 };

/**
 * Start a writer, which ends with the test.
 *
 * @param job - its work; without `captures` it writes until it is killed.
 * @param disk - the disk that it writes to; absent: that of this machine.
 * @param former - the writer before it, whose rows are confirmed already.
 */
export function startWriter(
  job: Omit<Job, 'captures'> & Partial<Pick<Job, 'captures'>>,
  disk?: FaultyDisk,
  former?: WriterProcess,
): WriterProcess {
  const writer = disk ? new WriterProcess(() => disk.start(WRITER, [])) : new WriterProcess();
  onTestFinished(() => writer.kill());
  writer.confirmed = former?.confirmed ?? 0;
  return writer.begin({ captures: null, ...job });
}

/** Kill a writer: every row that it confirmed is there once. */
export async function expectSound(writer: WriterProcess, path: string): Promise<void> {
  await writer.kill();
  const queue = openQueue(path);
  expect(judgeQueue(queue, writer.confirmed)).toMatchObject(SOUND);
  queue.close();
}
