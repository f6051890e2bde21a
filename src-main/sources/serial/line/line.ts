// One owner for a physical line, however many instruments share it.
//
// Bounds and invariants
//  1. One question at a time, in the order they came. The gap that its instrument wants is kept before each.
//  2. A question has one deadline, from its first byte written. What is not whole by then is no reply, unless it is under way:
//     while no pause between its bytes is longer than 100 ms it is waited for, at most five times as long.
//  3. After a time-out nothing is asked until the line was quiet for one reply time and the family's neutral bytes were
//     sent; everything that came meanwhile is dropped and counted. The next reply is held (doubt.ts): if anything follows
//     it, it may be the late answer to the question before, and both are dropped ("out of step"). So no reply is taken for
//     another's that is late by at most three reply times.
//     Families whose replies name their question need no holding; their exchange passes over what names another one.
//  4. Bytes that come while nothing was asked are unsolicited frames where somebody listens; else they are dropped,
//     counted, and the line is drained before the next question. CR and LF alone are the rest of a line's end, which often
//     comes in a piece of its own: they are dropped and mean nothing, here and in 3.
//  5. What is held of the input is bounded by the framer. Over the bound it is dropped, counted and told.
//  6. A listener never gets a frame whose beginning may be missing: the first after opening, after a flood and after
//     an overrun is dropped and counted.

import type { AgentError } from '../../../model/agent-error.ts';
import { Turn } from '../../../model/turn.ts';
import { Wake } from '../../../model/wake.ts';
import type { Clock } from '../../../platform/clock.ts';
import { showBytes } from '../protocol/bytes.ts';
import type { Exchange, Frame, Reply } from '../protocol/exchange.ts';
import type { Framer } from '../protocol/framer.ts';
import { Doubt, type Hold } from './doubt.ts';
import { InputBuffer, type Taken } from './input-buffer.ts';
import { nothingFollows } from './nothing-follows.ts';
import { bytesOverrun } from './overrun.ts';
import { Quiet } from './quiet.ts';
import type { Connection, Transport } from './transport.ts';

/** After a reply that made no sense the line need be quiet for this long only, milliseconds: nothing of it is late. */
const QUIET_MS = 250;
/** A reply that is under way at the deadline is waited for while its bytes come closer than this, milliseconds. */
const PAUSE_MS = 100;
/** And at most so many time-outs longer. */
const MORE_TIMEOUTS = 4;

/** Everything that is there. */
const ALL: Framer = { maxBytes: 0, cut: (bytes) => ({ kind: 'frame', from: 0, to: bytes.length }) };

/** What became of a question. */
export type Outcome =
  | { readonly kind: 'reply'; readonly reply: Reply }
  /** Nothing whole came in time; `received` shows what did. */
  | { readonly kind: 'silent'; readonly received: string }
  /** A reply came, and more after it: one of the two was late, and which is not known. */
  | { readonly kind: 'out-of-step'; readonly received: string };

export interface Request {
  readonly exchange: () => Exchange;
  readonly timeoutMs: number;
  readonly gapMs: number;
  /** Brings the instrument's input back to its beginning; may be empty. */
  readonly neutral: Uint8Array;
  readonly provesReply: boolean;
  /** Whether a text has the form of this question's reply; another one is malformed. */
  readonly accepts: (text: string) => boolean;
}

export interface LineListener {
  readonly framer: Framer;
  onFrame(frame: Frame): void;
  /** Bytes that no frame could be cut from. */
  onUnreadable(head: Uint8Array, count: number, reason: string, atMs: number): void;
}

export interface LineCounts {
  /** Bytes dropped because the beginning of their frame was missing. */
  readonly partialBytes: number;
  /** Bytes that nobody asked for, or that came too late. */
  readonly strayBytes: number;
  /** Times that the line was brought back in step. */
  readonly resyncs: number;
  /** Bytes that the system's buffer had no room for, at most. */
  readonly overrunBytes: number;
}

type Mode = 'idle' | 'asking' | 'draining';

export class Line {
  readonly #clock: Clock;
  readonly #buffer = new InputBuffer();
  readonly #characterMs: number;
  readonly #counts = { partialBytes: 0, strayBytes: 0, resyncs: 0, overrunBytes: 0 };
  #lastStray = '';
  #connection: Connection | null = null;
  #mode: Mode = 'idle';
  readonly #turn = new Turn();
  readonly #ended = new AbortController();
  /** Aborted when the connection has ended. */
  readonly ended: AbortSignal = this.#ended.signal;
  readonly #input = new Wake();
  /** Why the connection ended; undefined while it stands. */
  #end: AgentError | null | undefined;
  #listener: LineListener | null = null;
  #isPartial = true;
  /** Monotonic clock at the last byte written or read, and at the last byte read. */
  #activeMs: number;
  #readMs: number;
  readonly #doubt = new Doubt();

  private constructor(clock: Clock, characterMs: number) {
    this.#clock = clock;
    this.#characterMs = characterMs;
    this.#activeMs = clock.monotonicMs();
    this.#readMs = this.#activeMs;
  }

  /**
   * Open a line. Takes how to get there, the clock, the time after opening in which nothing is asked, and who hears what
   * comes unasked (null: nobody, it is dropped).
   *
   * @throws those of the transport.
   */
  static async open(
    transport: Transport,
    clock: Clock,
    settleMs: number,
    listener: LineListener | null = null,
  ): Promise<Line> {
    const line = new Line(clock, transport.characterMs);
    line.#listener = listener;
    const connection = await transport.open((bytes) => line.#receive(bytes));
    line.#connection = connection;
    void connection.closed.then((reason) => {
      line.#end = reason;
      line.#ended.abort();
    });
    void line.#turn.take(() => clock.sleep(settleMs, line.#ended.signal));
    return line;
  }

  /** Where the line leads. */
  get place(): string {
    return this.#connection?.place ?? '';
  }

  /** What was counted since the line was opened, a copy. */
  get counts(): LineCounts {
    return { ...this.#counts };
  }

  /** Fulfilled when the connection has ended: with the reason, or null when it was closed here. */
  get closed(): Promise<AgentError | null> {
    return (this.#connection as Connection).closed;
  }

  /** The beginning of what came last and belonged to no reply, as a person can read it; empty: nothing did. */
  get lastStray(): string {
    return this.#lastStray;
  }

  async close(): Promise<void> {
    await this.#connection?.close();
  }

  /**
   * Ask a question.
   *
   * @returns what became of it; waits for its turn first.
   * @throws rejects with the reason when the connection ended.
   */
  ask(request: Request): Promise<Outcome> {
    return this.#turn.take(() => this.#ask(request));
  }

  async #ask(request: Request): Promise<Outcome> {
    this.#throwIfEnded();
    await this.#keepGap(request.gapMs);
    if (this.#doubt.quietMs !== null) await this.#resync(request);
    if (this.#listener === null) this.#dropStray();
    // After silence the next byte begins a frame: a board that only answers loses no reply to the rule of the first frame.
    else if (this.#buffer.length === 0 && this.#clock.monotonicMs() - this.#readMs >= QUIET_MS) this.#isPartial = false;
    this.#mode = 'asking';
    try {
      const askedMs = this.#clock.monotonicMs();
      const outcome = await this.#converse(request);
      const { hold } = this.#doubt;
      return hold === null || outcome.kind !== 'reply' ? outcome : await this.#holdReply(outcome, askedMs, hold);
    } finally {
      this.#mode = 'idle';
      this.#activeMs = this.#clock.monotonicMs();
      if (this.#listener !== null) this.#hear();
    }
  }

  async #converse({ exchange, timeoutMs, provesReply, accepts }: Request): Promise<Outcome> {
    const deadlineMs = this.#clock.monotonicMs() + timeoutMs;
    const steps = exchange();
    let step = steps.next();
    let frame: Frame = { bytes: new Uint8Array(), atMs: this.#clock.nowMs() };
    while (!step.done) {
      const { send, read, isForeign = false } = step.value;
      if (isForeign) this.#listener?.onFrame(frame);
      if (send && send.length > 0 && !(await this.#write(send, deadlineMs)))
        return this.#silent(timeoutMs, provesReply);
      frame = { bytes: new Uint8Array(), atMs: this.#clock.nowMs() };
      if (read !== null) {
        const taken = await this.#read(read, deadlineMs, deadlineMs + MORE_TIMEOUTS * timeoutMs);
        if (taken === null) return this.#silent(timeoutMs, provesReply);
        if (taken.kind !== 'frame') return this.#unreadable(taken);
        this.#counts.strayBytes += taken.skipped;
        frame = taken.frame;
      }
      step = steps.next(frame);
    }
    const reply = step.value;
    const isOdd = reply.kind === 'text' && !accepts(reply.text);
    if (reply.kind === 'malformed' || isOdd) this.#doubt.add(QUIET_MS, provesReply);
    if (!isOdd) return { kind: 'reply', reply };
    const reason = 'the pattern does not match';
    return { kind: 'reply', reply: { kind: 'malformed', raw: reply.text, reason, atMs: reply.atMs } };
  }

  #silent(timeoutMs: number, provesReply: boolean): Outcome {
    const received = this.#buffer.length === 0 ? '' : this.#showRest();
    this.#doubt.addSilence(timeoutMs, provesReply);
    return { kind: 'silent', received };
  }

  #unreadable(taken: Exclude<Taken, { kind: 'frame' }>): Outcome {
    this.#doubt.add(QUIET_MS, false);
    const { atMs } = taken;
    if (taken.kind === 'broken') {
      const reply = { kind: 'malformed', raw: showBytes(taken.bytes), reason: taken.reason, atMs } as const;
      return { kind: 'reply', reply };
    }
    const reason = `no end of a frame in ${taken.dropped} bytes`;
    return { kind: 'reply', reply: { kind: 'malformed', raw: showBytes(taken.head), reason, atMs } };
  }

  /** Wait until the line is quiet, bring the instrument's input back to its beginning, and wait for what that gives. */
  async #resync({ neutral, timeoutMs }: Request): Promise<void> {
    const quietMs = this.#doubt.quietMs ?? 0;
    this.#counts.resyncs += 1;
    // A line that talks is never quiet: what is late is heard, and is a reply to nothing.
    if (this.#listener !== null) await this.#clock.sleep(quietMs, this.#ended.signal);
    else await this.#drain(quietMs);
    if (neutral.length > 0) {
      await this.#write(neutral, this.#clock.monotonicMs() + timeoutMs);
      if (this.#listener === null) await this.#drain(Math.min(quietMs, QUIET_MS));
    }
    this.#doubt.endQuiet();
  }

  /** Drop input until none has come for so long, or, where that is enough, until some may have been a reply; gives whether. */
  async #drain(quietMs: number, isOneEnough = false): Promise<boolean> {
    this.#mode = 'draining';
    const quiet = new Quiet(quietMs, this.#clock.monotonicMs());
    let hasCome = this.#dropStray();
    for (;;) {
      const leftMs = quiet.leftMs(this.#clock.monotonicMs());
      if (leftMs === 0 || (isOneEnough && hasCome)) return hasCome;
      await this.#waitForInput(leftMs);
      this.#throwIfEnded();
      quiet.waited(this.#clock.monotonicMs(), this.#buffer.length > 0);
      hasCome = this.#dropStray() || hasCome;
    }
  }

  async #holdReply(outcome: Outcome, askedMs: number, hold: Hold): Promise<Outcome> {
    if (this.#listener !== null) return outcome;
    const received = outcome.kind === 'reply' && 'raw' in outcome.reply ? outcome.reply.raw : '';
    this.#doubt.endHold();
    const holdMs = Math.max(hold.afterReplyMs, askedMs + hold.afterQuestionMs - this.#clock.monotonicMs());
    if (!(await this.#drain(holdMs, true))) return outcome;
    this.#doubt.add(hold.afterReplyMs, false, hold.afterQuestionMs);
    return { kind: 'out-of-step', received };
  }

  async #keepGap(gapMs: number): Promise<void> {
    for (;;) {
      const leftMs = this.#activeMs + gapMs - this.#clock.monotonicMs();
      if (leftMs <= 0) return;
      await this.#clock.sleep(leftMs, this.#ended.signal);
      this.#throwIfEnded();
    }
  }

  /** Gives false when the system did not take the bytes in time (flow control, a line that hangs). */
  async #write(bytes: Uint8Array, deadlineMs: number): Promise<boolean> {
    const late = new AbortController();
    const written = (this.#connection as Connection).write(bytes).then(() => true);
    const timer = this.#clock.sleep(Math.max(0, deadlineMs - this.#clock.monotonicMs()), late.signal).then(() => false);
    try {
      return await Promise.race([written, timer]);
    } finally {
      late.abort();
      // A write that fails after its deadline has been reported as silence already.
      written.catch(() => undefined);
      this.#activeMs = this.#clock.monotonicMs();
    }
  }

  /** The next frame, or null when it is not whole at the deadline, nor soon after it. */
  async #read(framer: Framer, deadlineMs: number, latestMs: number): Promise<Taken | null> {
    for (let isOver = false; ; ) {
      const taken = this.#buffer.take(framer, isOver);
      isOver = false;
      if (taken !== 'open' && taken?.kind === 'frame' && this.#isPartial && this.#listener !== null) {
        this.#isPartial = false;
        this.#counts.partialBytes += taken.frame.bytes.length;
        continue;
      }
      if (taken !== null && taken !== 'open') return taken;
      this.#throwIfEnded();
      if (taken === 'open') {
        isOver = await nothingFollows({
          clock: this.#clock,
          characterMs: this.#characterMs,
          lastInputMs: () => this.#readMs,
          waitForInput: (longestMs) => this.#waitForInput(longestMs),
        });
        this.#throwIfEnded();
        continue;
      }
      const underWayMs = this.#buffer.length > 0 ? Math.min(this.#readMs + PAUSE_MS, latestMs) : deadlineMs;
      const leftMs = Math.max(deadlineMs, underWayMs) - this.#clock.monotonicMs();
      if (leftMs <= 0) return null;
      await this.#waitForInput(leftMs);
    }
  }

  async #waitForInput(longestMs: number): Promise<void> {
    await this.#input.wait(this.#clock, longestMs, this.#ended.signal);
  }

  #receive(bytes: Uint8Array): void {
    const nowMs = this.#clock.monotonicMs();
    const sinceMs = nowMs - this.#readMs;
    this.#readMs = nowMs;
    this.#buffer.append(bytes, this.#clock.nowMs());
    const lost = bytesOverrun(bytes.length, sinceMs, this.#characterMs);
    this.#counts.overrunBytes += lost;
    if (this.#mode === 'idle') {
      if (this.#listener !== null) this.#hear();
      else if (this.#dropStray()) this.#doubt.add(QUIET_MS, false);
    } else this.#input.now();
    if (lost > 0 && this.#listener !== null) this.#dropPartial();
  }

  #hear(): void {
    const listener = this.#listener as LineListener;
    for (
      let taken = this.#buffer.take(listener.framer, true);
      taken !== null;
      taken = this.#buffer.take(listener.framer, true)
    ) {
      if (taken.kind === 'frame') {
        if (!this.#isPartial) listener.onFrame(taken.frame);
        else this.#counts.partialBytes += taken.frame.bytes.length;
        this.#isPartial = false;
      } else if (taken.kind === 'flood') {
        this.#isPartial = true;
        listener.onUnreadable(taken.head, taken.dropped, `no end of a frame in ${taken.dropped} bytes`, taken.atMs);
      } else listener.onUnreadable(taken.bytes, taken.bytes.length, taken.reason, taken.atMs);
    }
  }

  #dropPartial(): void {
    this.#counts.partialBytes += this.#buffer.clear();
    this.#isPartial = true;
  }

  /** Drop what has come; gives whether there was more in it than the rest of a line's end. */
  #dropStray(): boolean {
    const isTelling = !this.#buffer.isLineEnd;
    if (isTelling) this.#lastStray = showBytes(this.#buffer.head);
    this.#counts.strayBytes += this.#buffer.clear();
    return isTelling;
  }

  #showRest(): string {
    const taken = this.#buffer.take(ALL, true);
    if (taken?.kind !== 'frame') return '';
    this.#counts.strayBytes += taken.frame.bytes.length;
    return showBytes(taken.frame.bytes);
  }

  #throwIfEnded(): void {
    if (this.#end === undefined) return;
    throw this.#end ?? new Error('the line was closed');
  }
}
