// Hints of the operating system that something in the folder moved. They only shorten the wait for the next look: shares
// give none, and a burst of thousands of new files overflows them. A folder with many files gets none at all, because
// watching costs memory and handles for each file.
//
// Bounds: none above 2,000 files, four folders deep. What the system tells is taken as it comes: chokidar itself tells of a file
// that changes again and again only every 50 ms. After a pause a file that changed leads to a look at once; files that come
// and go are given 50 ms, since a file is exchanged by removing one and making another. Hinted looks lie 15 to 100 ms
// apart, the further the more rows they find, and no closer than a look takes: the row of a slow tool is read at once, those
// of a fast one together.
import { type FSWatcher, watch } from 'chokidar';
import type { Clock } from '../../platform/clock.ts';

/** Above this many files looks at intervals are cheaper than a watcher. */
const WATCHED_FILES_MAX = 2000;
/** Files that come and go together cause one look, milliseconds. */
const GATHER_MS = 50;
/** Time between two hinted looks for each row that the former one found, milliseconds. */
const GAP_OF_ROW_MS = 15;
/** The same, however many rows it found, milliseconds. */
const GAP_MAX_MS = 100;
/** The same where it found none, since what changed there may be no log, milliseconds. */
const GAP_OF_NONE_MS = 50;

/** Listens to one folder. */
export class FolderHints {
  readonly #root: string;
  readonly #clock: Clock;
  #watcher: FSWatcher | null = null;
  #wake: (() => void) | null = null;
  /** What hinted: a file that changed, or one that came or went. */
  #hint: 'change' | 'other' | null = null;
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
    this.#watcher.on('raw', (event) => this.#take(event === 'change' ? 'change' : 'other'));
    this.#watcher.on('all', (event) => {
      if (event !== 'change') this.#take('other');
    });
    this.#watcher.on('error', () => {
      // A watcher that fails (handles used up, share gone) only costs the hints; the looks go on.
    });
  }

  #take(hint: 'change' | 'other'): void {
    this.#hint = this.#hint === 'other' ? 'other' : hint;
    this.#wake?.();
  }

  /** A look found so many rows. */
  found(rows: number): void {
    this.#rows += rows;
  }

  /**
   * Wait for the next look.
   * **Takes**: the longest wait, and how long the former look took, ms. **Gives**: fulfilled after a hint, after the interval,
   * or when aborted; a hint that comes at its end makes it as much longer as hinted looks lie apart.
   */
  async wait(intervalMs: number, tookMs: number, signal: AbortSignal): Promise<void> {
    const gapMs = this.#rows === 0 ? GAP_OF_NONE_MS : Math.min(this.#rows * GAP_OF_ROW_MS, GAP_MAX_MS);
    const dueMs = this.#clock.monotonicMs() + Math.max(gapMs, tookMs);
    this.#rows = 0;
    if (this.#hint === null) {
      const over = new AbortController();
      const stop = () => over.abort();
      signal.addEventListener('abort', stop, { once: true });
      this.#wake = stop;
      if (!signal.aborted) await this.#clock.sleep(intervalMs, over.signal);
      this.#wake = null;
      signal.removeEventListener('abort', stop);
      if (this.#hint === null) return;
    }
    const restMs = dueMs - this.#clock.monotonicMs();
    if (restMs > 0) await this.#clock.sleep(restMs, signal);
    if (this.#hint === 'other') await this.#clock.sleep(GATHER_MS, signal);
    this.#hint = null;
  }

  /** Stop listening. */
  async close(): Promise<void> {
    await this.#watcher?.close();
    this.#watcher = null;
  }
}
