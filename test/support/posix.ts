// What POSIX has and Windows has not: modes of files, signals that halt a process, links that anybody may make, its programs.
import { statSync } from 'node:fs';
import { expect, test } from 'vitest';

export const isPosix = process.platform !== 'win32';

/** A test of what Windows has not; it is skipped there by name. */
export const posixTest = test.skipIf(!isPosix) as typeof test;

/** Expect who may read, write and enter a file or folder. On Windows the rights of the folder above say that. */
export function expectMode(path: string, mode: number): void {
  if (isPosix) expect(statSync(path).mode & 0o777).toBe(mode);
}
