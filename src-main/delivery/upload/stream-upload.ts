// Runs one stream's machine: does what the state says, and feeds what came of it back.
//
// Bounds and invariants
//  1. One request at a time, and one sealed chunk in memory: the first that waits.
//  2. A chunk is acknowledged on disk before the next one is read, and only after its answer was checked, or what the
//     service holds was read back. Where that fails, what was read behind it counts for nothing.
//  3. Nothing is sent before the stream's entry on the service is on disk.
//  4. A fault of the store changes nothing: the same is done again after STUMBLE_MS (1 s).
//  5. A stop never waits for an answer; what it leaves open is looked up at the next start.

import { type AgentError, toAgentError } from '../../model/agent-error.ts';
import type { SealedChunk, UploadStream } from '../../model/queue.ts';
import { Wake } from '../../model/wake.ts';
import type { Failure } from '../client/failure.ts';
import { Ahead } from './ahead.ts';
import { type AnswerFault, checkAnswer } from './chunk-answer.ts';
import { FirstWaiting } from './first-waiting.ts';
import { leaveOutHeld } from './leave-out-held.ts';
import type { Line } from './line.ts';
import { lineOutcome, streamFailure } from './line-outcome.ts';
import { type ResendPolicy, type StreamFailure, transition, type UploadEvent, type UploadState } from './machine.ts';
import type { EntryDesk, FormerData, UploadClock, UploadQueue, UploadService } from './ports.ts';
import { settleFirstChunks } from './settle.ts';
import { ensureEntry, findEntryAgain } from './stream-entry.ts';

/** Code of the reason for which a stream waits that cannot have its entry yet. */
const ENTRY_WAITS = 'upload.entry-waits';
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
    this.#first = new FirstWaiting(options.streamId, options.queue);
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
    // Once a chunk went out before it was full, only sending it again in full settles it.
    if (stream.wasSentAhead) this.#policy = { ...this.#policy, resend: 'repeat' };
    const isElsewhere = stream.service !== null && stream.service !== serviceAddress;
    const elsewhere = isElsewhere
      ? {
          code: 'upload.other-service',
          message: `This stream belongs to ${stream.service}, and the settings now name ${serviceAddress}.`,
          hint: 'Set the address back to deliver it there. It stays here until then.',
        }
      : null;
    const { dataId, isInitializeSent: isUncertain, isAheadUnderWay } = stream;
    if (dataId !== null) this.#doubt = 'may-be-there';
    const nowMs = this.#options.clock.nowMs();
    return { kind: 'started', hasEntry: dataId !== null, isUncertain, isAheadUnderWay, elsewhere, nowMs };
  }

  /** Why the entry cannot be made yet; the line stays free for others meanwhile. Null: it can. */
  async #notYet(): Promise<UploadEvent | null> {
    const stream = await this.#options.queue.uploadStream(this.#options.streamId);
    if (!stream || stream.dataId !== null || stream.isInitializeSent) return null;
    const answer = this.#options.entries.look(stream);
    if (answer.kind === 'ready') return null;
    const { message, hint, isForPerson } = answer;
    const reason = { code: ENTRY_WAITS, message, hint };
    return { kind: 'not-yet', reason, isForPerson, nowMs: this.#options.clock.nowMs() };
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
    this.#lookedFor = (await this.#options.queue.nextChunk(stream.id))?.id ?? null;
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
    let chunk: SealedChunk | null;
    let dataId: string;
    try {
      const { stream, ...look } = await this.#first.take();
      chunk = look.chunk;
      dataId = stream?.dataId ?? '';
      this.#isLive = !stream?.isClosed;
      if (!chunk) {
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
    const sealed = chunk;
    const isToLookFor = this.#mayHoldMore && this.#lookedFor !== sealed.id;
    if (isToLookFor) return this.#onLineDo(signal, () => this.#check(signal));
    return this.#onLineDo(signal, () => this.#sendChunk(dataId, sealed, signal), sealed);
  }

  async #sendChunk(dataId: string, chunk: SealedChunk, signal: AbortSignal): Promise<UploadEvent> {
    const { clock } = this.#options;
    const fault = await this.#ingest(dataId, chunk, signal);
    if (fault) return this.#failed(fault.failure, fault.error, chunk);
    await this.#first.acknowledge(chunk.id, clock.nowMs());
    this.#doubt = 'none';
    this.#ahead.settled(clock.nowMs());
    return { kind: 'acknowledged' };
  }

  /** Send one chunk; gives what is wrong with the answer. */
  async #ingest(dataId: string, chunk: SealedChunk, signal: AbortSignal): Promise<AnswerFault | null> {
    const timestamps = chunk.timesMs.map((timeMs) => timeMs / 1000);
    const channels = Object.fromEntries(
      chunk.channels.map(({ name, unit, values }) => [
        name,
        { timestamps, values, ...(unit === '' ? {} : { units: unit }) },
      ]),
    );
    const answer = await this.#options.service.ingestChunk(
      { data_id: dataId, chunk_index: chunk.index, channels },
      // At the next try they are read again.
      { signal, isHandedOver: true },
    );
    return checkAnswer(dataId, chunk, answer);
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
    const { queue, streamId, clock } = this.#options;
    const stream = await queue.uploadStream(streamId);
    const chunks = stream?.dataId && !stream.isClosed ? await this.#ahead.take(clock.nowMs()) : [];
    if (chunks.length === 0) return { kind: 'sent-ahead' };
    return this.#onLineDo(signal, async () => {
      for (const chunk of chunks) {
        await this.#ahead.begin();
        const fault = await this.#ingest(stream?.dataId ?? '', chunk, signal);
        if (fault) return this.#failed(fault.failure, fault.error, null);
        this.#ahead.end(chunk);
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
    return { kind: 'held-back' };
  }

  /** Take a place on the line, do it, and tell the line what came of it. */
  async #onLineDo(
    signal: AbortSignal,
    work: () => Promise<UploadEvent>,
    chunk: SealedChunk | null = null,
  ): Promise<UploadEvent | null> {
    const { line } = this.#options;
    if (!(await line.enter(signal, this.#isLive))) return null;
    this.#isOnLine = true;
    this.#options.onChange();
    try {
      const event = await work();
      line.leave('through');
      return event;
    } catch (thrown) {
      const error = toAgentError(thrown);
      const { failure, status } = thrown as { failure?: Failure; status?: number | null };
      // A right that is missing for this stream's own entry says nothing of the others.
      const isForbidden = status === 403 && failure?.kind === 'held' && this.#state.kind !== 'resuming';
      const outcome = isForbidden ? 'through' : lineOutcome(failure, error);
      line.leave(outcome);
      if (signal.aborted) return null;
      if (typeof outcome === 'object') return { kind: 'held-back' };
      return this.#failed(streamFailure(failure, status, chunk !== null), error, chunk);
    } finally {
      this.#isOnLine = false;
    }
  }

  #failed(failure: StreamFailure, error: AgentError, chunk: SealedChunk | null): UploadEvent {
    this.#options.onFailure(error);
    if (this.#state.kind === 'ahead' && failure === 'refused') this.#ahead.refused();
    if (chunk && failure === 'ambiguous') this.#doubt = 'may-be-there';
    // Kept as refused although it arrived, its points would be sent a second time with a corrected stream.
    const isInDoubt = chunk !== null && failure === 'refused' && this.#doubt !== 'none';
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
