// What the registry reports of files while it follows them.
import type { WatchedFile } from './watched-file.ts';

export interface RegistryEvents {
  /**
   * A file was restarted in place; what was read of it stands, what was written since the last look may be lost, or stand in a
   * file into which it was compressed (empty: there is none).
   */
  restarted(file: WatchedFile, packed: string): void;
  /** A file vanished that had bytes unread, or was written to until just now. */
  lost(file: WatchedFile, packed: string): void;
  /** A file was moved along a chain of rotated files, and those between it and the log are missing: these names. */
  missing(file: WatchedFile, names: readonly string[]): void;
  /** A file repeats another one and is not read. */
  sameContent(file: WatchedFile, original: WatchedFile): void;
  /** A log was rotated in this way; each has something that no look can show. */
  rotated(file: WatchedFile, way: 'renamed' | 'copied'): void;
  /** Another program holds a file; it is tried again. */
  held(path: string): void;
  freed(path: string): void;
}
