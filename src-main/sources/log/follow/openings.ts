// What a file needs before its first line can be read: a layout, and names for its channels. All files that are new with a
// look are opened before one of them is read, so that the order of the folder does not matter.
//
// Bounds: 5 files that were skipped are asked for the date order of their folder.
// Invariant: a layout and a name that were committed hold for ever under the same settings, so a restart reads as before.
import type { Dialect } from '../../../model/dialect.ts';
import { formatBytes, formatDuration } from '../../../model/format.ts';
import type { Position } from '../../source.ts';
import { ChannelNames, familyOf, folderOf } from '../columns/channel-names.ts';
import {
  addEra,
  type FiledLayout,
  giveLayout,
  linkLayouts,
  noteTried,
  noteUncommitted,
  open,
  setProblem,
  tryAgain,
} from '../files/file-changes.ts';
import { hashBytes } from '../files/file-identity.ts';
import type { FileRegistry } from '../files/file-registry.ts';
import { skipToEnd } from '../files/skip-to-end.ts';
import {
  birthPath,
  formerOf,
  generationOf,
  isLayoutKey,
  isProved,
  LAYOUT_PREFIX,
  NAMES_KEY,
  streamedNames,
  type WatchedFile,
} from '../files/watched-file.ts';
import type { LogNotes } from '../notes/log-notes.ts';
import { isNamed, withNamesOf } from '../parse/former-names.ts';
import { Layout } from '../parse/layout.ts';
import { makeParser } from '../parse/make-parser.ts';
import type { LineParser } from '../parse/parsed-block.ts';
import { shippedDialects } from '../recognise/dialect-library.ts';
import { isNoLog, type Undecided } from '../recognise/header-line.ts';
import { START_WORDS } from '../time/found-start.ts';
import { readLayout } from './file-reader.ts';
import { FolderRuns } from './folder-runs.ts';
import { areOwnRuns, contradictingStart, FolderStarts, isFarApart } from './folder-starts.ts';
import type { LastLines } from './last-lines.ts';
import type { Rest } from './rest-of-file.ts';
import type { RunOptions } from './run-options.ts';
import { goOnBehind } from './saved-again.ts';

/** Files that were skipped and are asked for the date order of their folder. */
const ASKED_MAX = 5;

/** The layouts and names of one run, as they were committed and as they are made. */
export class Openings {
  readonly #options: RunOptions;
  readonly #notes: LogNotes;
  readonly #names: ChannelNames;
  readonly #registry: Pick<FileRegistry, 'all'>;
  readonly #lastLines: Pick<LastLines, 'isFinal' | 'isWatched'>;
  readonly #layouts = new Map<string, Layout>();
  /** One for all files of a layout: a parser keeps nothing from block to block but its scratch memory. */
  readonly #parsers = new Map<string, LineParser>();
  readonly #storedLayouts = new Set<string>();
  /** Time format by folder, as a file of it has settled it. */
  readonly #settledFormats = new Map<string, string>();
  /** Layouts are filed under the settings that made them. */
  readonly #layoutPrefix: string;
  readonly #starts = new FolderStarts();
  readonly #runs: FolderRuns;
  /** Files just opened whose start is a guess from their modification time. */
  #guessed: WatchedFile[] = [];
  #areNamesStored = true;
  /** All files by the path at which they began; null: not asked for since new ones were opened last. */
  #born: ReadonlyMap<string, readonly WatchedFile[]> | null = null;

  /**
   * @param options - how the folder is read.
   * @param notes - where it is said what was taken for granted.
   * @param positions - what was committed.
   * @param registry - all files, gone ones too.
   * @param lastLines - tells whether a last line without its end counts.
   */
  constructor(
    options: RunOptions,
    notes: LogNotes,
    positions: ReadonlyMap<string, string>,
    registry: Pick<FileRegistry, 'all'>,
    lastLines: Pick<LastLines, 'isFinal' | 'isWatched'>,
  ) {
    this.#options = options;
    this.#lastLines = lastLines;
    this.#registry = registry;
    this.#notes = notes;
    this.#names = new ChannelNames(positions.get(NAMES_KEY));
    this.#runs = new FolderRuns(options, notes, this.#names);
    const settings = JSON.stringify([options.dialect, options.timeZone]);
    this.#layoutPrefix = `${LAYOUT_PREFIX}${hashBytes(new TextEncoder().encode(settings))}:`;
    for (const [key, value] of positions) {
      if (!isLayoutKey(key)) continue;
      this.#layouts.set(key, Layout.parse(JSON.parse(value)));
      this.#storedLayouts.add(key);
    }
  }

  /** Give a restored file its layout. One made under other settings no longer holds: it is made again, the position stays. */
  link(file: WatchedFile): void {
    // What was settled on the way through a file holds under any settings.
    const eras = file.eras.map((era) => {
      const layout = this.#layouts.get(era.layoutKey) ?? null;
      return { ...era, layout, parser: layout === null ? null : this.#parserOf(era.layoutKey, layout) };
    });
    const layout = this.#layouts.get(file.layoutKey ?? '');
    const key = file.layoutKey?.startsWith(this.#layoutPrefix) === true ? file.layoutKey : null;
    const isLinked = key !== null && layout !== undefined;
    linkLayouts(file, eras, isLinked ? { layoutKey: key, layout, parser: this.#parserOf(key, layout) } : null);
    if (isLinked) this.#settle(file);
  }

  #parserOf(key: string, layout: Layout): LineParser {
    const parser = this.#parsers.get(key) ?? makeParser(layout);
    this.#parsers.set(key, parser);
    return parser;
  }

  /** The channel of a column of a file. */
  channelOf(file: WatchedFile, column: string): string {
    return this.#names.channelOf(birthPath(file), column);
  }

  /** Files of one channel each can begin alike and be different: there only a name that tells of a copy makes one. */
  readonly mayRepeat = (file: WatchedFile, original: WatchedFile): boolean => {
    if (areOwnRuns(file, original)) return false;
    const isSameFamily = familyOf(birthPath(file)) === familyOf(birthPath(original));
    return isSameFamily || !(this.#names.isTidy(birthPath(file)) && streamedNames(file).length <= 1);
  };

  /** Positions that must be committed with the lines of a file, since they say how they were read. */
  unstored(file: WatchedFile): Position[] {
    const positions: Position[] = [];
    for (const { layoutKey: key, layout } of [file, ...file.eras]) {
      if (key === null || this.#storedLayouts.has(key)) continue;
      positions.push({ key, value: JSON.stringify(layout) });
      this.#storedLayouts.add(key);
    }
    if (!this.#areNamesStored) positions.push({ key: NAMES_KEY, value: this.#names.stored });
    this.#areNamesStored = true;
    return positions;
  }

  /**
   * Forget the layouts that no file has.
   *
   * @returns the keys of their positions.
   */
  forgetUnused(files: Iterable<WatchedFile>): string[] {
    const used = new Set([...files].flatMap(({ layoutKey, eras }) => [layoutKey, ...eras.map((era) => era.layoutKey)]));
    const over = [...this.#storedLayouts].filter((key) => !used.has(key));
    for (const key of over) {
      this.#storedLayouts.delete(key);
      this.#layouts.delete(key);
      this.#parsers.delete(key);
    }
    return over;
  }

  /** Make layouts for the files that have none, then names, all at once. */
  openNew(present: readonly WatchedFile[]): void {
    const opened: WatchedFile[] = [];
    this.#born = null;
    for (;;) {
      const closed = present.filter(isToOpen);
      opened.push(...closed.filter((file) => this.#open(file)));
      const isTried = closed.length === 0 || !this.#tryAgain(closed, opened, present);
      if (isTried) break;
    }
    this.#agreeOnStarts();
    const told = this.#runs.place(opened, present);
    if (told.length > 0) this.giveNames(told);
  }

  /** The family whose channels a file has. */
  seriesOf(file: WatchedFile): string {
    return this.#names.rootOf(birthPath(file));
  }

  /** Take note of what a file gave, so that runs which overlap after all are told. */
  noteSpan(file: WatchedFile, timesMs: Float64Array): void {
    this.#runs.note(file, timesMs);
  }

  /** The files of one folder count from one start, whatever each of them made of its own modification time. */
  #agreeOnStarts(): void {
    for (const agreed of this.#starts.agree(this.#guessed.splice(0))) {
      const { files, startMs } = agreed;
      if (isFarApart(agreed) && !agreed.isClosedTogether) {
        for (const file of files) {
          const problem = contradictingStart(file);
          setProblem(file, problem);
          this.#notes.undecided(file, problem);
        }
        continue;
      }
      for (const file of files) {
        if (file.layout === null) continue;
        giveLayout(file, this.#filed({ ...file.layout, startMs }), startMs - (file.layout.startMs ?? startMs));
      }
      if (isFarApart(agreed)) {
        const folder = folderOf(files[0]?.path ?? '') || 'the folder itself';
        this.#notes.add('log.starts-differ', folder, `by ${formatDuration(agreed.spreadMs)}`);
      }
    }
  }

  /** Give the columns of opened files their channels; those that have one keep it. */
  giveNames(files: readonly WatchedFile[]): void {
    const named = files.map((file) => ({ path: birthPath(file), columns: streamedNames(file) }));
    const { isChanged, qualified } = this.#names.give(named);
    if (isChanged) this.#areNamesStored = false;
    for (const one of qualified) this.#notes.add('log.name-qualified', one);
  }

  /** What one file has settled may settle others of its folder. Returns true when there are such. */
  #tryAgain(closed: readonly WatchedFile[], opened: readonly WatchedFile[], present: readonly WatchedFile[]): boolean {
    const folders = new Set(opened.map(({ path }) => folderOf(path)));
    const isOpen = ({ problem, isRetried }: WatchedFile) => problem?.code === 'log.date-order-ambiguous' && !isRetried;
    for (const folder of new Set(closed.filter(isOpen).map(({ path }) => folderOf(path)))) {
      if (!folders.has(folder) && this.#askPassedOver(folder, present)) folders.add(folder);
    }
    const waiting = present.filter((file) => isOpen(file) && folders.has(folderOf(file.path)));
    for (const file of waiting) tryAgain(file, true);
    return waiting.length > 0;
  }

  /** Ask the newest files of a folder that were skipped unread for the date order. Returns true when one told. */
  #askPassedOver(folder: string, present: readonly WatchedFile[]): boolean {
    const beside = present.filter(({ path, skip }) => skip !== null && folderOf(path) === folder);
    beside.sort((a, b) => (b.seen?.modifiedMs ?? 0) - (a.seen?.modifiedMs ?? 0));
    for (const file of beside.slice(0, ASKED_MAX)) {
      const result = this.#readLayout(file);
      if (typeof result === 'string' || !('layout' in result)) continue;
      this.#settledFormats.set(folder, result.layout.timeFormat);
      return true;
    }
    return false;
  }

  /** A log that is cut and goes on without the line that names its columns has the names that it had. */
  #readLayout(file: WatchedFile): ReturnType<typeof readLayout> {
    const { dialect } = this.#options;
    const found = this.#readAs(file, dialect);
    if (typeof found === 'string' || !('layout' in found)) return found;
    if (dialect.header !== 'auto' || isNamed(found.layout)) return found;
    const former = this.#formerOf(file)?.layout ?? null;
    const named = former === null ? null : withNamesOf(former, found.layout, dialect);
    if (named === null) return found;
    const again = this.#readAs(file, named);
    if (typeof again === 'string' || !('layout' in again)) return found;
    this.#notes.add('log.names-of-former', file.path);
    return again;
  }

  #formerOf(file: WatchedFile): WatchedFile | undefined {
    if (generationOf(file) === 1) return undefined;
    this.#born ??= Map.groupBy(this.#registry.all, birthPath);
    return formerOf(file, this.#born.get(birthPath(file)) ?? []);
  }

  #readAs(file: WatchedFile, dialect: Dialect): ReturnType<typeof readLayout> {
    const { timeZone } = this.#options;
    const settled = this.#settledFormats.get(folderOf(file.path)) ?? null;
    const nowMs = this.#options.clock.nowMs();
    return readLayout(this.#options, file, dialect, timeZone, settled, shippedDialects(), nowMs, this.#lastLines);
  }

  #open(file: WatchedFile): boolean {
    noteTried(file);
    const isHeld = file.skip !== null && skipToEnd(file, this.#options, file.skip.bytes) !== 'done';
    const result = isHeld ? 'held' : this.#readLayout(file);
    if (result === 'held') this.#notes.add('log.file-held', file.path);
    else this.#notes.freed(file.path);
    if (typeof result === 'string') {
      tryAgain(file);
      return false;
    }
    if (!('layout' in result)) {
      const told = isNoLog(result.code) && this.#wasLog(file) ? noLogNow(file.path, result) : result;
      this.#notes.undecided(file, told);
      setProblem(file, told.isWaiting ? null : told);
      if (this.#lastLines.isWatched(file.path)) tryAgain(file);
      return false;
    }
    this.#notes.decided(file);
    open(file, this.#filed(result.layout), result);
    const former = this.#formerOf(file);
    const isSavedAgain = former !== undefined && goOnBehind(file, former, this.#options);
    if (isSavedAgain) this.#notes.add('log.saved-again', file.path);
    this.#settle(file);
    if (result.startFrom === 'file') {
      this.#guessed.push(file);
      this.#notes.add('log.start-from-file', file.path);
    }
    if (result.assumed.start) this.#notes.startFound(file, START_WORDS[result.startFrom ?? 'header']);
    if (result.assumed.counted) this.#notes.add('log.times-counted', file.path);
    if (result.assumed.seconds) this.#notes.add('log.time-unit-assumed', file.path);
    if (result.holeBytes > 0) this.#notes.add('log.hole', file.path, formatBytes(result.holeBytes));
    if (result.layout.eventText !== null) this.#notes.add('log.events', file.path);
    this.#notes.columnsLeftOut(file);
    return true;
  }

  /** Lines of it were read before, or another file stood at its path and files of its kind are logs. */
  #wasLog(file: WatchedFile): boolean {
    return isProved(file) || (generationOf(file) > 1 && this.#names.hasFamily(birthPath(file)));
  }

  /** Read a file as a run of its own, which began when its modification time says. */
  takeAsOwnRun(file: WatchedFile): void {
    setProblem(file, null);
    noteUncommitted(file);
    if (file.layout !== null) giveLayout(file, this.#filed({ ...file.layout, isOwnRun: true }));
  }

  /** Begin another era of a file: from `fromByte` on it is read by the layout that was found for what follows. */
  beginEra(file: WatchedFile, fromByte: number, { layout, kinds, dataByte }: Rest): void {
    addEra(file, { ...this.#filed(layout), fromByte, dataByte, kinds });
  }

  /** A layout under its key, one and the same for all files that have it. */
  #filed(own: Layout): FiledLayout {
    const layoutKey = this.#layoutPrefix + hashBytes(new TextEncoder().encode(JSON.stringify(own)));
    const layout = this.#layouts.get(layoutKey) ?? own;
    this.#layouts.set(layoutKey, layout);
    return { layoutKey, layout, parser: this.#parserOf(layoutKey, layout) };
  }

  #settle(file: WatchedFile): void {
    const { layout, path } = file;
    if (layout === null) return;
    this.#settledFormats.set(folderOf(path), layout.timeFormat);
    const isGuess = this.#options.dialect.time.start?.from === 'file' && layout.startMs !== null;
    if (isGuess && file.byte > 0) this.#starts.note(file, layout.startMs as number);
  }
}

/** A file that is no log is nobody's concern; one that was a log holds what somebody waits for. */
function noLogNow(path: string, found: Undecided): Undecided {
  return {
    ...found,
    code: 'log.no-log-now',
    message: `${path} was a log, and is none any more: ${found.message}`,
    hint: `What was read of it stands; nothing that it holds now is read. Put the log back. ${found.hint}`,
  };
}

/** Files that need a layout now. One that was skipped needs none before it has grown. */
function isToOpen({ layout, copyOf, seen, triedAtBytes, skip, isLeftOut }: WatchedFile): boolean {
  const isWanted = layout === null && copyOf === null && !isLeftOut && seen !== null && seen.sizeBytes > 0;
  return isWanted && seen.sizeBytes !== triedAtBytes && (skip === null || seen.sizeBytes > skip.bytes);
}
