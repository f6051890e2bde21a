// Puts questions on the line and counts what becomes of them; knows whether the instrument is in step.
//
// Invariants: after a time-out nothing counts as in step until a reply came that can only be the right one: one that names
// its question, or the identity where the unit has ever told it. What acts on other instruments is not asked before the
// identity was answered as it should be, nor after a time-out before it was so again. The bounds of waiting are the line's.
import type { SourceNote } from '../../source.ts';
import type { Outcome } from '../line/line.ts';
import type { Membership } from '../line/line-hub.ts';
import type { Driver, DriverQuestion } from '../profile/compile-profile.ts';
import { type FieldCutter, type Fields, fieldsOf } from '../profile/reply-fields.ts';
import type { CompiledAsk } from '../protocol/family.ts';
import { ErrorRate } from './error-rate.ts';
import { serialNotes, type Unread } from './serial-notes.ts';

export interface AskOptions {
  /** Whether a text has the form of the reply; left out: any has. */
  readonly accepts?: (text: string) => boolean;
  /** Left out: as the profile says. */
  readonly timeoutMs?: number;
}

export class Asker {
  readonly #driver: Driver;
  readonly #member: Membership;
  readonly #note: (note: SourceNote) => void;
  readonly #rate = new ErrorRate();
  /** False from a time-out until a reply that can only be the right one. */
  isInStep = true;
  /** The last bytes that were no reply; null from the next reply on. */
  received: Unread | null = null;
  #lastUnread: Unread | null = null;
  /** The identity question was answered once on this connection. */
  #saysIdentity = false;
  /** It was answered as it should be, and there was no time-out since: somebody else may be there after one. */
  #isKnown = false;

  constructor(driver: Driver, member: Membership, note: (note: SourceNote) => void) {
    this.#driver = driver;
    this.#member = member;
    this.#note = note;
  }

  /**
   * Ask.
   *
   * @throws rejects with the reason when the connection ended.
   */
  async ask(ask: CompiledAsk, options: AskOptions = {}): Promise<Outcome> {
    const { family, profile, identity } = this.#driver;
    if (identity?.isBond && ask !== identity.ask && !this.#isKnown) return { kind: 'silent', received: '' };
    const { accepts = () => true, timeoutMs = profile.timing.timeout_ms } = options;
    const { neutral, provesReply } = family;
    const gapMs = profile.timing.gap_ms;
    const exchange = () => ask.exchange();
    const outcome = await this.#member.line.ask({ exchange, timeoutMs, gapMs, neutral, provesReply, accepts });
    if (outcome.kind === 'out-of-step') this.#note(serialNotes.outOfStep());
    if (outcome.kind !== 'reply') {
      this.isInStep = false;
      this.#isKnown = false;
      // What did not come whole was not read; what did not come at all says nothing of the baud rate.
      if (outcome.received !== '') {
        this.received = { shown: outcome.received, reason: 'no whole reply' };
        this.unread(this.received);
      }
      return outcome;
    }
    const { reply } = outcome;
    this.received = reply.kind === 'malformed' ? { shown: reply.raw, reason: reply.reason } : null;
    if (outcome.reply.kind !== 'malformed' && ask === identity?.ask) {
      this.#saysIdentity = true;
      this.#isKnown = outcome.reply.kind === 'text' && identity.read(outcome.reply.text) !== null;
    }
    if (this.received !== null) this.unread(this.received);
    else {
      this.read();
      this.#member.good();
    }
    return outcome;
  }

  /** Ask for fields; null when they did not come. */
  async fields(ask: CompiledAsk, cutter: FieldCutter, timeoutMs?: number): Promise<Fields | null> {
    const limit = timeoutMs === undefined ? {} : { timeoutMs };
    const outcome = await this.ask(ask, { accepts: cutter.fits, ...limit });
    if (outcome.kind !== 'reply') return null;
    const { reply } = outcome;
    return reply.kind === 'text' || reply.kind === 'fields' ? fieldsOf(reply, cutter) : null;
  }

  /** Ask a question of the profile. */
  question({ ask, cutter, timeoutMs }: DriverQuestion): Promise<Outcome> {
    return this.ask(ask, { accepts: cutter.fits, timeoutMs });
  }

  /** The replies in which the status of a question's channels stands; null where one did not come. */
  async companions(question: DriverQuestion): Promise<Map<string, Fields | null>> {
    const replies = new Map<string, Fields | null>();
    for (const { id, ask, cutter, timeoutMs } of question.companions) {
      replies.set(id, await this.fields(ask, cutter, timeoutMs));
    }
    return replies;
  }

  /**
   * After a time-out, ask for the identity: the replies come in the order of the questions, so once it is there no late
   * one is left that could be taken for another. Gives whether the instrument is in step, as far as it can be told. Units
   * that never say who they are cannot be asked so; there the line alone tells late replies.
   */
  async getInStep(): Promise<boolean> {
    const { family, identity, questions } = this.#driver;
    if (identity === null) return true;
    const isKnownEnough = this.#isKnown || !identity.isBond;
    if (isKnownEnough && (this.isInStep || family.provesReply || !this.#saysIdentity)) return true;
    const isOther = (text: string) => questions.some(({ cutter }) => cutter.fits(text));
    const outcome = await this.ask(identity.ask, {
      accepts: (text) => identity.read(text) !== null || !isOther(text),
    });
    const isAnswered = outcome.kind === 'reply' && outcome.reply.kind !== 'malformed';
    this.isInStep = isAnswered && (this.#isKnown || !identity.isBond);
    return this.isInStep;
  }

  /** Count a reply or an unsolicited frame that could be read. */
  read(): void {
    this.#count(true);
  }

  /** Count one that could not be read. */
  unread(unread: Unread): void {
    this.#lastUnread = unread;
    this.#count(false);
  }

  #count(isReadable: boolean): void {
    const percent = this.#rate.count(isReadable);
    if (percent === null) return;
    const last = this.#lastUnread;
    this.#note(percent === 0 || last === null ? serialNotes.readable() : serialNotes.unreadable(percent, last));
  }
}

/** Whether each status that was asked for came. */
export const isAllTold = (companions: ReadonlyMap<string, unknown>): boolean =>
  [...companions.values()].every((one) => one !== null);
