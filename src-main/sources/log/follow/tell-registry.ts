// What becomes of files: a message each, and a gap where something may be missing.
import { formatSecond } from '../../../model/format.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { SourceSink } from '../../source.ts';
import { missedSince } from '../files/file-fate.ts';
import type { RegistryEvents } from '../files/file-registry.ts';
import { birthPath, type WatchedFile } from '../files/watched-file.ts';
import type { LogNotes } from '../notes/log-notes.ts';

/**
 * Tell what the registry finds.
 *
 * @param notes - where it is said.
 * @param clock - which says when a file was restarted.
 * @param sink - where what may be missing is listed as a gap.
 */
export function eventsFor(notes: LogNotes, clock: Clock, sink: Pick<SourceSink, 'gap'>): RegistryEvents {
  const tellGap = (file: WatchedFile, what: string, packed: string) => {
    if (packed !== '') notes.add('log.packed', packed);
    const where = packed === '' ? '' : `; ${packed} may hold them, and is not read`;
    const [fromMs, nowMs] = [missedSince(file), clock.nowMs()];
    if (fromMs === 0) return;
    const cause = `${file.path}: the log file was ${what}; lines written after the last look may be missing${where}`;
    // A clock that was set back since then does not tell how long it is.
    sink.gap(Math.min(fromMs, nowMs), nowMs, cause);
  };
  return {
    restarted: (file, packed) => {
      notes.add('log.file-restarted', file.path, formatSecond(clock.nowMs()));
      tellGap(file, 'restarted', packed);
    },
    lost: (file, packed) => {
      notes.add('log.file-lost', file.path);
      tellGap(file, 'removed', packed);
    },
    sameContent: (file, original) => notes.add('log.same-content', file.path, `as ${original.path}`),
    // What a way of rotation cannot show is said once, since no gap ever tells of it.
    rotated: (file, way) => notes.add(`log.rotated-by-${way === 'renamed' ? 'renaming' : 'copying'}`, birthPath(file)),
    held: (path) => notes.add('log.file-held', path),
    freed: (path) => notes.freed(path),
  };
}
