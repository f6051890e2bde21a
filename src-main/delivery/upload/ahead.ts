// Sends chunks that are still being filled, so that the service's live view keeps up whatever the chunk's size. Only for a
// service that replaces a repeated chunk: the full one takes the place of this one. Nothing is acknowledged by it.
//
// Invariant: a shorter form of a chunk that arrived after the full one would cut it. So before the first one goes out, "may
// be under way" is on disk; it is taken back only when the answer to the last one is known, or after the hold-off.
// Bounds: once in AHEAD_MS (1.5 s) a stream, of each lane once as long as it has no more rows.
import type { SealedChunk } from '../../model/queue.ts';
import { ingest } from './burst.ts';
import { type AnswerFault, checkAnswers } from './chunk-answer.ts';
import type { UploadQueue, UploadService } from './ports.ts';

/** How long rows wait before they are sent ahead, milliseconds; with the request itself a view is at most 2 s behind. */
const AHEAD_MS = 1500;

export class Ahead {
  readonly #streamId: number;
  readonly #queue: UploadQueue;
  /** What was sent last of each lane: index and rows. */
  readonly #sent = new Map<number, string>();
  #lastMs: number | null = null;
  #isNoted = false;
  #isUnderWay = false;
  /** The service refused such a chunk: none is sent until a sealed one was settled. */
  #isRefused = false;

  constructor(streamId: number, queue: UploadQueue) {
    this.#streamId = streamId;
    this.#queue = queue;
  }

  /** When rows are due to be sent ahead, Unix milliseconds; null: not before a sealed chunk was settled. */
  dueMs(nowMs: number): number | null {
    this.#lastMs ??= nowMs;
    return this.#isRefused ? null : this.#lastMs + AHEAD_MS;
  }

  /** A sealed chunk was acknowledged: what is shown is of now, and what was refused may be over. */
  settled(nowMs: number): void {
    this.#lastMs = nowMs;
    this.#isRefused = false;
  }

  /** The service refused such a chunk: no more of them until a sealed one was acknowledged. */
  refused(): void {
    this.#isRefused = true;
  }

  /** The chunks that have more rows than were sent. */
  async take(nowMs: number): Promise<SealedChunk[]> {
    this.#lastMs = nowMs;
    const chunks = await this.#queue.openChunks(this.#streamId);
    return chunks.filter(({ id, index, rows }) => this.#sent.get(id) !== `${index} ${rows}`);
  }

  /**
   * Send one of them. Takes the stream's data id.
   *
   * @returns what is wrong with the answer; null: nothing.
   * @throws the ServiceError of the call, those of the store.
   */
  async send(
    dataId: string,
    chunk: SealedChunk,
    service: UploadService,
    signal: AbortSignal,
  ): Promise<AnswerFault | null> {
    await this.begin();
    const fault = checkAnswers(dataId, [{ chunk, answer: await ingest(dataId, chunk, service, signal) }]);
    if (fault === null) this.end(chunk);
    return fault;
  }

  /** A chunk is about to go out. */
  async begin(): Promise<void> {
    if (!this.#isNoted) await this.#queue.setAhead(this.#streamId, 'under-way');
    this.#isNoted = true;
    this.#isUnderWay = true;
  }

  /** Its answer came. */
  end({ id, index, rows }: SealedChunk): void {
    this.#sent.set(id, `${index} ${rows}`);
    this.#isUnderWay = false;
  }

  /** The hold-off is over: whatever was on its way has arrived or never will. */
  heldOff(): void {
    this.#isUnderWay = false;
  }

  /** The upload stops: nothing is on its way unless an answer is missing. */
  async close(): Promise<void> {
    if (this.#isNoted && !this.#isUnderWay) await this.#queue.setAhead(this.#streamId, 'settled');
  }
}
