// Hints of the operating system that something in the folder moved. They only shorten the wait for the next look: shares
// give none, and a burst of thousands of new files overflows them. A folder with many files gets none at all, because
// watching costs memory and handles for each file.
// Bounds: none above 2,000 files, four folders deep; changes within 50 ms are one hint.
import { type FSWatcher, watch } from 'chokidar';
import type { Clock } from '../../platform/clock.ts';

/** Above this many files looks at intervals are cheaper than a watcher. */
const WATCHED_FILES_MAX = 2000;
/** Changes that come together cause one look, milliseconds. */
const GATHER_MS = 50;

/** Listens to one folder. */
export class FolderHints {
  readonly #root: string;
  readonly #clock: Clock;
  #watcher: FSWatcher | null = null;
  #wake: (() => void) | null = null;
  #isHinted = false;

  constructor(root: string, clock: Clock) {
    this.#root = root;
    this.#clock = clock;
  }

  /** Listen while the folder holds few files, and no longer when it holds too many. Called at each look. */
  async follow(files: number): Promise<void> {
    if (files > WATCHED_FILES_MAX) return this.close();
    if (this.#watcher !== null) return;
    this.#watcher = watch(this.#root, { ignoreInitial: true, ignorePermissionErrors: true, depth: 4 });
    this.#watcher.on('all', () => {
      this.#isHinted = true;
      this.#wake?.();
    });
    this.#watcher.on('error', () => {
      // A watcher that fails (handles used up, share gone) only costs the hints; the looks go on.
    });
  }

  /**
   * Wait for the next look.
   * **Gives**: fulfilled after a hint (and a short time for others to join it), after the interval, or when aborted.
   */
  async wait(intervalMs: number, signal: AbortSignal): Promise<void> {
    if (!this.#isHinted) {
      const over = new AbortController();
      const stop = () => over.abort();
      signal.addEventListener('abort', stop, { once: true });
      this.#wake = stop;
      if (!signal.aborted) await this.#clock.sleep(intervalMs, over.signal);
      this.#wake = null;
      signal.removeEventListener('abort', stop);
      if (!this.#isHinted) return;
    }
    await this.#clock.sleep(GATHER_MS, signal);
    this.#isHinted = false;
  }

  /** Stop listening. */
  async close(): Promise<void> {
    await this.#watcher?.close();
    this.#watcher = null;
  }
}
