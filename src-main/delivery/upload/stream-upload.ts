// Runs one stream's machine: does what the state says, and feeds what came of it back.
//
// Bounds and invariants
//  1. One request at a time, and one sealed chunk in memory: the first that waits. Where the service replaces a repeated chunk
//     (`repeat` by the settings), a burst of them side by side (burst.ts), as long as all goes well.
//  2. What went out is acknowledged on disk before the next is read, and only after its answer was checked, or what the
//     service holds was read back. Where that fails, what was read behind it counts for nothing.
//  3. Nothing is sent before the stream's entry on the service is on disk.
//  4. A fault of the store changes nothing: the same is done again after STUMBLE_MS (1 s).
//  5. A stop never waits for an answer; what it leaves open is looked up at the next start.

import { AgentError, toAgentError } from '../../model/agent-error.ts';
import type { SealedChunk, UploadStream } from '../../model/queue.ts';
import { Wake } from '../../model/wake.ts';
import { sendBurst } from './burst.ts';
import { FirstWaiting } from './first-waiting.ts';
import { leaveOutHeld } from './leave-out-held.ts';
import type { Line } from './line.ts';
import { requestFault } from './line-outcome.ts';
import { blindError, isLookUpRefused, unreadError } from './look-up.ts';
import { type ResendPolicy, type StreamFailure, transition, type UploadEvent, type UploadState } from './machine.ts';
import type { EntryDesk, FormerData, UploadClock, UploadQueue, UploadService } from './ports.ts';
import { SendWindow } from './send-window.ts';
import { settleWaiting } from './settle.ts';
import {
  ENTRY_WAITS,
  elsewhereReason,
  entryWaits,
  findEntry,
  findEntryAgain,
  keepEntry,
  makeEntry,
} from './stream-entry.ts';

/** Wait after a fault of the store, milliseconds. */
const STUMBLE_MS = 1000;
const NONE: ReadonlySet<number> = new Set();

export interface StreamUploadOptions {
  readonly streamId: number;
  readonly queue: UploadQueue;
  readonly service: UploadService;
  readonly serviceAddress: string;
  readonly finalizePath: string | null;
  readonly clock: UploadClock;
  readonly random: () => number;
  readonly policy: ResendPolicy;
  /** Chunks that may go out side by side under `repeat`. */
  readonly window: number;
  readonly entries: EntryDesk;
  /** What the service may hold that this queue does not know; null: nothing. */
  readonly former: FormerData | null;
  /** It was there already when the run began. */
  readonly isOfBefore: boolean;
  readonly line: Line;
  /** The state or the counts moved. */
  readonly onChange: () => void;
  /** A failure worth a line in the journal. */
  readonly onFailure: (error: AgentError) => void;
  /** This key may not look something up. */
  readonly onBlind: (error: AgentError) => void;
}

export class StreamUpload {
  readonly #options: StreamUploadOptions;
  #state: UploadState = { kind: 'stopped' };
  #isOnLine = false;
  readonly #wake = new Wake();
  /** The stream is still being written, as far as was last seen. */
  #isLive = true;
  readonly #window: SendWindow;
  readonly #first: FirstWaiting;
  /** Chunks of which a request may still arrive, or has arrived since the last look; null: any, from the run before. */
  #inDoubt: ReadonlySet<number> | null = NONE;
  /** So long was waited since that none can arrive any more. */
  #wasHeldOff = false;
  /** The stream was compared with what others have sent, too: once a run. */
  #isCompared = false;
  /** A count of the service that did not agree, until the series was read, and the chunks that the service answered for. */
  #miscount: AgentError | null = null;
  #taken: readonly number[] = [];

  constructor(options: StreamUploadOptions) {
    this.#options = options;
    this.#window = new SendWindow(options.policy.resend === 'repeat' ? options.window : 1);
    const width = () => Math.max(1, Math.min(this.#window.width, options.line.spare));
    this.#first = new FirstWaiting(options.streamId, options.queue, width);
  }

  /** Where it stands now; `stopped` before `run` and after it. */
  get state(): UploadState {
    return this.#state;
  }

  /** True while a request of this stream is under way. */
  get isOnLine(): boolean {
    return this.#isOnLine;
  }

  /** A chunk was sealed, or the stream was closed. */
  notify(): void {
    this.#first.notify();
    if (this.#state.kind === 'idle') this.#wake.now();
  }

  /** Look at the chunk that a commit is about to seal, in the same message; `notify` follows if it is sealed. */
  prefetch(): void {
    if (this.#state.kind === 'idle') this.#first.prefetch();
  }

  /** Go on at once where it waits or is blocked; a hold-off goes on, since a request may still be on its way. */
  release(): void {
    const state = this.#state;
    if (state.kind === 'blocked' || (state.kind === 'waiting' && !state.isHoldOff)) this.#wake.now();
  }

  /** What the entry is to carry may be known now. */
  releaseEntry(): void {
    const state = this.#state;
    const isWait = state.kind === 'waiting' || state.kind === 'blocked';
    if (isWait && state.reason.code === ENTRY_WAITS) this.#wake.now();
  }

  /**
   * Upload until the stream is delivered or the signal stops it.
   *
   * @returns true when the stream is delivered: closed, and every chunk acknowledged or refused.
   */
  async run(signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      const event = await this.#act(signal).catch((thrown: unknown) => this.#stumble(toAgentError(thrown)));
      if (event === 'delivered') return true;
      if (event === null || signal.aborted) break;
      if (event.kind === 'failed' || event.kind === 'held-back') this.#window.narrow();
      this.#state = transition(this.#state, event, this.#options.policy);
      this.#options.onChange();
    }
    this.#state = { kind: 'stopped' };
    return false;
  }

  async #act(signal: AbortSignal): Promise<UploadEvent | 'delivered' | null> {
    switch (this.#state.kind) {
      case 'stopped':
        return this.#start();
      case 'resuming':
        return (await this.#notYet()) ?? this.#onLineDo(signal, () => this.#resume(signal));
      case 'checking':
        return this.#onLineDo(signal, () => this.#check(signal));
      case 'sending':
        return this.#send(signal);
      case 'refusing':
        return this.#refuse(this.#state);
      case 'idle':
        return this.#idle(signal);
      case 'waiting':
      case 'blocked':
        return this.#wait(this.#state, signal);
    }
  }

  async #start(): Promise<UploadEvent | 'delivered'> {
    const { queue, streamId, serviceAddress } = this.#options;
    this.#first.forget();
    const stream = await queue.uploadStream(streamId);
    if (!stream) return 'delivered';
    this.#isLive = !stream.isClosed;
    const elsewhere = elsewhereReason(stream, serviceAddress);
    const { dataId, isInitializeSent: isUncertain } = stream;
    this.#inDoubt = dataId === null ? NONE : null;
    return { kind: 'started', hasEntry: dataId !== null, isUncertain, elsewhere, nowMs: this.#options.clock.nowMs() };
  }

  /** Why the entry cannot be made yet; the line stays free for others meanwhile. Null: it can. */
  async #notYet(): Promise<UploadEvent | null> {
    const stream = await this.#options.queue.uploadStream(this.#options.streamId);
    const waits = stream && entryWaits(stream, this.#options.entries);
    return waits && { kind: 'not-yet', ...waits, nowMs: this.#options.clock.nowMs() };
  }

  async #resume(signal: AbortSignal): Promise<UploadEvent> {
    const { queue, streamId, isOfBefore } = this.#options;
    const stream = await queue.uploadStream(streamId);
    if (stream?.dataId) {
      const isUnused = (await queue.nextChunk(streamId))?.index === 0;
      const { dataId } = stream;
      if (isUnused) await this.#look(() => findEntryAgain(stream, dataId, this.#options, signal));
      return { kind: 'entered', isNew: false };
    }
    if (!stream) return { kind: 'entered', isNew: true };
    if (!stream.isInitializeSent && (stream.mayBeHeld || isOfBefore)) {
      const event = await this.#look(() => this.#leaveOut(stream, signal));
      if (event) return event;
      const left = await queue.uploadStream(streamId);
      if (!left || (left.isClosed && left.chunksWaiting === 0)) return { kind: 'entered', isNew: true };
    }
    const look = () => findEntry(stream, this.#options, signal);
    const found = stream.isInitializeSent ? await this.#look(look) : null;
    if (found === null) await makeEntry(stream, this.#options, signal);
    else await keepEntry(stream, { dataId: found, processedDataId: '' }, this.#options);
    return { kind: 'entered', isNew: !stream.isInitializeSent };
  }

  /** Hold what this queue believes of the stream against what the service holds. */
  async #check(signal: AbortSignal): Promise<UploadEvent> {
    const { queue, streamId, former, isOfBefore } = this.#options;
    const stream = await queue.uploadStream(streamId);
    if (!stream?.dataId) return { kind: 'checked' };
    const isReplacing = this.#options.policy.resend === 'repeat';
    const { dataId } = stream;
    const settled = await this.#look(() =>
      settleWaiting(streamId, dataId, { ...this.#options, isReplacing, taken: this.#taken }, signal),
    );
    // A look that was broken off tells nothing.
    if (signal.aborted) return { kind: 'checked' };
    if (settled === null) return this.#checkBlind(stream);
    const holdsMore = settled.kind === 'more';
    if (holdsMore && former === null) return this.#failed('suspicious', settled.error, null);
    this.#taken = [];
    if (settled.kind !== 'settled') {
      this.#options.onFailure(settled.error);
      this.#miscount = null;
    }
    // What waits again may be there in part.
    if (settled.kind === 'less') return this.#check(signal);
    if (holdsMore !== stream.mayHoldMore) await queue.noteHoldsMore(streamId, holdsMore);
    if (holdsMore || (isOfBefore && !this.#isCompared)) {
      const event = await this.#look(() => this.#leaveOut({ ...stream, mayHoldMore: holdsMore }, signal));
      if (event) return event;
    }
    if (this.#miscount) this.#options.onFailure(miscounted(this.#miscount));
    this.#miscount = null;
    this.#isCompared = true;
    if (this.#wasHeldOff) this.#inDoubt = NONE;
    return { kind: 'checked' };
  }

  /** This key may not read: a count that did not agree is all that says whether the service holds more than is known here. */
  async #checkBlind({ id, mayHoldMore }: UploadStream): Promise<UploadEvent> {
    if (this.#miscount) await this.#options.queue.noteHoldsMore(id, true);
    const error = this.#miscount ?? (mayHoldMore ? MAY_HOLD_MORE : null);
    return error ? this.#failed('suspicious', unreadError(error), null) : { kind: 'checked' };
  }

  /** Look something up; null where this key may not. */
  async #look<T>(look: () => Promise<T>): Promise<T | null> {
    try {
      return await look();
    } catch (thrown) {
      if (!isLookUpRefused(thrown)) throw thrown;
      this.#options.onBlind(blindError(toAgentError(thrown)));
      return null;
    }
  }

  /** Leave out what the service holds already. Returns why that is not done yet; null: it is. */
  async #leaveOut(stream: UploadStream, signal: AbortSignal): Promise<UploadEvent | null> {
    const { former, queue, clock } = this.#options;
    if (former === null) return null;
    const onLeftOut = (points: number, names: readonly string[]) => former.onLeftOut(stream.id, points, names);
    const left = await leaveOutHeld(stream, { queue, clock, ...former, onLeftOut }, signal);
    if (left.kind === 'done') return null;
    const { code, message, hint } = left.reason;
    const isForPerson = left.kind === 'ask';
    if (isForPerson) this.#options.onFailure(left.reason);
    return { kind: 'not-yet', reason: { code, message, hint }, isForPerson, nowMs: clock.nowMs() };
  }

  async #send(signal: AbortSignal): Promise<UploadEvent | 'delivered' | null> {
    const { queue, streamId, clock } = this.#options;
    let waiting: readonly SealedChunk[];
    let dataId: string;
    try {
      const { chunks, stream } = await this.#first.take();
      waiting = chunks;
      dataId = stream?.dataId ?? '';
      this.#isLive = !stream?.isClosed;
      if (chunks.length === 0) {
        // An open stream has nothing to finish; its end is news.
        if (stream?.isClosed === false) return { kind: 'nothing-waits' };
        await queue.finish(streamId, clock.nowMs());
        const ended = await queue.uploadStream(streamId);
        return ended === null || (ended.isClosed && ended.chunksWaiting === 0)
          ? 'delivered'
          : { kind: 'nothing-waits' };
      }
    } catch (thrown) {
      const error = toAgentError(thrown);
      return this.#failed(error.retry === 'later' ? 'broken' : 'suspicious', error, null);
    }
    return this.#sendChunks(dataId, waiting, signal);
  }

  /** Send the first of these chunks, and as many more as there are places for at once. */
  async #sendChunks(dataId: string, waiting: readonly SealedChunk[], signal: AbortSignal): Promise<UploadEvent | null> {
    const { line, clock } = this.#options;
    if (!(await this.#enterLine(signal))) return null;
    const chunks = waiting.slice(0, 1 + line.enterMore(waiting.length - 1));
    const [first = null] = chunks;
    const sentMs = clock.nowMs();
    try {
      const outcome = await sendBurst(dataId, chunks, this.#options, signal);
      if (outcome === null) return null;
      if (outcome.kind === 'held-back') {
        if (outcome.isOpen) this.#mayHaveArrived(chunks);
        return { ...outcome, nowMs: clock.nowMs() };
      }
      if (outcome.kind === 'failed') {
        const { failure, error, chunk } = outcome;
        if (error.code === 'upload.burst-unproven') this.#window.close();
        const event = this.#failed(failure, error, chunk);
        if (failure === 'ambiguous') this.#mayHaveArrived(chunks);
        if (failure === 'suspicious') this.#taken = chunks.map(({ id }) => id);
        return event;
      }
      const ids = chunks.map(({ id }) => id);
      this.#window.taken(ids.length, clock.nowMs() - sentMs);
      await this.#first.acknowledge(ids, clock.nowMs());
    } catch (thrown) {
      this.#mayHaveArrived(chunks);
      return signal.aborted ? null : this.#failed('ambiguous', toAgentError(thrown), first);
    } finally {
      this.#isOnLine = false;
    }
    this.#inDoubt = NONE;
    return { kind: 'acknowledged' };
  }

  async #idle(signal: AbortSignal): Promise<UploadEvent> {
    if (!this.#first.hasNews) await this.#sleep(null, signal);
    return { kind: 'sealed' };
  }

  async #wait(
    { untilMs, ...state }: Extract<UploadState, { kind: 'waiting' | 'blocked' }>,
    signal: AbortSignal,
  ): Promise<UploadEvent> {
    await this.#sleep(untilMs, signal);
    this.#first.forget();
    if (state.kind === 'waiting' && state.isHoldOff && !signal.aborted) this.#wasHeldOff = true;
    return { kind: 'due' };
  }

  async #refuse({ chunkId, isSingle, words }: Extract<UploadState, { kind: 'refusing' }>): Promise<UploadEvent> {
    const { queue, clock } = this.#options;
    if (isSingle) await queue.refuse(chunkId, clock.nowMs(), words);
    else await queue.split(chunkId);
    return { kind: 'settled' };
  }

  /** The store did not answer: nothing changed, so the same is done again after a moment. */
  async #stumble(error: AgentError): Promise<UploadEvent> {
    this.#options.onFailure(error);
    await this.#options.clock.sleep(STUMBLE_MS);
    return { kind: 'held-back', isOpen: false, nowMs: this.#options.clock.nowMs() };
  }

  /** Take a place on the line, do it, and tell the line what came of it. */
  async #onLineDo(signal: AbortSignal, work: () => Promise<UploadEvent>): Promise<UploadEvent | null> {
    const { line } = this.#options;
    if (!(await this.#enterLine(signal))) return null;
    try {
      const event = await work();
      line.leave('through');
      return event;
    } catch (thrown) {
      const { outcome, failure, error, isAbsent } = requestFault(thrown, false, this.#state.kind !== 'resuming');
      line.leave(outcome);
      if (signal.aborted) return null;
      if (failure !== null) return this.#failed(failure, error, null);
      return { kind: 'held-back', isOpen: !isAbsent, nowMs: this.#options.clock.nowMs() };
    } finally {
      this.#isOnLine = false;
    }
  }

  async #enterLine(signal: AbortSignal): Promise<boolean> {
    if (!(await this.#options.line.enter(signal, this.#isLive))) return false;
    this.#isOnLine = true;
    this.#options.onChange();
    return true;
  }

  #mayHaveArrived(chunks: readonly SealedChunk[]): void {
    if (this.#inDoubt) this.#inDoubt = new Set([...this.#inDoubt, ...chunks.map(({ id }) => id)]);
    this.#wasHeldOff = false;
  }

  #failed(failure: StreamFailure, error: AgentError, chunk: SealedChunk | null): UploadEvent {
    this.#options.onFailure(error);
    // Kept as refused although it arrived, its points would be sent a second time with a corrected stream.
    const isInDoubt = failure === 'refused' && chunk !== null && (this.#inDoubt?.has(chunk.id) ?? true);
    if (chunk && failure === 'suspicious') this.#miscount = error;
    return {
      kind: 'failed',
      failure: isInDoubt ? 'conflict' : failure,
      reason: { code: error.code, message: error.message, hint: error.hint },
      chunk: chunk && { id: chunk.id, isSingle: chunk.channels.length === 1 },
      nowMs: this.#options.clock.nowMs(),
      random: this.#options.random(),
    };
  }

  /** Until due (null: for ever), woken, or stopped. */
  async #sleep(untilMs: number | null, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    await this.#wake.wait(clock, untilMs === null ? 2 ** 30 : Math.max(0, untilMs - clock.nowMs()), signal);
  }
}

const MAY_HOLD_MORE = new AgentError({
  code: 'upload.holds-more',
  message: 'The service may hold more of this stream than this queue knows.',
  hint: '',
});

/** The service counted wrongly, and holds what was sent. */
function miscounted({ message }: AgentError): AgentError {
  return new AgentError({
    code: 'upload.miscounted',
    message: `The service miscounted; it holds what was sent, and sending goes on. It had said: ${message}`,
    hint: 'Nothing needs doing. If it happens often, tell the administrator of the service.',
    retry: 'later',
  });
}
