// One run of a log source: look, read, hand over, wait.
//
// Bounds: text of a capture at most CAPTURE_BYTES; one capture being committed while the next is read. Invariants: a
// capture is handed over only after the former one is on disk, so a position never stands beyond a hole; whatever fails
// ends the run, and the next run begins from what was committed.
import { join } from 'node:path';
import { AgentError } from '../../model/agent-error.ts';
import type { Position, SourceSink } from '../source.ts';
import { type Batch, byKey, emptyBatch } from './capture-batch.ts';
import { familyOf } from './channel-names.ts';
import { endDrain } from './drain-end.ts';
import { type BlockRead, readBlock } from './file-reader.ts';
import { FileRegistry } from './file-registry.ts';
import { FolderHints } from './folder-hints.ts';
import { checkMounted, type FolderMark, readMark, sayBack, sayLost } from './folder-mark.ts';
import { compileMatch, type Listing, scanFolder } from './folder-scan.ts';
import { LINE_BYTES_MAX } from './framer.ts';
import { type Layout, placeOf } from './layout.ts';
import { LogNotes } from './log-notes.ts';
import { Openings } from './openings.ts';
import { inReadingOrder, setOrigin } from './reading-order.ts';
import type { RunOptions } from './run-options.ts';
import { SilenceNotes } from './silence-notes.ts';
import { addUp, passOver } from './survey.ts';
import { ToolClock } from './tool-clock.ts';
import {
  birthPath,
  FOLDER_KEY,
  isLayoutKey,
  NAMES_KEY,
  positionOf,
  restoreFile,
  StoredFile,
  type WatchedFile,
} from './watched-file.ts';

const CAPTURE_BYTES = 1024 * 1024;
const REFUSALS_MAX = 100;
/** Time between two looks when nothing hints, milliseconds. */
const LOOK_MS = 500;
/** A look may take at most this part of the time: large folders are looked at less often. */
const LOOK_SHARE = 0.1;
/** Positions written with one capture, and files of which one holds lines. */
const POSITIONS_MAX = 1000;
/** Time between two looks for positions that may be dropped, milliseconds. */
const TIDY_MS = 3_600_000;

/** State of one run; made anew for each, from the committed positions. */
export class FolderRun {
  readonly #options: RunOptions;
  readonly #sink: SourceSink;
  readonly #signal: AbortSignal;
  readonly #registry: FileRegistry;
  readonly #notes: LogNotes;
  readonly #hints: FolderHints;
  readonly #silence: SilenceNotes;
  readonly #scratch = new Uint8Array(LINE_BYTES_MAX);
  readonly #declared = new Map<string, string>();
  #openings: Openings;
  #mark: FolderMark | null = null;
  readonly #toolClock = new ToolClock();
  #isFirstLook = true;
  #lookedAtMs = 0;
  #lookTookMs = 0;
  #tidiedAtMs = Number.NEGATIVE_INFINITY;
  /** Wall clock of the look before, in this run; 0 before the second. */
  #formerLookMs = 0;
  #commit: Promise<void> = Promise.resolve();

  constructor(options: RunOptions, sink: SourceSink, signal: AbortSignal) {
    this.#options = options;
    this.#sink = sink;
    this.#signal = signal;
    this.#notes = new LogNotes((note) => sink.note(note), options.clock);
    this.#hints = new FolderHints(options.path, options.clock);
    this.#silence = new SilenceNotes((note) => sink.note(note));
    this.#openings = new Openings(options, this.#notes, new Map());
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
        const difference = this.#toolClock.endLook();
        if (difference !== undefined) this.#notes.toolClock(difference);
        this.#notes.publish();
        if (this.#options.isDrain) return endDrain(this.#registry.present, this.#notes);
        this.#silence.publish(this.#options.clock.monotonicMs());
        const tookMs = this.#options.clock.monotonicMs() - beganMs;
        await this.#hints.wait(Math.max(LOOK_MS, tookMs / LOOK_SHARE), this.#signal);
      }
    } catch (thrown) {
      throw await this.#sinceWhen(thrown);
    } finally {
      this.#silence.end();
      await Promise.allSettled([this.#commit, this.#hints.close()]);
    }
  }

  #gap(file: WatchedFile, cause: string): void {
    const nowMs = this.#options.clock.nowMs();
    const fromMs = Math.max(file.lookedMs, this.#formerLookMs);
    if (fromMs > 0 && fromMs <= nowMs) this.#sink.gap(fromMs, nowMs, `${file.path}: ${cause}`);
  }

  #restore(positions: ReadonlyMap<string, string>): void {
    this.#mark = readMark(positions);
    this.#registry.restoreFloor(this.#mark?.floor ?? 0);
    this.#openings = new Openings(this.#options, this.#notes, positions);
    for (const [key, value] of positions) {
      if (isLayoutKey(key) || key === FOLDER_KEY || key === NAMES_KEY) continue;
      const file = restoreFile(key, StoredFile.parse(JSON.parse(value)));
      this.#openings.link(file);
      file.backfillUntil = file.byte;
      this.#registry.restore(file);
    }
  }

  /** The folder cannot be reached: remember since when, for as many runs as that takes. Any other error stays as it is. */
  async #sinceWhen(thrown: unknown): Promise<unknown> {
    const mark = this.#mark;
    if (!(thrown instanceof AgentError) || thrown.code !== 'log.folder-missing' || mark === null) return thrown;
    const lostMs = mark.lostMs ?? this.#options.clock.nowMs();
    // If even that cannot be stored, the time is told anew by the next run.
    if (mark.lostMs === null) await this.#keepMark({ ...mark, lostMs }).catch(() => undefined);
    return sayLost(this.#options.path, lostMs, thrown);
  }

  async #keepMark(mark: FolderMark): Promise<void> {
    this.#mark = mark;
    await this.#handOver({ ...emptyBatch(), positions: byKey([{ key: FOLDER_KEY, value: JSON.stringify(mark) }]) });
    await this.#commit;
  }

  async #look(): Promise<void> {
    const { path, match, clock, isDrain } = this.#options;
    const beganMs = clock.monotonicMs();
    const listing = await scanFolder(path, compileMatch(match));
    checkMounted(path, listing, this.#mark, this.#registry.present.length);
    for (const link of listing.refusedLinks) this.#notes.linkRefused(link);
    for (const name of listing.unreadableNames) this.#notes.nameUnreadable(name);
    const moment = { nowMs: clock.nowMs(), monotonicMs: clock.monotonicMs() };
    const isLaterOfDrain = isDrain && !this.#isFirstLook;
    const fresh = await this.#registry.reconcile(listing, moment);
    this.#formerLookMs = moment.nowMs;
    await this.#markFolder(fresh, listing);
    if (this.#isFirstLook) for (const file of this.#registry.present) setOrigin(file, isDrain);
    else if (isLaterOfDrain) for (const file of fresh) file.stopAt = 0;
    this.#isFirstLook = false;
    if (!isDrain) await this.#hints.follow(listing.files.size);
    await this.#openings.openNew(this.#registry.present, this.#signal);
    this.#lookedAtMs = clock.monotonicMs();
    this.#silence.look(this.#lookedAtMs);
    this.#lookTookMs = this.#lookedAtMs - beganMs;
  }

  /** Keep what is known of the folder as a whole; at the first look take note of what is there before anything is read. */
  async #markFolder(fresh: readonly WatchedFile[], listing: Listing): Promise<void> {
    const { identity, files } = listing;
    const nowMs = this.#options.clock.nowMs();
    const mark = this.#mark;
    if (mark === null) {
      const passed = await passOver(fresh, this.#options, nowMs);
      await this.#commitFiles(passed);
      const question = this.#options.backfill === 'ask' ? addUp(passed) : null;
      await this.#keepMark({ surveyedMs: nowMs, files: files.size, identity, lostMs: null, floor: 0, question });
    } else {
      if (mark.lostMs !== null) this.#notes.back(sayBack(this.#options.path, mark.lostMs, nowMs));
      const isOther = files.size > 0 && mark.identity !== identity;
      const isAnswered = mark.question !== null && this.#options.backfill !== 'ask';
      if (mark.lostMs !== null || isOther || isAnswered) {
        const question = isAnswered ? null : mark.question;
        await this.#keepMark({ ...mark, identity: isOther ? identity : mark.identity, lostMs: null, question });
      }
    }
    if (this.#mark?.question) this.#notes.askBackfill(this.#mark.question);
  }

  /** Drop the positions of files that have long gone. */
  async #tidy(): Promise<void> {
    const { clock } = this.#options;
    if (this.#options.isDrain || clock.monotonicMs() - this.#tidiedAtMs < TIDY_MS) return;
    this.#tidiedAtMs = clock.monotonicMs();
    const files = this.#registry.forgetOld(clock.nowMs());
    if (files.length === 0 || this.#mark === null) return;
    // How far their numbers went is known before they are dropped: no later file may be taken for one of them.
    await this.#keepMark({ ...this.#mark, floor: this.#registry.floor });
    const keys = [...files, ...this.#openings.forgetUnused(this.#registry.all)];
    await this.#commitPositions(keys.map((key) => ({ key, value: '' })));
  }

  /** Read everything that waits, news before backlog. */
  async #readNews(): Promise<void> {
    const exhausted = new Set<WatchedFile>();
    while (!this.#signal.aborted) {
      const batch = await this.#collect(exhausted);
      if (batch.positions.size === 0) break;
      await this.#handOver(batch);
      // Others may have grown while a long backlog is read.
      const dueMs = Math.max(LOOK_MS, this.#lookTookMs / LOOK_SHARE);
      const isDue = this.#options.clock.monotonicMs() - this.#lookedAtMs > dueMs;
      if (isDue && !this.#options.isDrain) await this.#look();
    }
    // The new places of files of which nothing was read: or every restart would search for them again.
    await this.#commitFiles(this.#registry.moved);
    await this.#tidy();
    await this.#commit;
  }

  async #commitFiles(files: readonly WatchedFile[]): Promise<void> {
    for (const file of files) file.hasMoved = false;
    await this.#commitPositions(files.map(positionOf));
  }

  async #commitPositions(positions: readonly Position[]): Promise<void> {
    for (let at = 0; at < positions.length; at += POSITIONS_MAX) {
      await this.#handOver({ ...emptyBatch(), positions: byKey(positions.slice(at, at + POSITIONS_MAX)) });
    }
  }

  async #collect(exhausted: Set<WatchedFile>): Promise<Batch> {
    const batch = emptyBatch();
    for (const file of inReadingOrder(this.#registry.present, exhausted)) {
      if (batch.bytes >= CAPTURE_BYTES || batch.files.size >= POSITIONS_MAX || this.#signal.aborted) break;
      const origin = file.byte < file.backfillUntil ? 'backfill' : 'live';
      if (batch.origin !== null && batch.origin !== origin) continue;
      if (this.#options.isFileByFile && batch.files.size > 0 && !batch.files.has(file.path)) continue;
      const isRepeat = await this.#isRepeat(file);
      if (isRepeat === 'held') exhausted.add(file);
      if (isRepeat) continue;
      const read = await readBlock(file, join(this.#options.path, file.path), this.#sinceMs, this.#scratch);
      if (read === 'held') this.#notes.held(file.path);
      else this.#notes.freed(file.path);
      if (read === 'changed') this.#registry.forgetLook(file);
      if (read === null || typeof read === 'string') exhausted.add(file);
      else {
        batch.origin = origin;
        if (this.#isNews(file, read)) this.#toolClock.add(read.parsed.lastMs, this.#options.clock.nowMs());
        this.#registry.copies.noteRead(file);
        this.#add(batch, file, read);
      }
    }
    // Who repeats whom was found out on the way to these lines, and is committed with them.
    if (batch.positions.size > 0) {
      for (const file of this.#registry.moved.slice(0, POSITIONS_MAX)) {
        batch.positions.set(file.key, positionOf(file));
        file.hasMoved = false;
      }
    }
    return batch;
  }

  /** Were these lines written since the look before, and the newest is among them? */
  #isNews(file: WatchedFile, { parsed }: BlockRead): boolean {
    const isGrown = file.grownMs > 0 && file.grownMs === this.#formerLookMs;
    return isGrown && parsed.rowsRead > 0 && file.byte >= (file.seen?.sizeBytes ?? 0);
  }

  /** Are the lines that wait in a file those of another one? `held`: that cannot be told now. */
  async #isRepeat(file: WatchedFile): Promise<boolean | 'held'> {
    const { copies } = this.#registry;
    const isRepeat =
      file.byte === 0 && (await copies.isRepeat(file, (original) => this.#openings.mayRepeat(file, original)));
    return isRepeat || (file.twin !== null && copies.repeatsTwin(file));
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
    const rows = block === null ? null : (batch.blocks[block] ?? null);
    this.#silence.heard(familyOf(birthPath(file)), rows, batch.origin === 'live');
    batch.sourceBytes.push({ file: file.key, place: file.path, ...taken, block });
    const named = parsed.refusals.map((refusal) => ({
      ...refusal,
      channel: refusal.channel === '' ? '' : this.#openings.channelOf(file, refusal.channel),
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
    for (const position of this.#openings.unstored(file)) batch.positions.set(position.key, position);
    batch.positions.set(file.key, positionOf(file));
    file.hasMoved = false;
  }

  /** Declare the channels of a block that are not declared yet, or whose unit changed. */
  #declare(file: WatchedFile, layout: Layout, columns: readonly number[]): string[] {
    this.#openings.giveNames([file]);
    const fresh: { name: string; quantity: string; unit: string; origin: string; expectedIntervalMs: null }[] = [];
    const channels = columns.map((column) => {
      const { name, unit } = layout.columns[column] ?? { name: '', unit: '' };
      const channel = this.#openings.channelOf(file, name);
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
