// What every reader of stamps gives, whatever the format.

/** Reads one way of writing time. */
export interface StampReader {
  readonly format: string;
  /**
   * Read the stamp that fills a range of bytes.
   *
   * @returns true when the whole range is a stamp; then `stampMs` and `hasZone` are set.
   */
  read(bytes: Uint8Array, start: number, end: number): boolean;
  /** With `hasZone` Unix milliseconds, else the wall-clock fields as if they were UTC. */
  stampMs: number;
  hasZone: boolean;
  /** Digits of its part of a second; absent, or 0: it has none. */
  readonly partDigits?: number;
}
