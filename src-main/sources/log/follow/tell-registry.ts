// What becomes of files: a message each, and a gap where something may be missing.

import type { RegistryEvents } from '../files/registry-events.ts';
import { birthPath, type WatchedFile } from '../files/watched-file.ts';
import type { LogNotes } from '../notes/log-notes.ts';

/**
 * Tell what the registry finds.
 *
 * @param notes - where it is said.
 * @param gap - where what may be missing is listed as a gap.
 */
export function eventsFor(notes: LogNotes, gap: (file: WatchedFile, cause: string) => void): RegistryEvents {
  return {
    restarted: (file) => {
      notes.restarted(file);
      gap(file, 'the log file was restarted; lines written after the last look may be missing');
    },
    lost: (file) => {
      notes.lost(file);
      gap(file, 'the log file was removed; lines written after the last look may be missing');
    },
    sameContent: (file, original) => notes.sameContent(file.path, original.path),
    rotated: (file, way) => notes.rotated(birthPath(file), way),
    held: (path) => notes.held(path),
    freed: (path) => notes.freed(path),
  };
}
