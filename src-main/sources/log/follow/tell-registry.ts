// What becomes of files: a message each, and a gap where something may be missing.
import { formatSecond } from '../../../model/format.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { RegistryEvents } from '../files/registry-events.ts';
import { birthPath, type WatchedFile } from '../files/watched-file.ts';
import type { LogNotes } from '../notes/log-notes.ts';

/**
 * Tell what the registry finds.
 *
 * @param notes - where it is said.
 * @param clock - which says when a file was restarted.
 * @param gap - where what may be missing is listed as a gap.
 */
export function eventsFor(
  notes: LogNotes,
  clock: Clock,
  gap: (file: WatchedFile, cause: string) => void,
): RegistryEvents {
  return {
    restarted: (file) => {
      notes.add('log.file-restarted', file.path, formatSecond(clock.nowMs()));
      gap(file, 'the log file was restarted; lines written after the last look may be missing');
    },
    lost: (file) => {
      notes.add('log.file-lost', file.path);
      gap(file, 'the log file was removed; lines written after the last look may be missing');
    },
    sameContent: (file, original) => notes.add('log.same-content', file.path, `as ${original.path}`),
    // What a way of rotation cannot show is said once, since no gap ever tells of it.
    rotated: (file, way) => notes.add(`log.rotated-by-${way === 'renamed' ? 'renaming' : 'copying'}`, birthPath(file)),
    held: (path) => notes.add('log.file-held', path),
    freed: (path) => notes.freed(path),
  };
}
