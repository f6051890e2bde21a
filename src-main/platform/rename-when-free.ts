// Renames a file that another program may hold for a moment. On Windows a virus scanner or a backup opens a file that was just
// closed, and a rename of it is refused until they let go. Elsewhere a refusal lasts, so it is thrown at once.
import { renameSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Waits between tries, milliseconds: 3.4 s in all. */
const WINDOWS_WAITS_MS: readonly number[] = [10, 30, 100, 300, 1000, 2000];
const HELD_CODES = ['EPERM', 'EACCES', 'EBUSY'];

const waitsHere = () => (process.platform === 'win32' ? WINDOWS_WAITS_MS : []);

/** True when a rename was refused because somebody holds the file. */
export function isHeld(error: unknown): boolean {
  return HELD_CODES.includes((error as NodeJS.ErrnoException).code ?? '');
}

/**
 * Rename a file as soon as nobody holds it.
 *
 * @param from - the file.
 * @param to - its new path; what stands there is replaced.
 * @param waitsMs - waits between tries, milliseconds; by default those of the system that this runs on.
 * @throws the fault of the last try; both files are then as they were.
 */
export async function renameWhenFree(from: string, to: string, waitsMs = waitsHere()): Promise<void> {
  for (const waitMs of waitsMs) {
    try {
      return await rename(from, to);
    } catch (error) {
      if (!isHeld(error)) throw error;
      await sleep(waitMs);
    }
  }
  await rename(from, to);
}

/** {@link renameWhenFree} for a thread that may wait. */
export function renameWhenFreeSync(from: string, to: string, waitsMs = waitsHere()): void {
  const nothing = new Int32Array(new SharedArrayBuffer(4));
  for (const waitMs of waitsMs) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      if (!isHeld(error)) throw error;
      Atomics.wait(nothing, 0, 0, waitMs);
    }
  }
  renameSync(from, to);
}
