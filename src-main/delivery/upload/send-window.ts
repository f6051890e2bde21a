// How many chunks of a stream go out side by side. More at a time are for a service that is far away; on a narrow link they
// would only make each other slower, until all run into their deadline.
//
// Bounds: 1 to the window of the settings. One after anything but success; twice as many after those that were taken within
// QUICK_MS (2 s), half as many after those that took longer.

/** Longest that chunks side by side may take for more of them to be tried, milliseconds. */
const QUICK_MS = 2000;

export class SendWindow {
  #most: number;
  #width = 1;

  /** Takes the window of the settings, 1 or more. */
  constructor(most: number) {
    this.#most = most;
  }

  /** How many go out at a time now. */
  get width(): number {
    return this.#width;
  }

  /** So many were sent side by side and taken, within so many milliseconds. */
  taken(count: number, tookMs: number): void {
    const width = tookMs <= QUICK_MS ? Math.max(this.#width, 2 * count) : Math.floor(count / 2);
    this.#width = Math.max(1, Math.min(this.#most, width));
  }

  /** Something went wrong: the next goes alone. */
  narrow(): void {
    this.#width = 1;
  }

  /** The service cannot say of several at a time whether it took them: each goes alone from now on. */
  close(): void {
    this.#most = 1;
    this.#width = 1;
  }
}
