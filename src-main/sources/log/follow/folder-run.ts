// One run of a log source: look, read, hand over, wait.
//
// Bounds: text of a capture at most 2 MiB; one capture being committed while the next is read. Invariants: a
// capture is handed over only after the former one is on disk, so a position never stands beyond a hole; whatever fails
// ends the run, and the next run begins from what was committed.
import { AgentError } from '../../../model/agent-error.ts';
import type { Position, SourceSink } from '../../source.ts';
import { LINE_BYTES_MAX } from '../cells/framer.ts';
import { endAt, forgetLook, noteReadOn, setOrigin, takePosition } from '../files/file-changes.ts';
import { FileRegistry, type HowToLook, type Look } from '../files/file-registry.ts';
import { type Listing, scanFolder } from '../files/folder-scan.ts';
import { lookBack } from '../files/rotation-watch.ts';
import { FOLDER_KEY, isFilePosition, type WatchedFile } from '../files/watched-file.ts';
import type { Folder } from '../files/with-file.ts';
import { LogNotes } from '../notes/log-notes.ts';
import { addUp } from '../notes/passed-over.ts';
import { StoppedChannels } from '../notes/stopped-channels.ts';
import { ToolClock } from '../notes/tool-clock.ts';
import { type Batch, byKey, emptyBatch } from './capture-batch.ts';
import { endDrain } from './drain-end.ts';
import { isReady } from './file-part.ts';
import { readBlock } from './file-reader.ts';
import { Fill } from './fill.ts';
import { FolderHints, lookEveryMs } from './folder-hints.ts';
import { checkMounted, type FolderMark, fillOf, markFilled, readMark, sayBack, sayLost } from './folder-mark.ts';
import { Gatherer } from './gatherer.ts';
import { HeldFiles } from './held-files.ts';
import { LastLines } from './last-lines.ts';
import { Openings } from './openings.ts';
import { inReadingOrder, isNews } from './reading-order.ts';
import { REREAD_DONE, Reread } from './reread.ts';
import { restoreFiles } from './restore-files.ts';
import type { FillOptions, RunOptions } from './run-options.ts';
import { passOver } from './survey.ts';
import { eventsFor, FoundGaps } from './tell-registry.ts';

/** Positions written with one capture, and files of which one holds lines. */
const POSITIONS_MAX = 1000;
/** Old data read in one go, bytes and files: little, so that news need not wait. */
const FILL_BYTES = 256 * 1024;
const FILL_FILES = 100;
/** Time between two looks that are noted, milliseconds: what went meanwhile is judged by the last. */
const NOTE_MS = 600_000;
/** How long a folder that moves while it is looked at is left to come to rest, milliseconds. */
const TORN_MS = 20;
/** Time between two looks for positions that may be dropped, milliseconds. */
const TIDY_MS = 3_600_000;

/** State of one run; made again for each, from the committed positions. */
export class FolderRun {
  readonly #options: RunOptions;
  readonly #sink: SourceSink;
  readonly #signal: AbortSignal;
  readonly #registry: FileRegistry;
  readonly #notes: LogNotes;
  readonly #hints: FolderHints;
  readonly #stopped: StoppedChannels;
  readonly #openings: Openings;
  readonly #heldFiles: HeldFiles;
  readonly #gatherer: Gatherer;
  #mark: FolderMark | null;
  /** The pass over old data that is being made; null: none. */
  #fill: { wanted: FillOptions; pass: Fill } | null = null;
  #isFilled = false;
  #reread: Reread | null;
  readonly #toolClock = new ToolClock();
  readonly #lastLines: LastLines;
  #isFirstLook = true;
  #lookedAtMs = 0;
  #lookTookMs = 0;
  #tidiedAtMs = Number.NEGATIVE_INFINITY;
  /** Wall clock of the last look, in this run; 0 before the first. */
  #lookMs = 0;
  #commit: Promise<void> = Promise.resolve();
  readonly #gaps: FoundGaps;
  /** Files of which the last reading found no whole line more, up to where it ends. */
  #ended: ReadonlySet<WatchedFile> = new Set();

  /** @param positions - what the source committed last. */
  constructor(options: RunOptions, sink: SourceSink, signal: AbortSignal, positions: ReadonlyMap<string, string>) {
    this.#options = options;
    this.#sink = sink;
    this.#signal = signal;
    this.#notes = new LogNotes((note) => sink.note(note));
    this.#hints = new FolderHints(options.path, options.clock);
    this.#stopped = new StoppedChannels((note) => sink.note(note));
    this.#gaps = new FoundGaps(sink, options.clock);
    this.#registry = new FileRegistry(options, eventsFor(this.#notes, options.clock, this.#gaps));
    this.#lastLines = new LastLines(options.clock);
    this.#openings = new Openings(options, this.#notes, positions, this.#registry, this.#lastLines);
    this.#gatherer = new Gatherer(sink, this.#openings, this.#notes, this.#stopped);
    this.#heldFiles = new HeldFiles({
      options,
      registry: this.#registry,
      openings: this.#openings,
      notes: this.#notes,
      commit: async (positions) => {
        await this.#commitPositions(positions);
        await this.#commit;
      },
    });
    this.#mark = readMark(positions);
    this.#reread = Reread.read(positions);
    restoreFiles(positions, this.#registry, this.#openings);
  }

  /** Run until aborted, or, when draining, until everything that was there is read. */
  async run(): Promise<void> {
    await this.#commitPositions(this.#reread?.note([...this.#registry.all]) ?? []);
    this.#options.held?.attach(this.#heldFiles);
    try {
      while (!this.#signal.aborted) {
        const beganMs = this.#options.clock.monotonicMs();
        await this.#look();
        await this.#options.held?.work(this.#heldFiles);
        await this.#readNews();
        const isFilling = (await this.#heldFiles.goOn()) || (await this.#fillSome());
        const difference = this.#toolClock.endLook();
        if (difference !== undefined) this.#notes.toolClock(difference);
        this.#notes.publish();
        if (isFilling) continue;
        if (this.#options.isDrain) {
          const waitMs = this.#lastLines.waitMs();
          if (waitMs !== null && !this.#signal.aborted) {
            await this.#options.clock.sleep(waitMs, this.#signal);
            continue;
          }
          return this.#signal.aborted ? undefined : endDrain(this.#registry.present, this.#ended, this.#notes);
        }
        this.#stopped.publish();
        const tookMs = this.#options.clock.monotonicMs() - beganMs;
        await this.#hints.wait(tookMs, this.#signal);
      }
    } catch (thrown) {
      throw await this.#sinceWhen(thrown);
    } finally {
      this.#stopped.end();
      this.#options.held?.detach(this.#heldFiles);
      await Promise.allSettled([this.#commit, this.#hints.close()]);
    }
  }

  /** The folder cannot be reached: remember since when, for as many runs as that takes. Any other error stays as it is. */
  async #sinceWhen(thrown: unknown): Promise<unknown> {
    const mark = this.#mark;
    if (!(thrown instanceof AgentError) || thrown.code !== 'log.folder-missing' || mark === null) return thrown;
    const lostMs = mark.lostMs ?? this.#options.clock.nowMs();
    // If even that cannot be stored, the time is told again by the next run.
    if (mark.lostMs === null) await this.#keepMark({ ...mark, lostMs }).catch(() => undefined);
    return sayLost(this.#options.path, lostMs, thrown);
  }

  async #keepMark(mark: FolderMark): Promise<void> {
    this.#mark = mark;
    await this.#handOver({ ...emptyBatch(), positions: byKey([{ key: FOLDER_KEY, value: JSON.stringify(mark) }]) });
    await this.#commit;
  }

  async #look(): Promise<void> {
    const { path, isMatch, clock, isDrain } = this.#options;
    const beganMs = clock.monotonicMs();
    const check = (found: Listing) => checkMounted(path, found, this.#mark, this.#registry.present.length);
    const list = (folder: Folder) => scanFolder(folder, isMatch, check);
    const { listing, fresh, nowMs, isTorn } = await this.#lookWhole(list);
    if (isTorn && this.#mark === null) return;
    this.#notes.only(
      'log.link-refused',
      listing.refusedLinks.map(({ path, where }) => `${path} (${where})`),
    );
    this.#notes.only('log.name-unreadable', listing.unreadableNames);
    this.#lookMs = nowMs;
    await this.#markFolder(fresh, listing);
    const isFirst = this.#isFirstLook;
    if (isFirst) for (const file of this.#registry.present) setOrigin(file, isDrain);
    else if (isDrain) for (const file of fresh) endAt(file, 0);
    this.#isFirstLook = false;
    if (!isDrain && this.#options.files.isWatchable) this.#hints.follow(listing.files);
    this.#openings.openNew(this.#registry.present);
    if (isFirst) this.#registry.copies.noteTwins(this.#registry.present, this.#openings.mayRepeat);
    this.#lookedAtMs = clock.monotonicMs();
    this.#stopped.look(this.#lookedAtMs);
    this.#lookTookMs = this.#lookedAtMs - beganMs;
  }

  /** A look at a folder that stood still. A first look and a drain read no file that comes later, so they wait for one. */
  async #lookWhole(list: HowToLook['list']): Promise<Look> {
    const { clock, isDrain } = this.#options;
    const { surveyedMs = null, lookedMs: notedMs = 0 } = this.#mark ?? {};
    for (;;) {
      const look = this.#registry.look({ list, surveyedMs, notedMs }, clock);
      const isAwaited = look.isTorn && (this.#mark === null || isDrain);
      if (!isAwaited || this.#signal.aborted) return look;
      await clock.sleep(TORN_MS, this.#signal);
    }
  }

  /** Keep what is known of the folder; at the first look take note of what is there before anything is read. */
  async #markFolder(fresh: readonly WatchedFile[], listing: Listing): Promise<void> {
    const { identity, files } = listing;
    const nowMs = this.#options.clock.nowMs();
    const mark = this.#mark;
    const passed = mark === null ? passOver(fresh, this.#options, nowMs) : [];
    await this.#commitPositions(passed.map(takePosition));
    if (mark === null) {
      const { backfill } = this.#options;
      const question = backfill === 'ask' ? addUp(passed) : null;
      const filledFromMs = typeof backfill === 'object' ? backfill.fromMs : null;
      const own = { surveyedMs: nowMs, lookedMs: nowMs, files: files.size, identity, lostMs: null, floor: 0 };
      await this.#keepMark({ ...own, filledFromMs, question });
    } else {
      if (mark.lostMs !== null) this.#notes.back(sayBack(this.#options.path, mark.lostMs, nowMs));
      const isOther = files.size > 0 && mark.identity !== identity;
      const isAnswered = mark.question !== null && this.#options.backfill !== 'ask';
      if (mark.lostMs !== null || isOther || isAnswered) {
        const question = isAnswered ? null : mark.question;
        if (isAnswered) this.#notes.settleBackfill();
        await this.#keepMark({ ...mark, identity: isOther ? identity : mark.identity, lostMs: null, question });
      }
    }
    if (this.#mark?.question) this.#notes.askBackfill(this.#mark.question);
  }

  /** Keep when the folder was looked at, now and then: quiet looks leave no other trace. */
  async #noteLook(): Promise<void> {
    if (this.#mark === null || this.#options.isDrain) return;
    // A clock that was set back is noted as well.
    if (Math.abs(this.#lookMs - this.#mark.lookedMs) >= NOTE_MS)
      await this.#keepMark({ ...this.#mark, lookedMs: this.#lookMs });
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
    const unreadable = new Set<WatchedFile>();
    while (!this.#signal.aborted) {
      const batch = this.#collect(exhausted, unreadable);
      if (batch.positions.size === 0) break;
      await this.#handOver(batch);
      // Others may have grown while a long backlog is read.
      const isDue = this.#options.clock.monotonicMs() - this.#lookedAtMs > lookEveryMs(this.#lookTookMs);
      if (isDue && !this.#options.isDrain) await this.#look();
    }
    this.#ended = new Set([...exhausted].filter((file) => !unreadable.has(file)));
    lookBack(this.#registry.folder, this.#registry.present, this.#options.clock.nowMs());
    // The new places of files of which nothing was read: or every restart would search for them again.
    await this.#commitPositions(this.#registry.takeChanged());
    this.#gaps.tell();
    await this.#noteLook();
    await this.#tidy();
    await this.#commit;
  }

  /** Read some of what was skipped until the next look is due, in a drain all. Returns true when there is more. */
  async #fillSome(): Promise<boolean> {
    const { clock, isDrain } = this.#options;
    const asked = this.#isFilled ? null : fillOf(this.#mark, this.#options);
    const wanted = this.#fill === null ? (this.#reread?.wanted(this.#registry.present) ?? asked) : null;
    if (wanted !== null) this.#fill = { wanted, pass: new Fill(this.#options, wanted, this.#registry, this.#openings) };
    if (this.#fill === null) return false;
    const { pass } = this.#fill;
    while (!this.#signal.aborted) {
      const beganMs = clock.monotonicMs();
      const isMore = await this.#fillBatch(pass);
      if (!isMore && (await this.#heldFiles.goOn())) continue;
      if (!isMore) {
        await this.#endFill(pass, this.#fill.wanted);
        return false;
      }
      if (isDrain) continue;
      // News and everybody else on this PC go first: as long as it took, nothing is done.
      await clock.sleep(clock.monotonicMs() - beganMs, this.#signal);
      if (clock.monotonicMs() - this.#lookedAtMs > lookEveryMs(this.#lookTookMs)) break;
    }
    this.#notes.filling(pass.left, false);
    return true;
  }

  async #fillBatch(pass: Fill): Promise<boolean> {
    const batch = emptyBatch();
    batch.origin = 'backfill';
    let isMore = true;
    while (batch.bytes < FILL_BYTES && batch.files.size < FILL_FILES) {
      const next = pass.next();
      isMore = next !== null;
      if (next === null || next === 'woken') break;
      this.#gatherer.add(batch, next.file, next.read);
    }
    if (batch.positions.size > 0) await this.#handOver(batch);
    await this.#commitPositions(this.#registry.takeChanged());
    return isMore;
  }

  async #endFill(pass: Fill, wanted: FillOptions): Promise<void> {
    await this.#commit;
    const { left } = pass;
    this.#fill = null;
    const again = this.#reread;
    this.#reread = null;
    if (again !== null) {
      const gone = again.countGone(this.#registry.all, this.#registry.present);
      if (gone > 0) this.#notes.rereadGone(gone);
      return this.#commitPositions(left.files === 0 ? [REREAD_DONE] : []);
    }
    this.#isFilled = true;
    if (left.files === 0 && this.#mark !== null) {
      const isAsked = this.#mark.question !== null;
      await this.#keepMark(markFilled(this.#mark, wanted));
      if (isAsked && this.#mark.question === null) this.#notes.settleBackfill();
    }
    this.#notes.filling(left, true);
  }

  async #commitPositions(positions: readonly Position[]): Promise<void> {
    for (let at = 0; at < positions.length; at += POSITIONS_MAX) {
      await this.#handOver({ ...emptyBatch(), positions: byKey(positions.slice(at, at + POSITIONS_MAX)) });
    }
  }

  #collect(exhausted: Set<WatchedFile>, unreadable: Set<WatchedFile>): Batch {
    const batch = emptyBatch();
    const known = unreadable.size;
    const seriesOf = (one: WatchedFile) => this.#openings.seriesOf(one);
    const { present, isLog } = this.#registry;
    for (const file of inReadingOrder(present, exhausted, seriesOf, unreadable, this.#lookMs, isLog)) {
      if (batch.bytes > LINE_BYTES_MAX || batch.files.size >= POSITIONS_MAX || this.#signal.aborted) break;
      const origin = file.byte < file.backfillUntil ? 'backfill' : 'live';
      // What is skipped may come before what follows.
      if (batch.origin !== null && batch.origin !== origin) break;
      const isRepeat = this.#registry.copies.repeats(file, this.#openings.mayRepeat);
      if (isRepeat === 'held') {
        exhausted.add(file);
        unreadable.add(file);
        break;
      }
      // Or it became the shadow of one that was compared on the way here.
      if (isRepeat || file.copyOf !== null) continue;
      if (!isReady(file, this.#options, this.#notes)) {
        exhausted.add(file);
        continue;
      }
      const nowMs = this.#options.clock.nowMs();
      const areAsSeen = () => this.#registry.rotations.areAsSeen(this.#options, file, this.#registry, nowMs);
      const read = readBlock(file, this.#options, this.#lastLines, areAsSeen);
      if (read === 'held') this.#notes.add('log.file-held', file.path);
      else this.#notes.freed(file.path);
      if (read === 'changed') forgetLook(file);
      if (read === null) exhausted.add(file);
      else if (typeof read === 'string') {
        exhausted.add(file);
        unreadable.add(file);
        break;
      } else {
        batch.origin = origin;
        if (isNews(file, read.parsed, this.#lookMs))
          this.#toolClock.add(read.parsed.lastMs, this.#options.clock.nowMs());
        noteReadOn(file, this.#lookMs, read.isAll);
        this.#registry.copies.noteRead(file);
        this.#gatherer.add(batch, file, read);
        if (!read.isMore) continue;
        unreadable.add(file);
        break;
      }
    }
    // What follows a file that could not be read waits for it: the rest is for another order.
    if (batch.positions.size === 0 && unreadable.size > known) return this.#collect(exhausted, unreadable);
    // Who repeats whom was found out on the way to these lines, and is committed with them.
    if (batch.positions.size > 0) {
      for (const one of this.#registry.takeChanged(POSITIONS_MAX)) batch.positions.set(one.key, one);
    }
    return batch;
  }

  /** Hand a batch over once the former one is on disk; the next can be read meanwhile. */
  async #handOver(batch: Batch): Promise<void> {
    await this.#commit;
    if ([...batch.positions.keys()].some(isFilePosition)) this.#gaps.tell();
    this.#hints.found(batch.rowsRead);
    this.#commit = this.#sink.capture({
      blocks: batch.blocks,
      positions: [...batch.positions.values()],
      ...(batch.marks.length > 0 ? { marks: batch.marks } : {}),
      rowsRead: batch.rowsRead,
      refusals: batch.refusals,
      sourceBytes: batch.sourceBytes,
      refusedCount: batch.refusedCount,
      origin: batch.origin ?? 'live',
    });
    // A failure is met at the next await; until then it must not count as unhandled.
    this.#commit.catch(() => undefined);
  }
}
