// The runs of one folder: which files that are new continue the channels of others, and whether those that do keep to it.
import type { ChannelNames } from '../columns/channel-names.ts';
import { familyOf } from '../columns/channel-names.ts';
import { forgetLayout } from '../files/file-changes.ts';
import { formerPaths } from '../files/rotated-names.ts';
import { birthPath, streamedNames, type WatchedFile } from '../files/watched-file.ts';
import type { LogNotes } from '../notes/log-notes.ts';
import type { RunOptions } from './run-options.ts';
import { overlap, placeRun, type RunFile, type RunPlace } from './run-series.ts';

/** A file that changed within this time may still be written, milliseconds. */
const FRESH_MS = 60_000;

interface Span {
  firstMs: number;
  lastMs: number;
}

export class FolderRuns {
  readonly #options: RunOptions;
  readonly #notes: LogNotes;
  readonly #names: ChannelNames;
  /** What was read in this run, by the family whose channels it has, and by the file's own. */
  readonly #spans = new Map<string, Map<string, Span>>();

  constructor(options: RunOptions, notes: LogNotes, names: ChannelNames) {
    this.#options = options;
    this.#notes = notes;
    this.#names = names;
  }

  /**
   * Place files that were just opened among the others.
   *
   * @returns those that can be named now; one that does not tell yet which runs it follows is opened again later.
   */
  place(opened: readonly WatchedFile[], present: readonly WatchedFile[]): WatchedFile[] {
    if (this.#options.runs === 'apart' || opened.length === 0) return [...opened];
    const fresh = new Set(opened);
    const isOpen = (file: WatchedFile) => file.layout !== null;
    const series = Map.groupBy(
      present.filter((file) => isOpen(file) && !fresh.has(file)).map((file) => this.#runOf(file)),
      ({ path }) => this.#names.rootOf(path),
    );
    const waiting = new Map(opened.filter(isOpen).map((file) => [file, this.#runOf(file)]));
    const born = Map.groupBy(present, birthPath);
    const told: WatchedFile[] = [];
    for (const file of [...opened].sort((a, b) => a.firstMs - b.firstMs)) {
      const run = this.#runOf(file);
      const { path } = run;
      if (!this.#names.isKnown(path, streamedNames(file)) && !this.#names.isTidy(path)) {
        const log = this.#logOf(file, born);
        const place: RunPlace =
          log === null
            ? placeRun(run, series, waiting.values())
            : { kind: 'continues', family: this.#names.rootOf(log) };
        if (place.kind === 'waits' && !this.#names.isContinued(place.family)) {
          forgetLayout(file);
          waiting.delete(file);
          continue;
        }
        if (place.kind !== 'apart') {
          this.#names.continueAs(path, place.family);
          this.#notes.add('log.run-continues', file.path);
        }
      }
      const root = this.#names.rootOf(path);
      const members = series.get(root) ?? [];
      series.set(root, members);
      members.push(run);
      told.push(file);
    }
    return told;
  }

  /** Take note of what a file gave. Runs that share channels and overlap after all are told. */
  note(file: WatchedFile, timesMs: Float64Array): void {
    const [firstMs, lastMs] = [timesMs[0], timesMs.at(-1)];
    if (firstMs === undefined || lastMs === undefined) return;
    const path = birthPath(file);
    const spans = this.#spans.get(this.#names.rootOf(path)) ?? new Map<string, Span>();
    this.#spans.set(this.#names.rootOf(path), spans);
    const own = spans.get(familyOf(path)) ?? { firstMs, lastMs };
    spans.set(familyOf(path), own);
    own.firstMs = Math.min(own.firstMs, firstMs);
    own.lastMs = Math.max(own.lastMs, lastMs);
    if (spans.size < 2) return;
    const isShared = [...spans].some(([family, span]) => family !== familyOf(path) && overlap(span, own));
    if (isShared) this.#notes.add('log.runs-overlap', file.path);
  }

  /**
   * The path of the log that a rotation gave the file's name: one with the same columns that stands there and begins where the
   * file ends, or later, or of which data were read before it was rotated away. What was rotated away of it at other times may be
   * older or younger.
   */
  #logOf(file: WatchedFile, born: ReadonlyMap<string, readonly WatchedFile[]>): string | null {
    const run = this.#runOf(file);
    if (Number.isNaN(run.lastMs) || run.columns === '') return null;
    const isLog = (path: string) => {
      const parts = (born.get(path) ?? []).filter(({ layout }) => layout !== null);
      const isOfLog = (one: WatchedFile) => {
        const part = this.#runOf(one);
        const isApart = one.path === path ? run.lastMs <= part.firstMs : !overlap(part, run);
        return part.columns === run.columns && isApart;
      };
      return parts.length === 0 ? this.#names.isKnown(path, streamedNames(file)) : parts.every(isOfLog);
    };
    return formerPaths(birthPath(file)).find(isLog) ?? null;
  }

  #runOf(file: WatchedFile): RunFile & { readonly path: string } {
    const { layout, seen, byte, firstMs, lastMs, tailMs } = file;
    const streamed = new Set(streamedNames(file));
    const columns = (layout?.columns ?? []).filter(({ name }) => streamed.has(name));
    const modifiedMs = seen?.modifiedMs ?? Number.NaN;
    // The modification time stands for a last line that was not read yet, or could not be.
    const isRead = !Number.isNaN(tailMs) || byte >= (seen?.sizeBytes ?? 0);
    const ends = [lastMs, tailMs, isRead ? Number.NaN : modifiedMs].filter((ms) => !Number.isNaN(ms));
    const path = birthPath(file);
    return {
      path,
      family: familyOf(path),
      columns: columns.length === 0 ? '' : JSON.stringify(columns.map(({ name, unit }) => [name, unit])),
      firstMs,
      lastMs: ends.length > 0 ? Math.max(...ends) : modifiedMs,
      isFresh: !this.#options.isDrain && this.#options.clock.nowMs() - modifiedMs < FRESH_MS,
    };
  }
}
