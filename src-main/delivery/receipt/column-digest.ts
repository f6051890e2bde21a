// A column of numbers in its order, as one hash: two sequences that are alike to the last bit have the same one, and it
// takes no memory however long they are.
import { createHash } from 'node:crypto';

/**
 * How a service may make whole milliseconds of the seconds that it was sent: rounded, or cut off. A double of seconds
 * holds most stamps not exactly, so the way over seconds is part of it.
 */
export const TO_WHOLE_MS: readonly ((timeMs: number) => number)[] = [
  (timeMs) => Math.round((timeMs / 1000) * 1000),
  (timeMs) => Math.trunc((timeMs / 1000) * 1000),
];

export class ColumnDigest {
  readonly #hash = createHash('sha256');

  /** Add numbers; 0 and -0 are one number to JSON and to the service. */
  add(numbers: Float64Array): void {
    const plain = numbers.map((value) => value + 0);
    this.#hash.update(new Uint8Array(plain.buffer, plain.byteOffset, plain.byteLength));
  }

  /** Finish; nothing can be added afterwards. */
  finish(): string {
    return this.#hash.digest('hex');
  }
}
