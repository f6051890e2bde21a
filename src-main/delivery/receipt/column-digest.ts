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

/** Numbers on their way into a hash. */
const plain = new Float64Array(1024);
const plainBytes = new Uint8Array(plain.buffer);

export class ColumnDigest {
  readonly #hash = createHash('sha256');

  /** Add numbers; 0 and -0 are one number to JSON and to the service. */
  add(numbers: Float64Array): void {
    for (let from = 0; from < numbers.length; from += plain.length) {
      const count = Math.min(plain.length, numbers.length - from);
      for (let at = 0; at < count; at++) plain[at] = (numbers[from + at] as number) + 0;
      this.#hash.update(count === plain.length ? plainBytes : plainBytes.subarray(0, 8 * count));
    }
  }

  /** The hash of what was added so far. */
  get hash(): string {
    return this.#hash.copy().digest('hex');
  }
}
