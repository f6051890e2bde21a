// Runs one stream's machine: does what the state says, and feeds what came of it back.
//
// Bounds and invariants
//  1. One request at a time, and one sealed chunk in memory: the first that waits. Where the service replaces a repeated chunk
//     (`repeat` by the settings), a burst of them side by side (burst.ts), as long as all goes well: it is certain that none of
//     them is there already, and the last that went out were taken.
//  2. What went out is acknowledged on disk before the next is read, and only after its answer was checked, or what the
//     service holds was read back. Where that fails, what was read behind it counts for nothing.
//  3. Nothing is sent before the stream's entry on the service is on disk.
//  4. A fault of the store changes nothing: the same is done again after STUMBLE_MS (1 s).
//  5. A stop never waits for an answer; what it leaves open is looked up at the next start.

import { type AgentError, toAgentError } from '../../model/agent-error.ts';
import type { SealedChunk, UploadStream } from '../../model/queue.ts';
import { Wake } from '../../model/wake.ts';
import { Ahead } from './ahead.ts';
import { sendBurst } from './burst.ts';
import { FirstWaiting } from './first-waiting.ts';
import { leaveOutHeld } from './leave-out-held.ts';
import type { Line } from './line.ts';
import { requestFault } from './line-outcome.ts';
import { type ResendPolicy, type StreamFailure, transition, type UploadEvent, type UploadState } from './machine.ts';
import type { EntryDesk, FormerData, UploadClock, UploadQueue, UploadService } from './ports.ts';
import { SendWindow } from './send-window.ts';
import { settleFirstChunks } from './settle.ts';
import { ENTRY_WAITS, elsewhereReason, ensureEntry, entryWaits, findEntryAgain } from './stream-entry.ts';

/** Wait after a fault of the store, milliseconds. */
const STUMBLE_MS = 1000;

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
}

export class StreamUpload {
  readonly #options: StreamUploadOptions;
  #state: UploadState = { kind: 'stopped' };
  #isOnLine = false;
  readonly #wake = new Wake();
  /** The stream is still being written, as far as was last seen. */
  #isLive = true;
  #policy: ResendPolicy;
  readonly #window: SendWindow;
  readonly #first: FirstWaiting;
  readonly #ahead: Ahead;
  /** The first waiting chunk may have arrived, its answer lost; or so, and refused when it was sent again. */
  #doubt: 'none' | 'may-be-there' | 'refused' = 'none';
  /** The service may hold more of the stream than this queue knows: each chunk is looked for before it is sent. */
  #mayHoldMore = false;
  /** The chunk that was looked for last. */
  #lookedFor: number | null = null;

  constructor(options: StreamUploadOptions) {
    this.#options = options;
    this.#policy = options.policy;
    this.#window = new SendWindow(options.policy.resend === 'repeat' ? options.window : 1);
    const width = () => (this.#mayHoldMore ? 1 : Math.max(1, Math.min(this.#window.width, options.line.spare)));
    this.#first = new FirstWaiting(options.streamId, options.queue, width);
    this.#ahead = new Ahead(options.streamId, options.queue);
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
      this.#state = transition(this.#state, event, this.#policy);
      this.#options.onChange();
    }
    await this.#ahead.close().catch((thrown: unknown) => this.#options.onFailure(toAgentError(thrown)));
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
      case 'ahead':
        return this.#sendAhead(signal);
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
    this.#mayHoldMore = stream.mayHoldMore;
    this.#policy = this.#policyFor(stream);
    const elsewhere = elsewhereReason(stream, serviceAddress);
    const { dataId, isInitializeSent: isUncertain, isAheadUnderWay } = stream;
    if (dataId !== null) this.#doubt = 'may-be-there';
    const nowMs = this.#options.clock.nowMs();
    return { kind: 'started', hasEntry: dataId !== null, isUncertain, isAheadUnderWay, elsewhere, nowMs };
  }

  /**
   * Once a chunk went out before it was full, only sending it again in full settles it. So it is with chunks that went out
   * side by side, as long as they wait.
   */
  #policyFor({ wasSentAhead, hasBurst }: UploadStream): ResendPolicy {
    const { policy } = this.#options;
    return wasSentAhead || hasBurst ? { ...policy, resend: 'repeat' } : policy;
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
      if (isUnused) await findEntryAgain(stream, stream.dataId, this.#options, signal);
      return { kind: 'entered' };
    }
    if (!stream) return { kind: 'entered' };
    if (!stream.isInitializeSent && (stream.mayBeHeld || isOfBefore)) {
      const event = await this.#leaveOut(stream, signal);
      if (event) return event;
      const left = await queue.uploadStream(streamId);
      if (!left || (left.isClosed && left.chunksWaiting === 0)) return { kind: 'entered' };
    }
    await ensureEntry(stream, this.#options, signal);
    return { kind: 'entered' };
  }

  async #check(signal: AbortSignal): Promise<UploadEvent> {
    const stream = await this.#options.queue.uploadStream(this.#options.streamId);
    if (!stream?.dataId) return { kind: 'checked' };
    const { difference, holdsMore } = await settleFirstChunks(stream.id, stream.dataId, this.#options, signal);
    // A look that was broken off tells nothing.
    if (signal.aborted) return { kind: 'checked' };
    const isOlder = (this.#mayHoldMore || holdsMore) && !stream.wasSentAhead;
    if (isOlder && !this.#mayHoldMore) await this.#options.queue.noteHoldsMore(stream.id);
    // Once it holds just what is known, nobody but this queue adds to it.
    this.#mayHoldMore = isOlder && (holdsMore || difference !== null);
    // A shorter form that was sent ahead differs from its chunk, and says nothing against the refusal.
    const isExplained = this.#doubt === 'refused' && stream.wasSentAhead;
    if (difference && isOlder && this.#options.former !== null)
      return (await this.#leaveOut(stream, signal)) ?? { kind: 'checked' };
    if (difference && !isExplained) return this.#failed('suspicious', difference, null);
    this.#doubt = 'none';
    const next = await this.#options.queue.nextChunk(stream.id);
    // It is not there: a refusal of it is one.
    if (next?.isOfBurst) await this.#options.queue.forgetBurst([next.id]);
    this.#lookedFor = next?.id ?? null;
    return { kind: 'checked' };
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
      // Chunks of a former burst may be there already: they go out one at a time before the next burst.
      waiting = stream?.hasBurst || this.#mayHoldMore ? chunks.slice(0, 1) : chunks;
      dataId = stream?.dataId ?? '';
      this.#isLive = !stream?.isClosed;
      if (stream) this.#policy = this.#policyFor(stream);
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
    const isToLookFor = this.#mayHoldMore && this.#lookedFor !== waiting[0]?.id;
    if (isToLookFor) return this.#onLineDo(signal, () => this.#check(signal));
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
        if (outcome.isOpen && chunks.length === 1) this.#doubt = 'may-be-there';
        return { ...outcome, nowMs: clock.nowMs() };
      }
      if (outcome.kind === 'failed') {
        const { failure, error, chunk } = outcome;
        if (failure === 'unproven') this.#window.close();
        return this.#failed(failure, error, chunk, chunks.length === 1);
      }
      const ids = chunks.map(({ id }) => id);
      this.#window.taken(ids.length, clock.nowMs() - sentMs);
      await this.#first.acknowledge(ids, clock.nowMs());
    } catch (thrown) {
      return signal.aborted ? null : this.#failed('ambiguous', toAgentError(thrown), first, chunks.length === 1);
    } finally {
      this.#isOnLine = false;
    }
    this.#doubt = 'none';
    this.#ahead.settled(clock.nowMs());
    return { kind: 'acknowledged' };
  }

  async #idle(signal: AbortSignal): Promise<UploadEvent> {
    const { clock } = this.#options;
    const isAhead = this.#isLive && this.#options.policy.resend === 'repeat';
    const dueMs = isAhead ? this.#ahead.dueMs(clock.nowMs()) : null;
    if (!this.#first.hasNews) await this.#sleep(dueMs, signal);
    return dueMs !== null && clock.nowMs() >= dueMs ? { kind: 'rows-due' } : { kind: 'sealed' };
  }

  async #wait(
    { untilMs, ...state }: Extract<UploadState, { kind: 'waiting' | 'blocked' }>,
    signal: AbortSignal,
  ): Promise<UploadEvent> {
    await this.#sleep(untilMs, signal);
    this.#first.forget();
    if (state.kind === 'waiting' && state.isHoldOff && !signal.aborted) this.#ahead.heldOff();
    return { kind: 'due' };
  }

  /** Send what is still being filled. */
  async #sendAhead(signal: AbortSignal): Promise<UploadEvent | null> {
    const { queue, service, streamId, clock } = this.#options;
    const stream = await queue.uploadStream(streamId);
    const chunks = stream?.dataId && !stream.isClosed ? await this.#ahead.take(clock.nowMs()) : [];
    if (chunks.length === 0) return { kind: 'sent-ahead' };
    return this.#onLineDo(signal, async () => {
      for (const chunk of chunks) {
        const fault = await this.#ahead.send(stream?.dataId ?? '', chunk, service, signal);
        if (fault) return this.#failed(fault.failure, fault.error, null);
      }
      return { kind: 'sent-ahead' };
    });
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

  /** `isAlone`: nothing else of the stream was under way. */
  #failed(failure: StreamFailure, error: AgentError, chunk: SealedChunk | null, isAlone = true): UploadEvent {
    this.#options.onFailure(error);
    if (this.#state.kind === 'ahead' && failure === 'refused') this.#ahead.refused();
    // Of a burst that is on disk, chunk by chunk.
    if (chunk && failure === 'ambiguous' && isAlone) this.#doubt = 'may-be-there';
    // Kept as refused although it arrived, its points would be sent a second time with a corrected stream.
    const isInDoubt = failure === 'refused' && chunk !== null && (this.#doubt !== 'none' || chunk.isOfBurst);
    if (isInDoubt) this.#doubt = 'refused';
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
