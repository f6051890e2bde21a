// One way out for alarms: it holds the newest message until that has gone out. A message is tried three times and then every
// ten minutes; that it could not be sent is a trouble on the screen. A newer message takes the place of an older one, so the
// memory is one message. A message whose answer was lost is sent again: it may arrive twice.
import { addAbortListener } from 'node:events';
import { type AgentError, toAgentError } from '../../model/agent-error.ts';
import type { AlarmFault } from '../status/facts.ts';
import type { AlarmMessage } from './alarm-watch.ts';

/** The wait after the first and the second failure, milliseconds. */
const WAITS_MS = [5000, 30_000];
/** The wait after any later one, milliseconds. */
const LATER_MS = 600_000;

export interface AlarmWayOptions {
  readonly name: AlarmFault['way'];
  /** Who gets it, as a person reads it; no secret. */
  readonly to: string;
  /** Longest that one try may take, milliseconds. */
  readonly limitMs: number;
  /**
   * Send a message once.
   *
   * @throws AgentError when it was not sent; with `retry: 'never'` when some got it and sending it again would double it there.
   */
  readonly send: (message: AlarmMessage, signal: AbortSignal) => Promise<void>;
  readonly onSent: (message: AlarmMessage) => void;
  /** It is a trouble from now on. */
  readonly onFault: (fault: AlarmFault) => void;
}

export class AlarmWay {
  readonly #options: AlarmWayOptions;
  #waiting: AlarmMessage | null = null;
  #isSending = false;
  #failures = 0;
  #nextMs = Number.NEGATIVE_INFINITY;
  #fault: AlarmFault | null = null;

  constructor(options: AlarmWayOptions) {
    this.#options = options;
  }

  get name(): AlarmFault['way'] {
    return this.#options.name;
  }

  /** Why it cannot send; null: it can, as far as is known. */
  get fault(): AlarmFault | null {
    return this.#fault;
  }

  /** The message that has not gone out; null: none. */
  get waiting(): AlarmMessage | null {
    return this.#waiting;
  }

  put(message: AlarmMessage): void {
    this.#waiting = message;
    this.#failures = 0;
    this.#nextMs = Number.NEGATIVE_INFINITY;
  }

  /** Send the waiting message, if it is time; `nowMs` gives the monotonic clock. Returns at once. */
  tick(nowMs: () => number, signal: AbortSignal): void {
    if (this.#waiting === null || this.#isSending || nowMs() < this.#nextMs) return;
    this.#isSending = true;
    void this.#try(this.#waiting, nowMs, signal).finally(() => {
      this.#isSending = false;
    });
  }

  /**
   * Send a test message once.
   *
   * @returns who should have got it, and why it was not sent; null: it was.
   */
  async test(message: AlarmMessage, signal: AbortSignal) {
    const error = await this.#send(message, signal);
    if (error === null) {
      this.#fault = null;
      this.#nextMs = Number.NEGATIVE_INFINITY;
    }
    const { name: way, to } = this.#options;
    return { way, to, error: error && { message: error.message, hint: error.hint } };
  }

  async #try(message: AlarmMessage, nowMs: () => number, signal: AbortSignal): Promise<void> {
    const { name: way, onSent, onFault } = this.#options;
    const error = await this.#send(message, signal);
    // The run ends: the message waits for the next one.
    if (error && signal.aborted) return;
    const isOver = error === null || error.retry === 'never';
    if (isOver && this.#waiting === message) this.#waiting = null;
    if (error === null) {
      this.#fault = null;
      onSent(message);
      return;
    }
    // A newer message has tries of its own.
    if (!isOver && this.#waiting !== message) return;
    this.#failures += 1;
    this.#nextMs = nowMs() + (WAITS_MS[this.#failures - 1] ?? LATER_MS);
    if (!isOver && this.#failures <= WAITS_MS.length) return;
    const isNew = this.#fault === null;
    this.#fault = { way, message: error.message, hint: error.hint };
    if (isNew) onFault(this.#fault);
  }

  /** Send once, within its time. Null: it was sent. */
  async #send(message: AlarmMessage, signal: AbortSignal): Promise<AgentError | null> {
    const stop = new AbortController();
    using _end = addAbortListener(signal, () => stop.abort());
    const timer = setTimeout(() => stop.abort(), this.#options.limitMs);
    try {
      await this.#options.send(message, stop.signal);
      return null;
    } catch (thrown) {
      return toAgentError(thrown);
    } finally {
      clearTimeout(timer);
    }
  }
}
