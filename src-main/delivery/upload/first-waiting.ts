// What waits first of a stream, as the store says it. Waking the store's thread costs more than most of its calls, so the look
// at the next chunks goes there in one message with the acknowledgement of those before, or with the commit that seals them.
//
// Invariants: a look behind an acknowledgement counts for nothing where that failed. Each look is taken once. News that comes
// after a look was asked for is kept until the next one is asked for, so one that was too early is made up for.
import type { SealedChunk, UploadStream } from '../../model/queue.ts';
import type { UploadQueue } from './ports.ts';

interface Look {
  /** The first ones in their order; empty: none waits. */
  readonly chunks: readonly SealedChunk[];
  /** The stream as it stood then; null: there is none. */
  readonly stream: UploadStream | null;
}

export class FirstWaiting {
  readonly #streamId: number;
  readonly #queue: UploadQueue;
  readonly #width: () => number;
  #hasNews = false;
  #looked: Promise<Look> | null = null;

  /** `width` says how many chunks could go out next. */
  constructor(streamId: number, queue: UploadQueue, width: () => number) {
    this.#streamId = streamId;
    this.#queue = queue;
    this.#width = width;
  }

  /** A chunk was sealed, or the stream was closed, since the last look was asked for. */
  get hasNews(): boolean {
    return this.#hasNews;
  }

  /** A chunk was sealed, or the stream was closed. */
  notify(): void {
    this.#hasNews = true;
  }

  /** Look with what is asked of the store now, for the next `take`. */
  prefetch(): void {
    const looked = this.#look();
    this.#looked = looked;
    looked.catch(() => {
      // The next `take` looks itself, and its caller gets the fault if there still is one.
      if (this.#looked === looked) this.#looked = null;
    });
  }

  /** Forget what was seen: something else than `take` and `acknowledge` may have changed it. */
  forget(): void {
    this.#looked = null;
  }

  /**
   * What waits first now.
   *
   * @throws those of the store; `store.chunk-damaged` when what the disk altered could not be set aside.
   */
  take(): Promise<Look> {
    const looked = this.#looked ?? this.#look();
    this.#looked = null;
    return looked;
  }

  /**
   * The service has counted these chunks: all of them are acknowledged, or none.
   *
   * @throws those of the store; which of both is not known then.
   */
  async acknowledge(chunkIds: readonly number[], atMs: number): Promise<void> {
    const [acknowledged, looked] = this.#queue.together(
      () => [this.#queue.acknowledge(chunkIds, atMs), this.#look()] as const,
    );
    // `take` gives its fault to the caller. Behind an acknowledgement that failed nobody takes it.
    looked.catch(() => {});
    await acknowledged;
    this.#looked = looked;
  }

  #look(): Promise<Look> {
    this.#hasNews = false;
    const [chunks, stream] = this.#queue.together(
      () => [this.#queue.nextChunks(this.#streamId, this.#width()), this.#queue.uploadStream(this.#streamId)] as const,
    );
    return Promise.all([chunks, stream]).then(([chunks, stream]) => ({ chunks, stream }));
  }
}
