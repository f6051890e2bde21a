// What is still done with a stream once it is delivered, in this order and never back:
//
//   delivered -> read back, point by point -> the service is told that it has ended, if that is wanted
//
// Streams are read back one after the other; telling the end of one does not keep the next from being read.
import type { Confirmer } from './confirmer.ts';

/** Streams of former runs that are read back after a start, at most. */
const UNCONFIRMED_MAX = 100;

/** What settling needs of the store. */
export interface SettlingStore {
  unconfirmedStreams(limit: number): Promise<number[]>;
  streamsToFinalize(): Promise<number[]>;
}

export class Settling {
  readonly #confirmer: Confirmer;
  readonly #end: (streamId: number) => Promise<void>;

  /** Takes who reads back, and what tells the service that a stream has ended, if it is to be told. */
  constructor(confirmer: Confirmer, end: (streamId: number) => Promise<void>) {
    this.#confirmer = confirmer;
    this.#end = end;
  }

  /**
   * A stream was delivered.
   *
   * @returns fulfilled when all is done with it, or could not be done.
   */
  async settle(streamId: number): Promise<void> {
    await this.#confirmer.confirm(streamId);
    await this.#end(streamId);
  }

  /**
   * Take up what was delivered just before a former run ended.
   *
   * @throws those of the store.
   */
  async resume(store: SettlingStore): Promise<void> {
    const unconfirmed = await store.unconfirmedStreams(UNCONFIRMED_MAX);
    for (const id of unconfirmed) void this.settle(id);
    for (const id of await store.streamsToFinalize()) if (!unconfirmed.includes(id)) void this.#end(id);
  }

  /** Refused chunks of a stream wait again in their place: what was read back no longer holds. */
  reopen(streamId: number): void {
    this.#confirmer.forget(streamId);
  }

  /** Nothing refused is left of a stream: its end can be told once nothing is being read any more. */
  endLater(streamId: number): void {
    void this.#confirmer.close().then(() => this.#end(streamId));
  }

  /** Read a delivered stream back; fulfilled when that is done or could not be done. */
  confirm(streamId: number): Promise<void> {
    return this.#confirmer.confirm(streamId);
  }

  /** Wait until nothing is being read any more. */
  close(): Promise<void> {
    return this.#confirmer.close();
  }
}
