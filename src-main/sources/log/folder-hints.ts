// Hints of the operating system that something in the folder moved. They only shorten the wait for the next look: shares
// give none, and a burst of thousands of new files overflows them. A folder with many files gets none at all, because
// watching costs memory and handles for each file.
//
// Bounds: none above 2,000 files, four folders deep. After a pause the first hint leads to a look at once; hinted looks lie
// 15 to 100 ms apart, the further the more rows they find: the row of a slow tool is read at once, those of a fast one
// together.
import { type FSWatcher, watch } from 'chokidar';
import type { Clock } from '../../platform/clock.ts';

/** Above this many files looks at intervals are cheaper than a watcher. */
const WATCHED_FILES_MAX = 2000;
/** Time between two hinted looks, milliseconds: for each row that the former one found, */
const GAP_OF_ROW_MS = 15;
/** at most, */
const GAP_MAX_MS = 100;
/** and where it found none, since what changed there may be no log. */
const GAP_OF_NONE_MS = 50;

/** Listens to one folder. */
export class FolderHints {
  readonly #root: string;
  readonly #clock: Clock;
  #watcher: FSWatcher | null = null;
  #wake: (() => void) | null = null;
  #isHinted = false;
  /** Found since the last wait. */
  #rows = 0;

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

  /** A look found so many rows. */
  found(rows: number): void {
    this.#rows += rows;
  }

  /**
   * Wait for the next look.
   * **Gives**: fulfilled after a hint, after the interval, or when aborted.
   */
  async wait(intervalMs: number, signal: AbortSignal): Promise<void> {
    const gapMs = this.#rows === 0 ? GAP_OF_NONE_MS : Math.min(this.#rows * GAP_OF_ROW_MS, GAP_MAX_MS);
    const dueMs = this.#clock.monotonicMs() + gapMs;
    this.#rows = 0;
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
    const restMs = dueMs - this.#clock.monotonicMs();
    if (restMs > 0) await this.#clock.sleep(restMs, signal);
    this.#isHinted = false;
  }

  /** Stop listening. */
  async close(): Promise<void> {
    await this.#watcher?.close();
    this.#watcher = null;
  }
}
