// What becomes of files: a message each, and a gap where something may be missing.
import { formatSecond } from '../../../model/format.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { SourceSink } from '../../source.ts';
import { missedSince } from '../files/file-fate.ts';
import type { RegistryEvents } from '../files/registry-events.ts';
import { birthPath, type WatchedFile } from '../files/watched-file.ts';
import type { LogNotes } from '../notes/log-notes.ts';

/**
 * Gaps that looks have found. Each lasts until something is handed over, and is told right before that: until data of what came
 * after are read nothing but the look says what stands there.
 */
export class FoundGaps {
  readonly #sink: Pick<SourceSink, 'gap'>;
  readonly #clock: Pick<Clock, 'nowMs'>;
  readonly #found: { readonly fromMs: number; readonly cause: string }[] = [];

  constructor(sink: Pick<SourceSink, 'gap'>, clock: Pick<Clock, 'nowMs'>) {
    this.#sink = sink;
    this.#clock = clock;
  }

  /** Note that lines of a file may be missing, and why. */
  note(file: WatchedFile, cause: string): void {
    const fromMs = missedSince(file);
    if (fromMs > 0) this.#found.push({ fromMs, cause: `${file.path}: ${cause}` });
  }

  /** Tell what was found. */
  tell(): void {
    const nowMs = this.#clock.nowMs();
    // A clock that was set back since then does not tell how long it is.
    for (const { fromMs, cause } of this.#found.splice(0)) this.#sink.gap(Math.min(fromMs, nowMs), nowMs, cause);
  }
}

/**
 * Tell what the registry finds.
 *
 * @param notes - where it is said.
 * @param clock - which says when a file was restarted.
 * @param gaps - where what may be missing is listed as a gap.
 */
export function eventsFor(notes: LogNotes, clock: Clock, gaps: FoundGaps): RegistryEvents {
  const tellPacked = (packed: string) => {
    if (packed === '') return '';
    notes.add('log.packed', packed);
    return `; ${packed} may hold them, and is not read`;
  };
  return {
    restarted: (file, packed) => {
      notes.add('log.file-restarted', file.path, formatSecond(clock.nowMs()));
      gaps.note(
        file,
        `the log file was restarted; lines written after the last look may be missing${tellPacked(packed)}`,
      );
    },
    lost: (file, packed) => {
      notes.add('log.file-lost', file.path);
      gaps.note(
        file,
        `the log file was removed; lines written after the last look may be missing${tellPacked(packed)}`,
      );
    },
    missing: (file, names) => {
      const some = names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
      notes.add('log.rotated-missing', some, birthPath(file));
      gaps.note(
        file,
        `of the rotated files ${some} ${names.length === 1 ? 'is' : 'are'} not there; what stood there is missing`,
      );
    },
    sameContent: (file, original) => notes.add('log.same-content', file.path, `as ${original.path}`),
    // What a way of rotation cannot show is said once, since no gap ever tells of it.
    rotated: (file, way) => notes.add(`log.rotated-by-${way === 'renamed' ? 'renaming' : 'copying'}`, birthPath(file)),
    held: (path) => notes.add('log.file-held', path),
    freed: (path) => notes.freed(path),
  };
}
