// What becomes of files, said and listed.

import type { WatchedFile } from '../files/watched-file.ts';
import type { LogNotes } from '../notes/log-notes.ts';

export interface RegistryEvents {
  /** A file was restarted in place; what was read of it stands, what was written since the last look may be lost. */
  restarted(file: WatchedFile): void;
  /** A file vanished that had bytes unread, or was written to until just now. */
  lost(file: WatchedFile): void;
  /** A file repeats another one and is not read. */
  sameContent(file: WatchedFile, original: WatchedFile): void;
  /** Another program holds a file; it is tried again. */
  held(path: string): void;
  freed(path: string): void;
}

/** Tell what the registry finds. **Takes**: where it is said, and where what may be missing is listed as a gap. */
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
    held: (path) => notes.held(path),
    freed: (path) => notes.freed(path),
  };
}
