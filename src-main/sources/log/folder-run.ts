// One run of a log source: look, read, hand over, wait.
//
// Bounds: text of a capture at most CAPTURE_BYTES; one capture being committed while the next is read. Invariants: a
// capture is handed over only after the former one is on disk, so a position never stands beyond a hole; whatever fails
// ends the run, and the next run begins from what was committed.
import { join } from 'node:path';
import type { Position, SourceSink } from '../source.ts';
import { type Batch, byKey, emptyBatch } from './capture-batch.ts';
import { ChannelNames, familyOf, folderOf } from './channel-names.ts';
import { shippedDialects } from './dialect-library.ts';
import { endDrain } from './drain-end.ts';
import { hashBytes } from './file-identity.ts';
import { type BlockRead, readBlock, readLayout } from './file-reader.ts';
import { FileRegistry } from './file-registry.ts';
import { FolderHints } from './folder-hints.ts';
import { compileMatch, type Listing, scanFolder } from './folder-scan.ts';
import { LINE_BYTES_MAX } from './framer.ts';
import { Layout, placeOf } from './layout.ts';
import { LogNotes } from './log-notes.ts';
import { makeParser } from './make-parser.ts';
import { inReadingOrder, setOrigin } from './reading-order.ts';
import type { RunOptions } from './run-options.ts';
import { skipToEnd } from './skip-to-end.ts';
import {
  birthPath,
  FOLDER_KEY,
  LAYOUT_PREFIX,
  NAMES_KEY,
  positionOf,
  restoreFile,
  StoredFile,
  streamedNames,
  type WatchedFile,
} from './watched-file.ts';

const CAPTURE_BYTES = 1024 * 1024;
const REFUSALS_MAX = 100;
/** Time between two looks when nothing hints, milliseconds. */
const LOOK_MS = 500;
/** A look may take at most this part of the time: large folders are looked at less often. */
const LOOK_SHARE = 0.1;
/** Files whose heads are read side by side. */
const OPENED_AT_ONCE = 16;
/** Positions written with one capture. */
const POSITIONS_MAX = 1000;

/** State of one run; made anew for each, from the committed positions. */
export class FolderRun {
  readonly #options: RunOptions;
  readonly #sink: SourceSink;
  readonly #signal: AbortSignal;
  readonly #registry: FileRegistry;
  readonly #notes: LogNotes;
  readonly #hints: FolderHints;
  readonly #scratch = new Uint8Array(LINE_BYTES_MAX);
  readonly #layouts = new Map<string, Layout>();
  readonly #storedLayouts = new Set<string>();
  readonly #declared = new Map<string, string>();
  readonly #settledFormats = new Map<string, string>();
  #names = new ChannelNames(undefined);
  #areNamesStored = true;
  #isSurveyed = false;
  #isFirstLook = true;
  #lookedAtMs = 0;
  /** Wall clock of the look before, in this run; 0 before the second. */
  #formerLookMs = 0;
  #commit: Promise<void> = Promise.resolve();

  constructor(options: RunOptions, sink: SourceSink, signal: AbortSignal) {
    this.#options = options;
    this.#sink = sink;
    this.#signal = signal;
    this.#notes = new LogNotes((note) => sink.note(note), options.clock);
    this.#hints = new FolderHints(options.path, options.clock);
    this.#registry = new FileRegistry(options.path, {
      restarted: (file) => {
        this.#notes.restarted(file);
        this.#gap(file, 'the log file was restarted; lines written after the last look may be missing');
      },
      lost: (file) => {
        this.#notes.lost(file);
        this.#gap(file, 'the log file was removed; lines written after the last look may be missing');
      },
      sameContent: (file, original) => this.#notes.sameContent(file.path, original.path),
      held: (path) => this.#notes.held(path),
      freed: (path) => this.#notes.freed(path),
    });
  }

  /** Run until aborted, or, when draining, until everything that was there is read. */
  async run(): Promise<void> {
    this.#restore(await this.#sink.positions());
    try {
      while (!this.#signal.aborted) {
        const beganMs = this.#options.clock.monotonicMs();
        await this.#look();
        await this.#readNews();
        this.#notes.publish();
        if (this.#options.isDrain) return endDrain(this.#registry.present, this.#notes);
        const tookMs = this.#options.clock.monotonicMs() - beganMs;
        await this.#hints.wait(Math.max(LOOK_MS, tookMs / LOOK_SHARE), this.#signal);
      }
    } finally {
      await Promise.allSettled([this.#commit, this.#hints.close()]);
    }
  }

  #gap(file: WatchedFile, cause: string): void {
    const nowMs = this.#options.clock.nowMs();
    const fromMs = Math.max(file.lookedMs, this.#formerLookMs);
    if (fromMs > 0 && fromMs <= nowMs) this.#sink.gap(fromMs, nowMs, `${file.path}: ${cause}`);
  }

  #restore(positions: ReadonlyMap<string, string>): void {
    this.#isSurveyed = positions.has(FOLDER_KEY);
    this.#names = new ChannelNames(positions.get(NAMES_KEY));
    for (const [key, value] of positions) {
      if (!key.startsWith(LAYOUT_PREFIX)) continue;
      this.#layouts.set(key, Layout.parse(JSON.parse(value)));
      this.#storedLayouts.add(key);
    }
    for (const [key, value] of positions) {
      if (key.startsWith(LAYOUT_PREFIX) || key === FOLDER_KEY || key === NAMES_KEY) continue;
      const file = restoreFile(key, StoredFile.parse(JSON.parse(value)));
      const layout = this.#layouts.get(file.layoutKey ?? '');
      // A layout made under other settings no longer holds: it is made again, the position stays.
      if (layout !== undefined && file.layoutKey?.startsWith(this.#layoutPrefix) === true) {
        file.layout = layout;
        file.parser = makeParser(layout);
        this.#settle(file);
      } else file.layoutKey = null;
      file.backfillUntil = file.byte;
      this.#registry.restore(file);
    }
  }

  /** Layouts are filed under the settings that made them. */
  get #layoutPrefix(): string {
    const { dialect, timeZone } = this.#options;
    return `${LAYOUT_PREFIX}${hashBytes(new TextEncoder().encode(JSON.stringify([dialect, timeZone])))}:`;
  }

  #settle(file: WatchedFile): void {
    if (file.layout !== null) this.#settledFormats.set(folderOf(file.path), file.layout.timeFormat);
  }

  async #look(): Promise<void> {
    const { path, match, clock } = this.#options;
    this.#lookedAtMs = clock.monotonicMs();
    const listing = await scanFolder(path, compileMatch(match));
    for (const link of listing.refusedLinks) this.#notes.linkRefused(link);
    const moment = { nowMs: clock.nowMs(), monotonicMs: clock.monotonicMs() };
    const isDrained = this.#options.isDrain && !this.#isFirstLook;
    const fresh = await this.#registry.reconcile(listing, moment);
    this.#formerLookMs = moment.nowMs;
    if (!this.#isSurveyed) await this.#survey(fresh, listing);
    if (this.#isFirstLook) {
      for (const file of this.#registry.present) setOrigin(file, this.#options.isDrain);
      this.#isFirstLook = false;
      if (!this.#options.isDrain) this.#hints.start(listing.files.size);
    } else if (isDrained) for (const file of fresh) file.stopAt = 0;
    await this.#openNew();
  }

  /** First start with this folder: take note of what is there before anything is read. */
  async #survey(files: readonly WatchedFile[], listing: Listing): Promise<void> {
    const { backfill } = this.#options;
    const skipped: Position[] = [];
    for (const file of files) {
      const isWanted = typeof backfill === 'object' && (file.seen?.modifiedMs ?? 0) >= backfill.fromMs;
      if (backfill === 'all' || isWanted) continue;
      await skipToEnd(file, join(this.#options.path, file.path));
      skipped.push(positionOf(file));
    }
    for (let at = 0; at < skipped.length; at += POSITIONS_MAX) {
      await this.#handOver({ ...emptyBatch(), positions: byKey(skipped.slice(at, at + POSITIONS_MAX)) });
    }
    const mark = { surveyedMs: this.#options.clock.nowMs(), files: listing.files.size };
    await this.#handOver({ ...emptyBatch(), positions: byKey([{ key: FOLDER_KEY, value: JSON.stringify(mark) }]) });
    await this.#commit;
    this.#isSurveyed = true;
  }

  /** Make layouts for the files that have none, then names, all at once: the order of the folder must not matter. */
  async #openNew(): Promise<void> {
    const opened: WatchedFile[] = [];
    for (;;) {
      const closed = this.#registry.present.filter(
        ({ layout, copyOf, seen, triedAtBytes }) =>
          layout === null && copyOf === null && seen !== null && seen.sizeBytes > 0 && seen.sizeBytes !== triedAtBytes,
      );
      for (let at = 0; at < closed.length && !this.#signal.aborted; at += OPENED_AT_ONCE) {
        const some = closed.slice(at, at + OPENED_AT_ONCE);
        const isOpen = await Promise.all(some.map((file) => this.#open(file)));
        opened.push(...some.filter((_, index) => isOpen[index]));
      }
      if (this.#signal.aborted || !this.#tryAgain(opened)) break;
    }
    if (opened.length > 0) this.#giveNames(opened);
  }

  /** What one file has settled may settle others of its folder. **Gives**: true when there are such. */
  #tryAgain(opened: readonly WatchedFile[]): boolean {
    const folders = new Set(opened.map(({ path }) => folderOf(path)));
    const waiting = this.#registry.present.filter(
      ({ path, problem, isRetried }) =>
        problem?.code === 'log.date-order-ambiguous' && !isRetried && folders.has(folderOf(path)),
    );
    for (const file of waiting) {
      file.isRetried = true;
      file.triedAtBytes = -1;
    }
    return waiting.length > 0;
  }

  #giveNames(files: readonly WatchedFile[]): void {
    const named = files.map((file) => ({ path: birthPath(file), columns: streamedNames(file) }));
    const { isChanged, qualified } = this.#names.give(named);
    if (isChanged) this.#areNamesStored = false;
    for (const one of qualified) this.#notes.nameQualified(one);
  }

  async #open(file: WatchedFile): Promise<boolean> {
    const { path, dialect, timeZone } = this.#options;
    file.triedAtBytes = file.seen?.sizeBytes ?? 0;
    const settled = this.#settledFormats.get(folderOf(file.path)) ?? null;
    const result = await readLayout(join(path, file.path), file.path, dialect, timeZone, settled, shippedDialects());
    if (result === 'held') this.#notes.held(file.path);
    if (typeof result === 'string') {
      file.triedAtBytes = -1;
      return false;
    }
    if (!('layout' in result)) {
      this.#notes.undecided(file, result);
      file.problem = result.isWaiting ? null : result;
      return false;
    }
    this.#notes.decided(file);
    file.problem = null;
    const text = JSON.stringify(result.layout);
    file.layout = result.layout;
    file.layoutKey = this.#layoutPrefix + hashBytes(new TextEncoder().encode(text));
    this.#layouts.set(file.layoutKey, result.layout);
    file.parser = makeParser(result.layout);
    file.kinds = result.kinds;
    file.dataByte = result.dataByte;
    file.firstMs = result.firstMs;
    this.#settle(file);
    if (result.startFrom === 'file') this.#notes.startFromFile(file);
    if (result.layout.eventText !== null) this.#notes.keptAsMarks(file);
    this.#notes.columnsLeftOut(file);
    return true;
  }

  /** Read everything that waits, news before backlog. */
  async #readNews(): Promise<void> {
    const exhausted = new Set<WatchedFile>();
    while (!this.#signal.aborted) {
      const batch = await this.#collect(exhausted);
      if (batch.positions.size === 0) break;
      await this.#handOver(batch);
      // Others may have grown while a long backlog is read.
      const isDue = this.#options.clock.monotonicMs() - this.#lookedAtMs > LOOK_MS;
      if (isDue && !this.#options.isDrain) await this.#look();
    }
    await this.#commitMoves();
    await this.#commit;
  }

  /** Commit the new places of files of which nothing was read, or every restart would search for them again. */
  async #commitMoves(): Promise<void> {
    const moved = this.#registry.present.filter(({ hasMoved }) => hasMoved);
    for (let at = 0; at < moved.length; at += POSITIONS_MAX) {
      const some = moved.slice(at, at + POSITIONS_MAX);
      for (const file of some) file.hasMoved = false;
      await this.#handOver({ ...emptyBatch(), positions: byKey(some.map(positionOf)) });
    }
  }

  async #collect(exhausted: Set<WatchedFile>): Promise<Batch> {
    const batch = emptyBatch();
    for (const file of inReadingOrder(this.#registry.present, exhausted)) {
      if (batch.bytes >= CAPTURE_BYTES || this.#signal.aborted) break;
      const origin = file.byte < file.backfillUntil ? 'backfill' : 'live';
      if (batch.origin !== null && batch.origin !== origin) continue;
      if (this.#options.isFileByFile && batch.files.size > 0 && !batch.files.has(file.path)) continue;
      const isRepeat = await this.#isRepeat(file);
      if (isRepeat === 'held') exhausted.add(file);
      if (isRepeat) continue;
      const read = await readBlock(file, join(this.#options.path, file.path), this.#sinceMs, this.#scratch);
      if (read === 'held') this.#notes.held(file.path);
      if (read === 'changed') this.#registry.forgetLook(file);
      if (read === null || typeof read === 'string') exhausted.add(file);
      else {
        batch.origin = origin;
        this.#registry.copies.noteRead(file);
        this.#add(batch, file, read);
      }
    }
    // Who repeats whom was found out on the way to these lines, and is committed with them.
    if (batch.positions.size > 0) {
      for (const file of this.#registry.present) {
        if (!file.hasMoved || batch.positions.size >= POSITIONS_MAX) continue;
        batch.positions.set(file.key, positionOf(file));
        file.hasMoved = false;
      }
    }
    return batch;
  }

  /** Are the lines that wait in a file those of another one? `held`: that cannot be told now. */
  async #isRepeat(file: WatchedFile): Promise<boolean | 'held'> {
    const { copies } = this.#registry;
    const isRepeat = file.byte === 0 && (await copies.isRepeat(file, (original) => this.#mayRepeat(file, original)));
    return isRepeat || (file.twin !== null && copies.repeatsTwin(file));
  }

  /** Files of one channel each can begin alike and be different: there only a name that tells of a copy makes one. */
  #mayRepeat(file: WatchedFile, original: WatchedFile): boolean {
    const isSameFamily = familyOf(birthPath(file)) === familyOf(birthPath(original));
    return isSameFamily || !(this.#names.isTidy(birthPath(file)) && streamedNames(file).length <= 1);
  }

  get #sinceMs(): number {
    const { backfill } = this.#options;
    return typeof backfill === 'object' ? backfill.fromMs : Number.NEGATIVE_INFINITY;
  }

  #add(batch: Batch, file: WatchedFile, { frame, taken, parsed }: BlockRead): void {
    const layout = file.layout as Layout;
    if (parsed.timesMs.length > 0) {
      const channels = this.#declare(file, layout, parsed.columns);
      batch.blocks.push({ channels, timesMs: parsed.timesMs, values: parsed.values });
    }
    const block = parsed.timesMs.length > 0 ? batch.blocks.length - 1 : null;
    batch.sourceBytes.push({ file: file.key, place: file.path, ...taken, block });
    const named = parsed.refusals.map((refusal) => ({
      ...refusal,
      channel: refusal.channel === '' ? '' : this.#names.channelOf(birthPath(file), refusal.channel),
    }));
    batch.refusals.push(...named.slice(0, REFUSALS_MAX - batch.refusals.length));
    for (const mark of parsed.marks) batch.marks.push(mark);
    batch.refusedCount += parsed.refusedCount;
    batch.rowsRead += parsed.rowsRead;
    batch.bytes += frame.takenBytes;
    batch.files.add(file.path);
    if (frame.droppedBytes > 0) {
      this.#notes.lineTooLong(file, frame.droppedBytes);
      if (!frame.isDropping) batch.refusedCount += 1;
    }
    this.#notes.parsed(file, parsed);
    if (file.problem !== null) this.#notes.undecided(file, { ...file.problem, isWaiting: false });
    if (file.layoutKey !== null && !this.#storedLayouts.has(file.layoutKey)) {
      batch.positions.set(file.layoutKey, { key: file.layoutKey, value: JSON.stringify(layout) });
      this.#storedLayouts.add(file.layoutKey);
    }
    if (!this.#areNamesStored) {
      batch.positions.set(NAMES_KEY, { key: NAMES_KEY, value: this.#names.stored });
      this.#areNamesStored = true;
    }
    batch.positions.set(file.key, positionOf(file));
    file.hasMoved = false;
  }

  /** Declare the channels of a block that are not declared yet, or whose unit changed. */
  #declare(file: WatchedFile, layout: Layout, columns: readonly number[]): string[] {
    this.#giveNames([file]);
    const fresh: { name: string; quantity: string; unit: string; origin: string; expectedIntervalMs: null }[] = [];
    const channels = columns.map((column) => {
      const { name, unit } = layout.columns[column] ?? { name: '', unit: '' };
      const channel = this.#names.channelOf(birthPath(file), name);
      if (this.#declared.get(channel) !== unit) {
        this.#declared.set(channel, unit);
        const origin = `${file.path}, ${placeOf(layout, column)}`;
        fresh.push({ name: channel, quantity: '', unit, origin, expectedIntervalMs: null });
      }
      return channel;
    });
    if (fresh.length > 0) this.#sink.declare(fresh);
    return channels;
  }

  /** Hand a batch over once the former one is on disk; the next can be read meanwhile. */
  async #handOver(batch: Batch): Promise<void> {
    await this.#commit;
    const [file = null] = batch.files.size === 1 ? batch.files : [];
    this.#commit = this.#sink.capture({
      blocks: batch.blocks,
      positions: [...batch.positions.values()],
      ...(batch.marks.length > 0 ? { marks: batch.marks } : {}),
      rowsRead: batch.rowsRead,
      refusals: batch.refusals,
      sourceBytes: batch.sourceBytes,
      refusedCount: batch.refusedCount,
      origin: batch.origin ?? 'live',
      file,
    });
    // A failure is met at the next await; until then it must not count as unhandled.
    this.#commit.catch(() => undefined);
  }
}
