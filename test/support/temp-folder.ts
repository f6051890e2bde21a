import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder of its own for one test, removed when the test has finished. */
export function tempFolder(name = 'epistream', parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, `${name}-`));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** The same on a memory file system where there is one: for what a test opens and does not examine as a disk. */
export function memoryFolder(name: string): string {
  return tempFolder(name, process.platform === 'linux' ? '/dev/shm' : tmpdir());
}
