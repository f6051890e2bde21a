// One run of a serial source: from joining its line to the abort or the fault that ends it. It asks what is due, reads the
// replies, hears what comes unasked, and says what it misses. It never waits for the recorder.
//
// Bounds: silence is told after 3 polls and 3 s; the line is opened again after 10 polls and 30 s of it. A question that was
// never answered 3 times while others are rests for 30 s. At the stop the unit of what was read is waited for 2 s.
import { addAbortListener } from 'node:events';
import { AgentError, toAgentError } from '../../../model/agent-error.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { SourceSink } from '../../source.ts';
import type { PortReference } from '../line/find-port.ts';
import type { Expected, MissedPart } from '../line/gap-watch.ts';
import type { LineHub, Membership, SourceMemory } from '../line/line-hub.ts';
import type { Driver, DriverQuestion } from '../profile/compile-profile.ts';
import { fieldsOf } from '../profile/reply-fields.ts';
import { Asker, isAllTold } from './asker.ts';
import { ChannelBook, type ReadReply } from './channel-book.ts';
import { Hearing } from './hearing.ts';
import { HeldReadings } from './held-readings.ts';
import { askIdentity, refuseUnbound } from './identity-check.ts';
import { Outbox } from './outbox.ts';
import { outside, Readings, type TimedSeries } from './readings.ts';
import { serialNotes } from './serial-notes.ts';
import { Units } from './units.ts';

/** Silence after which the line is opened again, milliseconds, and at least so many polls. */
const REOPEN_MS = 30_000;
const REOPEN_POLLS = 10;
/** Silence is told after so many polls, and at least after this, milliseconds. */
const SILENT_POLLS = 3;
const SILENT_MS = 3000;
/** How often the line is looked at while nothing is due, milliseconds. */
const LOOK_MS = 1000;

/** A question that was never answered, while others are, rests from so many times on, so long, milliseconds. */
const MUTE_TIMES = 3;
const REST_MS = 30_000;

/** At the stop: longest wait for the unit of what was read last, milliseconds. */
const LAST_UNIT_MS = 2000;

const KEY = 'serial';

/** What is committed with each capture of an instrument. */
interface SerialPosition {
  /** Up to when all was read or noted as a gap, Unix milliseconds; null: never. */
  readonly lastMs: number | null;
  readonly identity: string | null;
  /** What was missed and not noted yet; absent: nothing. */
  readonly missed?: readonly MissedPart[];
}

export interface RunOptions {
  readonly id: string;
  readonly port: PortReference;
  readonly driver: Driver;
  readonly hub: LineHub;
  readonly clock: Clock;
  /** A part of the instrument's identity that a person expects; null: the one it had at first. */
  readonly expect: string | null;
}

interface Asked extends TimedSeries {
  readonly everyMs: number;
  readonly question: DriverQuestion;
}

/** What there is while the line is open. */
interface Connected {
  readonly member: Membership;
  readonly asker: Asker;
  readonly book: ChannelBook;
  readonly readings: Readings;
  readonly units: Units;
}

export class SerialRun {
  readonly #options: RunOptions;
  readonly #sink: SourceSink;
  readonly #signal: AbortSignal;
  readonly #memory: SourceMemory;
  readonly #outbox: Outbox;
  readonly #held: HeldReadings;
  readonly #hearing: Hearing;
  readonly #asked: readonly Asked[];
  #identity: string | null = null;
  #told = { partialBytes: 0, overrunBytes: 0 };
  #resyncs = 0;
  #strayBytes = 0;
  /** Questions that were answered since the line was opened, and how often those were not that never were. */
  readonly #answered = new Set<string>();
  readonly #mute = new Map<string, number>();

  constructor(options: RunOptions, sink: SourceSink, signal: AbortSignal) {
    const { driver, hub, id, clock } = options;
    this.#options = options;
    this.#sink = sink;
    this.#signal = signal;
    this.#memory = hub.memoryOf(id, clock.nowMs());
    this.#outbox = new Outbox(sink, () => {
      const { lastMs } = this.#memory.gaps;
      // What waits for its unit is not stored yet: should the agent be killed, it is part of the gap.
      const storedMs = lastMs === null ? null : Math.min(lastMs, this.#held.fromMs ?? lastMs);
      const missed = this.#memory.gaps.parts(this.#options.clock.nowMs());
      const position: SerialPosition = {
        lastMs: storedMs,
        identity: this.#identity,
        ...(missed.length > 0 ? { missed } : {}),
      };
      return JSON.stringify(position);
    });
    this.#held = new HeldReadings(this.#outbox, clock, (fromMs, toMs, cause) => sink.gap(fromMs, toMs, cause));
    this.#hearing = new Hearing(driver, (note) => sink.note(note));
    this.#asked = driver.questions.map((question) => ({
      id: question.id,
      channels: question.channels,
      names: question.channels.map(({ name }) => name),
      everyMs: question.everyMs,
      isAsked: true,
      question,
    }));
  }

  /** Reject with an AgentError when the line cannot be opened, is gone, or stays silent. */
  async run(): Promise<void> {
    const { gaps } = this.#memory;
    using _stop = addAbortListener(this.#signal, () => gaps.toldToStop(this.#options.clock.nowMs()));
    this.#memory.endWait();
    await this.#restore();
    let member: Membership | null = null;
    try {
      member = await this.#join();
      await this.#runOn(member);
    } catch (thrown) {
      const error = toAgentError(thrown);
      if (!this.#signal.aborted) {
        this.#held.refuse(null, `their unit was not told after them: ${error.message.replace(/\.$/, '')}`);
        for (const { what } of this.#expected) gaps.missed(what, error.message.replace(/\.$/, ''));
        // Killed before the next try, the agent knows then what was wrong until now.
        this.#outbox.changePosition();
        this.#tellGapsAtAbort();
        throw error;
      }
    } finally {
      this.#hearing.end();
      this.#held.refuse(null, 'the source was stopped before their unit was told after them');
      if (this.#signal.aborted) this.#tellGaps();
      else this.#outbox.finish();
      await member?.leave();
    }
  }

  #tellGaps = (): void => {
    const gaps = this.#memory.gaps.stop(this.#options.clock.nowMs(), this.#expected);
    for (const { fromMs, toMs, cause } of gaps) this.#sink.gap(fromMs, toMs, cause);
    // The next run begins where these end.
    if (gaps.length > 0) this.#outbox.changePosition();
    this.#outbox.finish();
  };

  /** Nobody runs when the agent stops before the next try: what is missing then is told all the same. */
  #tellGapsAtAbort(): void {
    const signal = this.#signal;
    signal.addEventListener('abort', this.#tellGaps);
    this.#memory.endWait = () => signal.removeEventListener('abort', this.#tellGaps);
  }

  /** What readings are expected of: gaps name these. */
  get #expected(): Expected[] {
    return [...this.#asked, ...this.#hearing.series].flatMap(({ id: what, everyMs, isAsked }) =>
      everyMs === null ? [] : [{ what, everyMs, isAsked }],
    );
  }

  async #restore(): Promise<void> {
    const stored = (await this.#sink.positions()).get(KEY);
    if (stored === undefined) return;
    const { identity, lastMs, missed = [] } = JSON.parse(stored) as SerialPosition;
    this.#identity = identity;
    const { gaps } = this.#memory;
    const names = this.#expected.map(({ what }) => what);
    if (gaps.lastMs === null) gaps.restore(names, lastMs, missed);
  }

  /** Join the line, or give it up at the abort: then it is left as soon as it is there. */
  async #join(): Promise<Membership> {
    const { hub, port, driver, clock } = this.#options;
    const { line: settings, timing } = driver.profile;
    const listener = this.#hearing.listener(driver.family.framer);
    const joining = hub.join({ port, settings, settleMs: timing.settle_ms, clock, listener });
    const aborted = Promise.withResolvers<never>();
    using _abort = addAbortListener(this.#signal, () => aborted.reject(new Error('aborted')));
    try {
      return await Promise.race([joining, aborted.promise]);
    } catch (thrown) {
      // A line that cannot be opened either has told its fault already.
      if (this.#signal.aborted) joining.then((member) => member.leave()).catch(() => undefined);
      throw thrown;
    }
  }

  async #runOn(member: Membership): Promise<void> {
    const { driver, clock } = this.#options;
    const { address, unverified } = driver.profile;
    const { line } = member;
    const note = (told: Parameters<SourceSink['note']>[0]) => this.#sink.note(told);
    // Nobody waits for a reply that nobody wants any more. The signal lives as long as the source, this connection may not:
    // what listened on would keep each one that there ever was.
    // What waits for its unit is asked for first.
    const left = new AbortController();
    const release = async () => {
      if (this.#held.fromMs !== null) await clock.sleep(LAST_UNIT_MS, left.signal);
      if (!left.signal.aborted && !member.isShared()) await line.close();
    };
    using _release = addAbortListener(this.#signal, () => void release());
    const { place } = line;
    if (this.#memory.place !== '' && this.#memory.place !== place) note(serialNotes.moved(this.#memory.place, place));
    this.#memory.place = place;
    note(serialNotes.back(place));
    if (unverified.length > 0) note(serialNotes.unverified(unverified));
    const book = new ChannelBook(driver, address === null ? place : `${place}, address ${address}`);
    const asker = new Asker(driver, member, note);
    const held = this.#held;
    const readings = new Readings(this.#sink, this.#outbox, held, this.#memory.gaps, clock, book);
    const declare = () => this.#outbox.declare(book.declare([...this.#asked, ...this.#hearing.series]));
    const units = new Units({ driver, asker, book, held, clock, note, declare });
    const connected: Connected = { member, asker, book, readings, units };
    await this.#checkIdentity(asker);
    await units.ask();
    declare();
    this.#hearing.begin({ readings, book, count: asker, good: () => member.good() });
    try {
      await this.#poll(connected);
      if (held.fromMs !== null && asker.isInStep) {
        await Promise.race([units.ask(), clock.sleep(LAST_UNIT_MS, left.signal)]);
      }
    } finally {
      left.abort();
    }
  }

  /** Never another instrument under the same name: what was learned of it at first must still be true. */
  async #checkIdentity(asker: Asker): Promise<void> {
    const { driver, expect } = this.#options;
    const said = await askIdentity(asker, driver.identity, this.#identity);
    refuseUnbound(driver, said, this.#memory.place);
    if (said.kind === 'untold') return;
    if (said.kind === 'strange') return this.#sink.note(serialNotes.otherIdentity(said.text, driver.profile.title));
    if (said.kind === 'unsure') {
      // Nothing was remembered yet: nothing can be mistaken for it.
      if (this.#identity === null) return;
      throw new AgentError({
        code: 'serial.identity-unsure',
        message: `What answers on ${this.#memory.place} gives changing identities: "${said.text}", before "${this.#identity}".`,
        hint: 'Look at cable and ground, and whether two instruments answer. Epistream asks again automatically.',
        retry: 'later',
      });
    }
    const { found, text } = said;
    const isExpected = expect !== null && text.includes(expect);
    if (this.#identity !== null && this.#identity !== found && !isExpected) {
      throw new AgentError({
        code: 'serial.other-instrument',
        message: `Another instrument answers on ${this.#memory.place}: "${found}", it was "${this.#identity}".`,
        hint: `If it was exchanged on purpose, write expect: '${found}' under this source. Nothing is recorded until then.`,
        retry: 'later',
      });
    }
    this.#identity = found;
  }

  async #poll(connected: Connected): Promise<void> {
    const { clock } = this.#options;
    const { asker, member, units } = connected;
    const plan = new PollPlan(this.#asked, clock.monotonicMs());
    const ended = new AbortController();
    using _stop = addAbortListener(this.#signal, () => ended.abort());
    // Not the promise of its end: the line may outlive this source, and would keep what waits for it.
    using _gone = addAbortListener(member.line.ended, () => ended.abort());
    while (!this.#signal.aborted) {
      const nowMs = clock.monotonicMs();
      const { next } = plan;
      // The questions bring it back in step; where there are none, the units do.
      const unitsMs = asker.isInStep || next === null ? units.dueMs : Number.POSITIVE_INFINITY;
      const waitMs = Math.min(LOOK_MS, unitsMs - nowMs, (next?.dueMs ?? Number.POSITIVE_INFINITY) - nowMs);
      if (waitMs > 0) {
        if (ended.signal.aborted) throw (await member.line.closed) ?? new Error('the line was closed');
        await clock.sleep(waitMs, ended.signal);
      } else if (unitsMs <= nowMs) await units.ask();
      else if (next !== null) {
        const isGood = await this.#askSeries(next.question, connected);
        plan.asked(next.question, clock.monotonicMs());
        // Who does not answer is not asked as often: others may be on the line.
        this.#restIfMute(next.question, isGood, plan, member.line.counts.strayBytes);
        if (!isGood && !asker.isInStep) plan.notBefore(clock.monotonicMs() + next.question.question.timeoutMs);
      }
      this.#watch(connected);
    }
  }

  /** A question that was never answered while others are only takes up their time: it is asked now and then. */
  #restIfMute(series: Asked, isGood: boolean, plan: PollPlan<Asked>, strayBytes: number): void {
    if (isGood) this.#answered.add(series.id);
    // What comes too late, or cannot be read, is an answer all the same.
    const isSilent = strayBytes === this.#strayBytes;
    this.#strayBytes = strayBytes;
    if (!isSilent) return;
    if (isGood || this.#answered.has(series.id) || this.#answered.size === 0) return;
    const times = (this.#mute.get(series.id) ?? 0) + 1;
    this.#mute.set(series.id, times);
    if (times < MUTE_TIMES) return;
    if (times === MUTE_TIMES) this.#sink.note(serialNotes.mute(series.id));
    plan.rest(series, this.#options.clock.monotonicMs() + REST_MS);
  }

  /** Ask a question of the profile, once more when its reply made no sense or was late; gives whether it was answered. */
  async #askSeries(series: Asked, connected: Connected): Promise<boolean> {
    const { asker, readings } = connected;
    for (const isLast of [false, true]) {
      if (this.#signal.aborted) return false;
      if ((await asker.getInStep()) && (await this.#askOnce(series, isLast, connected))) return true;
      readings.missed(series.id, asker.isInStep ? 'no reply that can be read' : 'no answer');
    }
    return false;
  }

  async #askOnce(series: Asked, isLast: boolean, connected: Connected): Promise<boolean> {
    const { asker, book, readings } = connected;
    const { question } = series;
    const outcome = await asker.question(question);
    this.#lookForResync(connected);
    if (outcome.kind !== 'reply') return false;
    const { reply } = outcome;
    if (reply.kind === 'malformed') {
      book.disturb(series);
      if (isLast) readings.unreadable(series, reply.raw, reply.reason);
      return false;
    }
    asker.isInStep = true;
    if (reply.kind === 'refused') {
      readings.refused(series, reply.raw, reply.reason, reply.atMs);
      return true;
    }
    const fields = fieldsOf(reply, question.cutter);
    if (fields === null) return false;
    const companions = await asker.companions(question);
    const isTold = isAllTold(companions);
    // A value without its status is none: both are asked once more.
    if (!isTold && !isLast) return false;
    const read = book.read(series, fields, companions, reply.atMs);
    if (!isTold) {
      this.#sink.note(serialNotes.untold(series.id));
      readings.untold(series, read);
      return false;
    }
    if (read.doubtful.length > 0 || read.isBeyond) return this.#askAgain(series, read, connected);
    readings.accept(series, read);
    return true;
  }

  /** Any source of the line may have made it necessary: meanwhile nobody was asked. */
  #lookForResync({ member }: Connected): void {
    const { resyncs } = member.line.counts;
    if (resyncs !== this.#resyncs) this.#memory.gaps.disturbed(this.#options.clock.nowMs());
    this.#resyncs = resyncs;
  }

  /** A doubtful reading counts when the next one has the same form; most doubts are values that really changed. What cannot be does not. */
  async #askAgain(series: Asked, doubtful: ReadReply, { asker, book, readings }: Connected): Promise<boolean> {
    const { question } = series;
    const outcome = await asker.question(question);
    const reply = outcome.kind === 'reply' ? outcome.reply : null;
    const fields = reply?.kind === 'text' || reply?.kind === 'fields' ? fieldsOf(reply, question.cutter) : null;
    if (fields === null || reply === null) {
      readings.settle(series, doubtful, doubtful.doubtful);
      return false;
    }
    const companions = await asker.companions(question);
    const read = book.read(series, fields, companions, reply.atMs);
    readings.settle(series, doubtful, outside(doubtful.doubtful, read.doubtful));
    if (isAllTold(companions)) readings.accept(series, read);
    else readings.untold(series, read);
    return isAllTold(companions);
  }

  /** Look at what has not come, and at what the line counted. Throws `serial.silent` when it is to be opened again. */
  #watch({ member, asker, readings }: Connected): void {
    const { driver, clock } = this.#options;
    const { partialBytes, overrunBytes } = member.line.counts;
    if (partialBytes > this.#told.partialBytes) this.#sink.note(serialNotes.skipped(partialBytes));
    const overrun = overrunBytes - this.#told.overrunBytes;
    if (overrun > 0) this.#sink.note(serialNotes.overrun(overrun));
    this.#told = { partialBytes, overrunBytes };
    const intervals = [...this.#asked, ...this.#hearing.series].flatMap(({ everyMs }) => everyMs ?? []);
    if (intervals.length === 0) return;
    const everyMs = Math.min(...intervals);
    const { silentMs } = readings;
    if (silentMs < Math.max(SILENT_MS, SILENT_POLLS * everyMs)) return;
    for (const heard of this.#hearing.series) if (heard.everyMs !== null) readings.missed(heard.id, 'no data');
    readings.tellSilence(everyMs, asker.received);
    const isAlive = clock.monotonicMs() - member.lastGoodMs() < REOPEN_MS;
    if (driver.profile.resets_on_open || isAlive || silentMs < Math.max(REOPEN_MS, REOPEN_POLLS * everyMs)) return;
    const { message, hint } = serialNotes.silent(silentMs, everyMs, asker.received);
    const text = `${message} The port is opened again.`;
    throw new AgentError({ code: 'serial.silent', message: text, hint, retry: 'later' });
  }
}

/** When each question is due. What could not be asked in time is left out, never made up for. */
class PollPlan<Question extends { readonly everyMs: number }> {
  readonly #due: { readonly question: Question; dueMs: number }[];

  /** Takes the questions, and the monotonic clock at which all are due first. */
  constructor(questions: readonly Question[], startMs: number) {
    this.#due = questions.map((question) => ({ question, dueMs: startMs }));
  }

  /** The question that is due next, and when; null when there is none. */
  get next(): { readonly question: Question; readonly dueMs: number } | null {
    let next = this.#due[0];
    for (const entry of this.#due) if (next && entry.dueMs < next.dueMs) next = entry;
    return next ?? null;
  }

  /** It was asked: it is due again on its own beat, after now. */
  asked(question: Question, nowMs: number): void {
    const entry = this.#due.find((one) => one.question === question);
    if (!entry) return;
    const beats = Math.max(1, Math.floor((nowMs - entry.dueMs) / question.everyMs) + 1);
    entry.dueMs += beats * question.everyMs;
  }

  /** This question is not due before this moment. */
  rest(question: Question, untilMs: number): void {
    const entry = this.#due.find((one) => one.question === question);
    if (entry) entry.dueMs = Math.max(entry.dueMs, untilMs);
  }

  /** Nothing is due before this moment. */
  notBefore(ms: number): void {
    for (const entry of this.#due) entry.dueMs = Math.max(entry.dueMs, ms);
  }
}
