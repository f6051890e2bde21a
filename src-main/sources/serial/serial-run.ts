// One run of a serial source: from joining its line to the abort or the fault that ends it. It asks what is due, reads the
// replies, hears what comes unasked, and says what it misses. It never waits for the recorder.
import { AgentError, toAgentError } from '../../model/agent-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { SourceSink } from '../source.ts';
import { showBytes } from './bytes.ts';
import { ChannelBook, type ReadReply, type Series } from './channel-book.ts';
import type { Driver, DriverHeard, DriverQuestion } from './compile-profile.ts';
import { ErrorRate } from './error-rate.ts';
import type { Frame } from './exchange.ts';
import type { CompiledAsk } from './family.ts';
import type { PortReference } from './find-port.ts';
import type { LineListener, Outcome } from './line.ts';
import type { LineHub, Membership, SourceMemory } from './line-hub.ts';
import { Outbox } from './outbox.ts';
import { PollPlan } from './poll-plan.ts';
import { type FieldCutter, type Fields, fieldsOf } from './reply-fields.ts';
import { serialNotes } from './serial-notes.ts';

/** Units are looked up again so often, milliseconds: somebody may change them on the instrument. */
const LOOKUP_MS = 60_000;
/** Silence after which the line is opened anew, milliseconds, and at least so many polls. */
const REOPEN_MS = 30_000;
const REOPEN_POLLS = 10;
/** Frames that are held until the channels are declared. */
const EARLY_FRAMES_MAX = 1000;
/** Silence is told after so many polls, and at least after this, milliseconds. */
const SILENT_POLLS = 3;
const SILENT_MS = 3000;

export interface RunOptions {
  readonly id: string;
  readonly port: PortReference;
  readonly driver: Driver;
  readonly hub: LineHub;
  readonly clock: Clock;
  /** A part of the instrument's identity that a person expects; null: the one it had at first. */
  readonly expect: string | null;
}

interface Asked extends Series {
  readonly everyMs: number;
  readonly question: DriverQuestion;
}
interface Listened extends Series {
  readonly heard: DriverHeard;
  /** A reading that is looked at again when the next one comes. */
  held: ReadReply | null;
}

/** What is committed with each capture. */
export interface SerialPosition {
  readonly lastMs: number | null;
  readonly identity: string | null;
}

export class SerialRun {
  readonly #options: RunOptions;
  readonly #sink: SourceSink;
  readonly #signal: AbortSignal;
  readonly #memory: SourceMemory;
  readonly #outbox: Outbox;
  readonly #rate = new ErrorRate();
  readonly #asked: readonly Asked[];
  readonly #listened: readonly Listened[];
  #book: ChannelBook;
  #member: Membership | null = null;
  #identity: string | null = null;
  /** Monotonic clock at the last good reading, or at the opening. */
  #goodMs = 0;
  #toldSilentMs = 0;
  #isInStep = true;
  #told = { partialBytes: 0, overrunBytes: 0 };
  /** Heard before the channels were declared; null afterwards. */
  #early: Frame[] | null = [];

  constructor(options: RunOptions, sink: SourceSink, signal: AbortSignal) {
    const { driver, hub, id, clock } = options;
    this.#options = options;
    this.#sink = sink;
    this.#signal = signal;
    this.#memory = hub.memoryOf(id, clock.nowMs());
    this.#book = new ChannelBook(driver, '');
    this.#outbox = new Outbox(sink, () => {
      const position: SerialPosition = { lastMs: this.#memory.gaps.lastMs, identity: this.#identity };
      return JSON.stringify(position);
    });
    const series = <T extends { id: string; channels: Series['channels'] }>(one: T) => ({
      id: one.id,
      channels: one.channels,
      names: one.channels.map(({ name }) => name),
    });
    this.#asked = driver.questions.map((question) => ({ ...series(question), everyMs: question.everyMs, question }));
    this.#listened = driver.heard.map((heard) => ({ ...series(heard), heard, held: null }));
  }

  async run(): Promise<void> {
    await this.#restore();
    try {
      await this.#connect();
      await this.#poll();
    } catch (thrown) {
      const error = toAgentError(thrown);
      if (!this.#signal.aborted) {
        for (const what of this.#expected) this.#memory.gaps.missed(what, error.message.replace(/\.$/, ''));
        throw error;
      }
    } finally {
      if (this.#signal.aborted) this.#tellGaps(this.#memory.gaps.stop(this.#options.clock.nowMs()));
      this.#outbox.finish();
      await this.#member?.leave();
    }
  }

  /** What readings are expected of: gaps are told of these. */
  get #expected(): string[] {
    const heard = this.#listened.filter((one) => one.heard.expectedMs !== null);
    return [...this.#asked, ...heard].map(({ id }) => id);
  }

  async #restore(): Promise<void> {
    const stored = (await this.#sink.positions()).get('serial');
    if (stored === undefined) return;
    const position = JSON.parse(stored) as SerialPosition;
    this.#identity = position.identity;
    if (position.lastMs !== null && this.#memory.gaps.lastMs === null) {
      this.#memory.gaps.restore(this.#expected, position.lastMs);
    }
  }

  async #connect(): Promise<void> {
    const { hub, port, driver, clock } = this.#options;
    const { line: settings, timing, address, unverified, title } = driver.profile;
    const listener = driver.heard.length > 0 && driver.family.framer ? this.#listener(driver.family.framer) : null;
    const member = await this.#join(hub.join({ port, settings, settleMs: timing.settle_ms, clock, listener }));
    this.#member = member;
    const { line } = member;
    // Nobody waits for a reply that nobody wants any more.
    this.#signal.addEventListener('abort', () => {
      if (!member.isShared()) void line.close();
    });
    this.#goodMs = clock.monotonicMs();
    const { place } = line;
    if (this.#memory.place !== '' && this.#memory.place !== place)
      this.#sink.note(serialNotes.moved(this.#memory.place, place));
    this.#memory.place = place;
    this.#book = new ChannelBook(driver, address === null ? place : `${place}, address ${address}`);
    this.#sink.note(serialNotes.back(place));
    if (unverified.length > 0) this.#sink.note(serialNotes.unverified(unverified));
    await this.#checkIdentity(title);
    await this.#lookUp();
    this.#declare();
    const early = this.#early ?? [];
    this.#early = null;
    for (const frame of early) this.#hear(frame);
  }

  /** Wait for the line, or for the abort: then the line is left as soon as it is there. */
  async #join(joining: Promise<Membership>): Promise<Membership> {
    const aborted = Promise.withResolvers<never>();
    const abort = () => aborted.reject(new Error('aborted'));
    this.#signal.addEventListener('abort', abort);
    if (this.#signal.aborted) abort();
    try {
      return await Promise.race([joining, aborted.promise]);
    } catch (thrown) {
      // A line that cannot be opened either has told its fault already.
      if (this.#signal.aborted) joining.then((member) => member.leave()).catch(() => undefined);
      throw thrown;
    } finally {
      this.#signal.removeEventListener('abort', abort);
    }
  }

  #declare(): void {
    const heard = this.#listened.map((one) => ({ ...one, everyMs: one.heard.expectedMs }));
    this.#sink.declare(this.#book.declare([...this.#asked, ...heard]));
  }

  /** Never another instrument under the same name: what was learned of it at first must still be true. */
  async #checkIdentity(title: string): Promise<void> {
    const { identity } = this.#options.driver;
    if (identity === null) return;
    const outcome = await this.#ask(identity.ask, null);
    if (outcome.is !== 'reply' || (outcome.reply.is !== 'text' && outcome.reply.is !== 'fields')) return;
    const text = outcome.reply.is === 'text' ? outcome.reply.text : outcome.reply.raw;
    const found = identity.read(text);
    if (found === null) return this.#sink.note(serialNotes.otherIdentity(text, title));
    if (!identity.isSure) return;
    const { expect } = this.#options;
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

  /** Ask for units. What does not answer leaves its channels without one. */
  async #lookUp(): Promise<void> {
    let isChanged = false;
    for (const { name, ask, cutter, words } of this.#options.driver.lookups) {
      const outcome = await this.#ask(ask, cutter);
      const fields = this.#fields(outcome, cutter);
      const word = fields === null ? undefined : fields.get(null);
      if (word === undefined) {
        if (this.#book.unitOf(name) === undefined) this.#sink.note(serialNotes.noUnit(name));
        continue;
      }
      const text = String(word);
      const unit =
        words[text] ?? Object.entries(words).find(([key]) => key.toLowerCase() === text.toLowerCase())?.[1] ?? text;
      const was = this.#book.unitOf(name);
      if (!this.#book.setUnit(name, unit)) continue;
      isChanged = true;
      if (was !== undefined) this.#sink.note(serialNotes.unit(name, unit, was));
    }
    if (isChanged) this.#declare();
  }

  #fields(outcome: Outcome, cutter: FieldCutter): Fields | null {
    if (outcome.is !== 'reply' || (outcome.reply.is !== 'text' && outcome.reply.is !== 'fields')) return null;
    return fieldsOf(outcome.reply, cutter);
  }

  async #poll(): Promise<void> {
    const { clock, driver } = this.#options;
    const plan = new PollPlan(this.#asked, clock.monotonicMs());
    let lookUpMs = clock.monotonicMs() + LOOKUP_MS;
    const { line } = this.#member as Membership;
    const ended = new AbortController();
    const stop = () => ended.abort();
    this.#signal.addEventListener('abort', stop);
    void line.closed.then(stop);
    while (!this.#signal.aborted) {
      const nowMs = clock.monotonicMs();
      const { next } = plan;
      const waitMs = Math.min(1000, next === null ? 1000 : next.dueMs - nowMs);
      if (waitMs > 0 && ended.signal.aborted) {
        const reason = await line.closed;
        throw reason ?? new Error('the line was closed');
      }
      if (waitMs > 0) {
        await clock.sleep(waitMs, ended.signal);
        this.#watch();
        continue;
      }
      if (next === null) continue;
      if (driver.lookups.length > 0 && nowMs >= lookUpMs && this.#isInStep) {
        lookUpMs = nowMs + LOOKUP_MS;
        await this.#lookUp();
      }
      const isGood = await this.#askSeries(next.question);
      plan.asked(next.question, clock.monotonicMs());
      // Who does not answer is not asked as often: others may be on the line.
      if (!isGood && !this.#isInStep) plan.notBefore(clock.monotonicMs() + next.question.question.timeoutMs);
      this.#watch();
    }
  }

  /** Ask a question of the profile, once more when its reply made no sense or was late; gives whether it was answered. */
  async #askSeries(series: Asked): Promise<boolean> {
    for (const isLast of [false, true]) {
      if (this.#signal.aborted) return false;
      if ((await this.#getInStep()) && (await this.#askOnce(series, isLast))) return true;
      this.#memory.gaps.missed(series.id, this.#isInStep ? 'no reply that can be read' : 'no answer');
      if (!this.#isInStep && isLast) return false;
    }
    return false;
  }

  /** After a time-out the identity is asked for: no late reply to another question can be taken for it. */
  async #getInStep(): Promise<boolean> {
    const { driver } = this.#options;
    const { identity } = driver;
    if (this.#isInStep || driver.family.provesReply || identity === null) return true;
    const outcome = await this.#ask(
      identity.ask,
      null,
      (text) => identity.read(text) !== null || !this.#isKnownReply(text),
    );
    this.#isInStep = outcome.is === 'reply' && outcome.reply.is !== 'malformed';
    return this.#isInStep;
  }

  /** Whether a text could be the reply to one of the questions. */
  #isKnownReply(text: string): boolean {
    return this.#asked.some(({ question }) => question.cutter.fits(text));
  }

  async #askOnce(series: Asked, isLast: boolean): Promise<boolean> {
    const { question } = series;
    const outcome = await this.#ask(question.ask, question.cutter, undefined, question.timeoutMs);
    if (outcome.is !== 'reply') return false;
    const { reply } = outcome;
    if (reply.is === 'malformed') {
      if (isLast) this.#outbox.add([], this.#book.refuseAll(series, reply.raw, reply.reason));
      return false;
    }
    this.#isInStep = true;
    if (reply.is === 'refused') {
      this.#answered(series, reply.atMs);
      this.#outbox.add([], this.#book.refuseAll(series, reply.raw, reply.reason));
      return true;
    }
    const fields = fieldsOf(reply, question.cutter);
    if (fields === null) {
      if (isLast)
        this.#outbox.add(
          [],
          this.#book.refuseAll(series, 'raw' in reply ? reply.raw : reply.text, 'not the form of this reply'),
        );
      return false;
    }
    const companions = await this.#askCompanions(question);
    const read = this.#book.read(series, fields, companions, reply.atMs);
    if (read.doubtful.length > 0) return this.#askAgain(series, read);
    this.#accept(series, read);
    return true;
  }

  /** A doubtful reading counts when the next one has the same form; most doubts are values that really changed. */
  async #askAgain(series: Asked, doubtful: ReadReply): Promise<boolean> {
    const { question } = series;
    const outcome = await this.#ask(question.ask, question.cutter, undefined, question.timeoutMs);
    const fields = this.#fields(outcome, question.cutter);
    if (fields === null || outcome.is !== 'reply') {
      this.#settleDoubt(series, doubtful, doubtful.doubtful);
      return false;
    }
    const companions = await this.#askCompanions(question);
    const read = this.#book.read(series, fields, companions, outcome.reply.atMs);
    this.#settleDoubt(series, doubtful, outside(doubtful.doubtful, read.doubtful));
    this.#accept(series, read);
    return true;
  }

  /** Take a doubtful reading without the channels that turned out wrong; these are refused with their text. */
  #settleDoubt(series: Series & { everyMs?: number | null }, read: ReadReply, wrong: readonly string[]): void {
    if (wrong.length === 0) {
      this.#accept(series, read);
      return;
    }
    const refusals = wrong.map((channel) => {
      const text = read.texts.get(channel)?.text ?? '';
      this.#sink.note(serialNotes.slip(channel, text));
      return { ...this.#book.refuseLine(text, 'a character was lost or added on the line'), channel };
    });
    const { channels } = read.row;
    const values = read.row.values.map((value, at) => (wrong.includes(channels[at] as string) ? Number.NaN : value));
    this.#outbox.add([{ ...read.row, values }], [...read.refusals, ...refusals]);
  }

  async #askCompanions(question: DriverQuestion): Promise<Map<string, Fields | null>> {
    const replies = new Map<string, Fields | null>();
    for (const { id, ask, cutter, timeoutMs } of question.companions) {
      replies.set(id, this.#fields(await this.#ask(ask, cutter, undefined, timeoutMs), cutter));
    }
    return replies;
  }

  /** Put one question on the line and count what became of it. */
  async #ask(
    ask: CompiledAsk,
    cutter: FieldCutter | null,
    accepts = (text: string) => cutter === null || cutter.fits(text),
    timeoutMs = this.#options.driver.profile.timing.timeout_ms,
  ): Promise<Outcome> {
    const { family, profile } = this.#options.driver;
    const { neutral, provesReply } = family;
    const { exchange } = ask;
    const member = this.#member as Membership;
    const outcome = await member.line.ask({
      exchange,
      timeoutMs,
      gapMs: profile.timing.gap_ms,
      neutral,
      provesReply,
      accepts,
    });
    if (outcome.is === 'out-of-step') this.#sink.note(serialNotes.outOfStep());
    if (outcome.is !== 'reply') this.#isInStep = false;
    // What did not come whole was not read; what did not come at all says nothing of the baud rate.
    const isReadable =
      outcome.is === 'reply' ? outcome.reply.is !== 'malformed' : outcome.received === '' ? null : false;
    if (isReadable !== null) this.#count(isReadable);
    if (isReadable) member.good();
    return outcome;
  }

  #count(isReadable: boolean): void {
    const percent = this.#rate.count(isReadable);
    if (percent !== null) this.#sink.note(percent === 0 ? serialNotes.readable() : serialNotes.unreadable(percent));
  }

  #accept(series: Series & { everyMs?: number | null }, read: ReadReply): void {
    this.#book.believe(read);
    this.#answered(series, read.row.atMs);
    this.#outbox.add([read.row], read.refusals);
  }

  #answered({ id, everyMs }: { id: string; everyMs?: number | null }, atMs: number): void {
    this.#goodMs = this.#options.clock.monotonicMs();
    if (this.#toldSilentMs > 0) this.#sink.note(serialNotes.answers());
    this.#toldSilentMs = 0;
    this.#tellGaps(this.#memory.gaps.read(id, atMs, everyMs ?? 0));
  }

  #tellGaps(gaps: ReturnType<SourceMemory['gaps']['stop']>): void {
    for (const { fromMs, toMs, cause } of gaps) this.#sink.gap(fromMs, toMs, cause);
  }

  /** Look at what has not come, and at what the line counted. */
  #watch(): void {
    const { driver, clock } = this.#options;
    const { line, lastGoodMs } = this.#member as Membership;
    const { partialBytes, overrunBytes } = line.counts;
    if (partialBytes > this.#told.partialBytes) this.#sink.note(serialNotes.skipped(partialBytes));
    if (overrunBytes > this.#told.overrunBytes)
      this.#sink.note(serialNotes.overrun(overrunBytes - this.#told.overrunBytes));
    this.#told = { partialBytes, overrunBytes };
    const everyMs = Math.min(
      ...this.#asked.map((one) => one.everyMs),
      ...driver.heard.map((one) => one.expectedMs ?? Number.POSITIVE_INFINITY),
    );
    if (!Number.isFinite(everyMs)) return;
    const silentMs = clock.monotonicMs() - this.#goodMs;
    if (silentMs < Math.max(SILENT_MS, SILENT_POLLS * everyMs)) return;
    for (const { id, heard } of this.#listened) if (heard.expectedMs !== null) this.#memory.gaps.missed(id, 'no data');
    // Told again each time the silence has doubled.
    if (silentMs >= 2 * this.#toldSilentMs) {
      this.#toldSilentMs = silentMs;
      this.#sink.note(serialNotes.silent(silentMs, everyMs));
    }
    const isAlive = clock.monotonicMs() - lastGoodMs() < REOPEN_MS;
    if (driver.profile.resets_on_open || isAlive || silentMs < Math.max(REOPEN_MS, REOPEN_POLLS * everyMs)) return;
    const { message, hint } = serialNotes.silent(silentMs, everyMs);
    throw new AgentError({
      code: 'serial.silent',
      message: `${message} The port is opened anew.`,
      hint,
      retry: 'later',
    });
  }

  #listener(framer: LineListener['framer']): LineListener {
    return {
      framer,
      onFrame: (frame) => this.#hear(frame),
      onUnreadable: (head, count, reason) => {
        this.#sink.note(serialNotes.flood(count));
        this.#count(false);
        this.#outbox.add([], [this.#book.refuseLine(showBytes(head), reason)]);
      },
    };
  }

  /** A line that came unasked: the first rule that it fits reads it. */
  #hear(frame: Frame): void {
    if (this.#early !== null) {
      if (this.#early.length < EARLY_FRAMES_MAX) this.#early.push(frame);
      return;
    }
    for (const listened of this.#listened) {
      const reply = listened.heard.decode(frame);
      if (reply === null || (reply.is !== 'text' && reply.is !== 'fields')) continue;
      const fields = fieldsOf(reply, listened.heard.cutter);
      if (fields === null) continue;
      this.#count(true);
      (this.#member as Membership | null)?.good();
      if (listened.heard.note !== null) this.#sink.note(serialNotes.line(`${listened.heard.note}: ${fields.raw}`));
      if (listened.channels.length > 0)
        this.#heardReading(listened, this.#book.read(listened, fields, new Map(), frame.atMs));
      else this.#goodMs = this.#options.clock.monotonicMs();
      return;
    }
    this.#count(false);
    this.#outbox.add([], [this.#book.refuseLine(showBytes(frame.bytes), 'not understood')]);
  }

  /** A doubtful reading is held until the next one: if that has the same form it was true. */
  #heardReading(listened: Listened, read: ReadReply): void {
    const series = { ...listened, everyMs: listened.heard.expectedMs };
    const { held } = listened;
    if (held === null && read.doubtful.length > 0) {
      listened.held = read;
      return;
    }
    listened.held = null;
    if (held !== null) this.#settleDoubt(series, held, outside(held.doubtful, read.doubtful));
    this.#accept(series, read);
  }
}

const outside = (names: readonly string[], others: readonly string[]) => names.filter((name) => !others.includes(name));
