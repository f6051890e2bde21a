// The recorder: captures come in, commits go to the store. It keeps what is open in memory and on disk alike; after a
// crash it continues from the disk's state.
//
// Bounds and invariants
//  1. Captures are applied in the order they came; a capture is in exactly one commit, with the positions it moved.
//  2. One commit is under way at a time. What comes meanwhile shares the next one, so a slow disk makes commits larger,
//     not more.
//  3. A commit that the store refuses for now (disk full, disk fault) is offered again, the same, until it is taken; meanwhile
//     captures are taken until HELD_BYTES_MAX of points are held (64 MiB), then refused with `recorder.full`.
//  4. Side effects (telling the uploader) come after the commit.
//  5. When the agent ends, a disk that refuses is asked for a bounded time; then what is held is given up and counted.
//  6. One open stream a source and period. It ends by quiet, or SUPERSEDED_QUIET_MS (60 s) after its last reading once a
//     later one has begun; where a growth begins or ends, after LATE_MS (10 s), old data after 60 s.

import { AgentError } from '../../model/agent-error.ts';
import type { ChannelDeclaration } from '../../model/channel.ts';
import type { Growth } from '../../model/growth.ts';
import type { MarkRow } from '../../model/marks.ts';
import {
  type Commit,
  type GivenUpCommit,
  type NewStream,
  POINTS_PER_CHUNK_MAX,
  type RecorderState,
} from '../../model/queue.ts';
import type { Capture } from '../../model/readings.ts';
import type { NewIds } from '../../model/resend.ts';
import { formatStreamName } from '../../model/stream-name.ts';
import { CommitBuilder, type StoredRows } from './commit-builder.ts';
import { GrowthTimes } from './growth-times.ts';
import { OpenStream } from './open-stream.ts';
import { type PeriodRun, Periods } from './periods.ts';
import type { RecorderOptions, StreamRule } from './ports.ts';
import { SourceSpans } from './source-spans.ts';
import { HeldCaptures } from './unstored.ts';

/** Points that wait in memory for the disk, bytes. */
const HELD_BYTES_MAX = 64 * 1024 * 1024;
/** Wait before a refused commit is offered again, milliseconds. */
const COMMIT_RETRY_MS = 1000;
/** A stream whose period is over (a later one has begun) is closed after this much quiet, milliseconds. */
const SUPERSEDED_QUIET_MS = 60_000;
/** Where a growth began or ended, the stream before it is kept open so long for what is late, milliseconds. */
const LATE_MS = 10_000;

export class Recorder {
  /** Readings that are older than its start were there before anybody looked. */
  readonly #options: RecorderOptions & { readonly startedMs: number };
  readonly #growths = new GrowthTimes();
  readonly #periods: Periods;
  readonly #stored: StoredRows = new Map();
  readonly #streams = new Map<string, OpenStream>();
  readonly #declared = new Map<string, Map<string, ChannelDeclaration>>();
  readonly #spans = new SourceSpans();
  #sequence = 0;
  #ids = { stream: 0, channel: 0, lane: 0 };
  #builder: CommitBuilder;
  #waiters: PromiseWithResolvers<void>[] = [];
  #heldBytes = 0;
  #flushing: Promise<void> | null = null;
  /** The captures in `#builder`. */
  #held = new HeldCaptures();
  /** Since when a commit is given up that the disk refuses for `tryMs`; null while the agent is to go on. */
  #ending: { readonly sinceMs: number; readonly tryMs: number } | null = null;
  /** Why nothing more is taken, and the commits that were not stored; null while all goes its way. */
  #over: { readonly error: AgentError; readonly givenUp: GivenUpCommit[] } | null = null;

  private constructor(options: RecorderOptions) {
    this.#options = { ...options, startedMs: options.clock.nowMs() };
    this.#periods = new Periods(options.timeZone, this.#growths);
    this.#builder = new CommitBuilder(this.#stored);
  }

  /**
   * Start from what is on disk.
   * @throws those of the store when it cannot be read.
   */
  static async open(options: RecorderOptions): Promise<Recorder> {
    const recorder = new Recorder(options);
    recorder.#restore(await options.store.load());
    return recorder;
  }

  /**
   * Declare channels of a source. A changed unit ends the streams that carry the old one.
   */
  declare(sourceId: string, channels: readonly ChannelDeclaration[]): void {
    const declared = this.#declared.get(sourceId) ?? new Map<string, ChannelDeclaration>();
    this.#declared.set(sourceId, declared);
    for (const channel of channels) declared.set(channel.name, channel);
    for (const [key, stream] of this.#streams) {
      if (stream.row.sourceId === sourceId && channels.some((channel) => stream.contradicts(channel))) {
        this.#close(key, stream);
      }
    }
    this.#flushSoon();
  }

  /**
   * Take a capture.
   * @param sourceId - the source's id.
   * @param capture - what it read.
   * @returns fulfilled when all of it is on disk.
   * @throws `recorder.full` when the disk has refused for so long that memory is used up; nothing of the capture was taken, so
   *   the source's position stands where it stood. The store's own when the recorder gave up at its end.
   */
  capture(sourceId: string, capture: Capture): Promise<void> {
    if (this.#over) return Promise.reject(this.#over.error);
    if (this.#heldBytes + this.#builder.sizeBytes > HELD_BYTES_MAX) {
      return Promise.reject(
        new AgentError({
          code: 'recorder.full',
          message: 'The disk does not take data and the memory set aside for it is used up.',
          hint: 'Free space on the disk. What is in a log file is read later; what a live instrument says now is a gap.',
          retry: 'later',
        }),
      );
    }
    this.#held.add(sourceId, capture, this.#apply(sourceId, capture));
    return this.#onDisk();
  }

  /**
   * Begin, change or end growths. From this call on readings go where their stamps belong by them.
   * @param growths - the growths whole.
   * @param positions - positions that become true together with them.
   * @returns fulfilled when they are on disk.
   * @throws the store's own when the recorder gave up at its end.
   */
  putGrowths(
    growths: readonly Growth[],
    positions: readonly { sourceId: string; key: string; value: string }[] = [],
  ): Promise<void> {
    if (this.#over) return Promise.reject(this.#over.error);
    this.#growths.set(growths);
    for (const growth of growths) this.#builder.putGrowth(growth);
    for (const { sourceId, key, value } of positions) this.#builder.setPosition(sourceId, key, value);
    return this.#onDisk();
  }

  /** Keep a mark that no source tells: fulfilled and rejected as `putGrowths`. */
  mark(mark: MarkRow): Promise<void> {
    if (this.#over) return Promise.reject(this.#over.error);
    this.#builder.addMark(mark);
    return this.#onDisk();
  }

  /** Note an interval that could not be captured, Unix milliseconds. */
  gap(sourceId: string, fromMs: number, toMs: number, cause: string): void {
    this.#builder.addGap({ sourceId, fromMs, toMs, cause });
    this.#flushSoon();
  }

  /**
   * Do what time asks for: fix P of streams that were measured long enough, close streams that have been quiet.
   * Called about once a second.
   */
  tick(): void {
    const nowMs = this.#options.clock.monotonicMs();
    for (const [key, stream] of this.#streams) {
      this.#measure(stream);
      const quietMs = nowMs - stream.lastMonotonicMs;
      const limitMs = this.#options.ruleOf(stream.row.sourceId).closeAfterQuietMs;
      const { period } = stream.row;
      // Old data comes behind what is new, in pieces: it may pause.
      const lateMs = period.startsWith('live') ? LATE_MS : SUPERSEDED_QUIET_MS;
      const isPast = !this.#isLateOne(stream) && this.#periods.isPast(period, this.#options.clock.nowMs() - lateMs);
      const isOver = this.#isSuperseded(stream) && quietMs >= SUPERSEDED_QUIET_MS;
      if (isOver || (isPast && quietMs >= lateMs) || (limitMs !== null && quietMs >= limitMs)) this.#close(key, stream);
    }
    this.#flushSoon();
  }

  /** Close all open streams, of one source or of all, so that their last chunks go out; fulfilled when they are stored. */
  closeStreams(sourceId?: string): Promise<void> {
    this.endStreams((stream) => sourceId === undefined || stream.sourceId === sourceId);
    return this.flush();
  }

  /** End these streams, waiting for no disk: what comes from now on opens new ones. */
  endStreams(isMeant: (stream: NewStream) => boolean): void {
    for (const [key, stream] of this.#streams) if (isMeant(stream.row)) this.#close(key, stream);
    this.#flushSoon();
  }

  /** Give ids away that this recorder never uses, for a stream with so many channels at most that is made in the queue. */
  takeIds(channels: number): NewIds {
    const firstChannel = this.#ids.channel + 1;
    this.#ids.channel += channels;
    this.#ids.stream += 1;
    return { stream: this.#ids.stream, firstChannel, channels };
  }

  /** Wait until everything taken so far is on disk, or was given up. */
  async flush(): Promise<void> {
    this.#flushSoon();
    while (this.#flushing) await this.#flushing;
  }

  /**
   * The agent ends: from now on a commit that the disk refuses is offered for this long only, milliseconds. Then it is
   * given up, every capture that waits is refused with the store's error, and nothing more is taken.
   */
  beginEnd(tryMs: number): void {
    this.#ending = { sinceMs: this.#options.clock.monotonicMs(), tryMs };
  }

  /**
   * Bring what was taken onto the disk, or give it up.
   * @returns what was not stored and why, the oldest first; null when everything is stored.
   */
  async end(): Promise<{ error: AgentError; givenUp: readonly GivenUpCommit[] } | null> {
    await this.flush();
    return this.#over;
  }

  #restore(state: RecorderState): void {
    this.#sequence = state.lastSequence;
    this.#growths.set((state.growths ?? []).toReversed());
    this.#ids = { stream: state.lastStreamId, channel: state.lastChannelId, lane: state.lastLaneId };
    const nowMs = this.#options.clock.monotonicMs();
    for (const row of state.streams) {
      const stream = new OpenStream(row, this.#idSource, nowMs);
      for (const channel of row.channels) stream.restoreChannel(channel.id, channel.name, channel.unit);
      for (const lane of row.lanes) {
        this.#stored.set(lane.id, stream.restoreLane(lane.id, lane.channelIds, lane.nextIndex, lane.openReadings));
      }
      this.#streams.set(`${row.sourceId}\n${row.period}`, stream);
    }
  }

  readonly #idSource = {
    nextChannelId: () => ++this.#ids.channel,
    nextLaneId: () => ++this.#ids.lane,
  };

  /** Returns how many points came. */
  #apply(sourceId: string, capture: Capture): number {
    const { clock, ruleOf } = this.#options;
    const declared = this.#declared.get(sourceId) ?? new Map<string, ChannelDeclaration>();
    const rule = ruleOf(sourceId);
    let last: OpenStream | undefined;
    let points = 0;
    let rowsLeft = capture.rowsRead;
    const streamsOf: Set<number>[] = capture.blocks.map(() => new Set());
    for (const [at, block] of capture.blocks.entries()) {
      for (const run of this.#periods.split(block.timesMs, rule.rollover, capture.origin)) {
        const stream = this.#streamFor(sourceId, run, rule, capture.origin, block.timesMs[run.from] as number);
        points += stream.add(this.#builder, block, run.from, run.to, declared, clock.monotonicMs());
        this.#measure(stream);
        const rows = Math.min(rowsLeft, run.to - run.from);
        rowsLeft -= rows;
        this.#builder.change(stream.row.id, { rowsRead: rows });
        streamsOf[at]?.add(stream.row.id);
        last = stream;
      }
    }
    last ??= [...this.#streams.values()].findLast((stream) => stream.row.sourceId === sourceId);
    // Lines without a reading count with the stream that was written last.
    if (last) this.#builder.change(last.row.id, { rowsRead: rowsLeft, refused: capture.refusedCount });
    for (const { key, value } of capture.positions) this.#builder.setPosition(sourceId, key, value);
    for (const mark of capture.marks ?? []) this.#builder.addMark({ sourceId, ...mark });
    const counting = last ? { streamId: last.row.id } : {};
    for (const refusal of capture.refusals) {
      this.#builder.addRefusal({ sourceId, ...counting, atMs: clock.nowMs(), ...refusal });
    }
    for (const bytes of capture.sourceBytes ?? []) {
      this.#spans.add(bytes, (bytes.block === null ? null : streamsOf[bytes.block]) ?? [], last?.row.id ?? null);
    }
    return points;
  }

  #streamFor(
    sourceId: string,
    { period, growth }: PeriodRun,
    rule: StreamRule,
    origin: 'live' | 'backfill',
    firstMs: number,
  ): OpenStream {
    const key = `${sourceId}\n${period}`;
    const known = this.#streams.get(key);
    if (known) return known;
    const { clock, toolName, makeNonce, synthSourceId, startedMs } = this.#options;
    const nonce = makeNonce();
    const automatic = origin === 'backfill' ? POINTS_PER_CHUNK_MAX : null;
    const row: NewStream = {
      id: ++this.#ids.stream,
      sourceId,
      period,
      nonce,
      name: formatStreamName({ toolName, sourceId, start: this.#periods.format(firstMs), words: '', nonce }),
      openedMs: clock.nowMs(),
      pointsPerChunk: rule.pointsPerChunk === 'auto' ? automatic : rule.pointsPerChunk,
      synthSourceId,
      growth: growth.part,
      newSinceMs: startedMs,
    };
    const stream = new OpenStream(row, this.#idSource, clock.monotonicMs());
    this.#streams.set(key, stream);
    this.#builder.openStream(row);
    return stream;
  }

  #close(key: string, stream: OpenStream): void {
    stream.close(this.#builder, this.#options.clock.nowMs());
    this.#spans.close(stream.row.id);
    this.#streams.delete(key);
  }

  /** A later stream of the same source exists, so this one's period is over. */
  #isSuperseded(stream: OpenStream): boolean {
    for (const other of this.#streams.values()) {
      if (other.row.sourceId === stream.row.sourceId && other.row.id > stream.row.id) return true;
    }
    return false;
  }

  /**
   * A stream of what came late: its time was over when it was opened, as with a tool whose clock is behind. It stays open
   * for what else comes of that time, else each row could make a stream of its own.
   */
  #isLateOne({ row: { period, openedMs } }: OpenStream): boolean {
    return period.startsWith('live') && this.#periods.isPast(period, openedMs);
  }

  /** Decide P, if that is still to be decided and the rows so far tell it. */
  #measure(stream: OpenStream): void {
    if (stream.pointsPerChunk !== null) return;
    const declared = [...(this.#declared.get(stream.row.sourceId)?.values() ?? [])];
    const intervals = declared.flatMap(({ expectedIntervalMs }) => expectedIntervalMs ?? []);
    const shortestMs = intervals.length === 0 ? null : Math.min(...intervals);
    stream.measure(this.#builder, shortestMs, this.#options.clock.monotonicMs());
  }

  /** Fulfilled when all that was taken so far is on disk. */
  #onDisk(): Promise<void> {
    const waiter = Promise.withResolvers<void>();
    this.#waiters.push(waiter);
    this.#flushSoon();
    return waiter.promise;
  }

  #flushSoon(): void {
    if (this.#over || this.#flushing || (this.#builder.isEmpty && this.#waiters.length === 0)) return;
    this.#flushing = this.#flush().finally(() => {
      this.#flushing = null;
      this.#flushSoon();
    });
  }

  async #flush(): Promise<void> {
    // Captures of the same turn of the event loop share the commit.
    await Promise.resolve();
    const [builder, waiters, held] = [this.#builder, this.#waiters, this.#held];
    this.#builder = new CommitBuilder(this.#stored);
    this.#waiters = [];
    this.#held = new HeldCaptures();
    this.#heldBytes = builder.sizeBytes;
    this.#sequence += 1;
    const commit = { ...builder.build(this.#sequence), sourceSpans: this.#spans.take() };
    const error = await this.#offer(commit);
    this.#heldBytes = 0;
    if (error) return this.#giveUp(error, commit, waiters, held);
    for (const waiter of waiters) waiter.resolve();
    this.#options.onCommitted(commit.changes.map(({ id }) => id));
  }

  /** Nothing more can be stored: this commit, and what came meanwhile. */
  #giveUp(error: AgentError, commit: Commit, waiters: PromiseWithResolvers<void>[], held: HeldCaptures): void {
    const next = this.#builder.build(commit.sequence + 1);
    this.#over = {
      error,
      givenUp: [
        held.giveUp(commit.sequence, commit.gaps, error.message),
        this.#held.giveUp(next.sequence, next.gaps, error.message),
      ],
    };
    for (const waiter of [...waiters, ...this.#waiters]) waiter.reject(error);
    this.#waiters = [];
  }

  /** Offer a commit until it is taken. Returns null; at the agent's end the error with which it was given up. */
  async #offer(commit: Commit): Promise<AgentError | null> {
    const { store, clock, onStoreState } = this.#options;
    let refusedMs: number | null = null;
    for (;;) {
      try {
        await store.commit(commit);
        if (refusedMs !== null) onStoreState(null);
        return null;
      } catch (thrown) {
        const error = thrown as AgentError;
        refusedMs ??= clock.monotonicMs();
        onStoreState(error);
        if (this.#ending && clock.monotonicMs() - Math.max(refusedMs, this.#ending.sinceMs) >= this.#ending.tryMs) {
          return error;
        }
        await clock.sleep(COMMIT_RETRY_MS);
      }
    }
  }
}
