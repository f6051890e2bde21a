// Hints of the operating system that something in the folder moved. They only shorten the wait for the next look: shares
// give none, and a burst of thousands of new files overflows them. A folder with many files gets none at all.
//
// Bounds: none above 2,000 files, and of empty folders none deeper than four. Each folder is heard by one handle of the system, which costs little
// where a row is appended; chokidar discovers the folders, by looking once a second whether one of them has changed. Windows
// renames no folder while a handle is open below it, so there one handle on the folder itself hears of everything below
// instead. While rows flow faster than the looks nothing is listened to, since there is nothing to wait for. After a pause a
// file that changed leads to a look at once; files that come and go are given 50 ms, since a file is exchanged by removing
// one and making another. Hinted looks lie 5 to 100 ms apart, the further the more rows they find, and no closer than a look
// takes: the row of a slow tool is read at once, those of a fast one together. Without hints a folder is looked at twice a
// second, once a second when it gave no row for a minute, and less often where a look takes long, every 2 s at least.
import { type FSWatcher as Handle, watch as hear } from 'node:fs';
import { dirname, join } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';
import { Wake } from '../../../model/wake.ts';
import type { Clock } from '../../../platform/clock.ts';

/** Time between two looks when nothing hints, milliseconds. */
const LOOK_MS = 500;
/** The same in a folder where no row was found for QUIET_MS. */
const QUIET_LOOK_MS = 1000;
const QUIET_MS = 60_000;
/** A look may take at most this part of the time: large folders are looked at less often, */
const LOOK_SHARE = 0.1;
/** but no longer apart than this, milliseconds: a look that a share held up says nothing of the next one. */
const LOOK_MAX_MS = 2000;
/** Above this many files looks at intervals are cheaper than a watcher. */
const WATCHED_FILES_MAX = 2000;
/** Files that come and go together cause one look, milliseconds. */
const GATHER_MS = 50;
/** Time between two hinted looks for each row that the former one found, milliseconds. */
const GAP_OF_ROW_MS = 5;
/** The same, however many rows it found, milliseconds. */
const GAP_MAX_MS = 100;
/** So many rows at one look, and rows flow. */
const FLOWING_ROWS = 10;
/** How often chokidar looks for folders, and how deep, milliseconds. */
const DISCOVER_MS = 1000;
const DEPTH_MAX = 4;
/** The same where it found none, since what changed there may be no log, milliseconds. */
const GAP_OF_NONE_MS = 50;

/**
 * Time between two looks when nothing hints and rows come, milliseconds.
 *
 * @param tookMs - how long a look took, milliseconds.
 */
export function lookEveryMs(tookMs: number): number {
  return Math.max(LOOK_MS, Math.min(tookMs / LOOK_SHARE, LOOK_MAX_MS));
}

/** The files that a look found: paths below the folder, with `/`. */
type FoundFiles = Pick<ReadonlyMap<string, unknown>, 'size' | 'keys'>;

/** Listens to one folder. */
export class FolderHints {
  readonly #root: string;
  readonly #clock: Clock;
  readonly #isOneHandle: boolean;
  #files: FoundFiles = new Set<string>();
  /** Rows come faster than looks: nothing is listened to. */
  #areFlowing = false;
  /** What hears each folder, by its path. */
  readonly #heard = new Map<string, Handle>();
  #discoverer: FSWatcher | null = null;
  readonly #wake = new Wake();
  /** What hinted: a file that changed, or one that came or went. */
  #hint: 'change' | 'other' | null = null;
  /** Found since the last wait. */
  #rows = 0;
  /** When rows were found last, monotonic milliseconds. */
  #foundMs: number;

  /**
   * @param root - an absolute path.
   * @param isOneHandle - one handle hears of everything below; by default on Windows.
   */
  constructor(root: string, clock: Clock, isOneHandle = process.platform === 'win32') {
    this.#root = root;
    this.#isOneHandle = isOneHandle;
    this.#clock = clock;
    this.#foundMs = clock.monotonicMs();
  }

  /**
   * Listen while the folder holds few files, and no longer when it holds too many or rows flow. Called at each look.
   *
   * @param files - what that look found.
   */
  follow(files: FoundFiles): void {
    this.#files = files;
    if (files.size > WATCHED_FILES_MAX) void this.close();
    else if (!this.#areFlowing) this.#listen();
  }

  #listen(): void {
    this.#hear(this.#root, this.#isOneHandle);
    if (this.#isOneHandle) return;
    this.#discoverer ??= this.#discover();
    for (const path of this.#files.keys()) if (path.includes('/')) this.#hear(join(this.#root, dirname(path)));
  }

  #discover(): FSWatcher {
    // Looks find the files; chokidar finds the folders.
    const options = { ignoreInitial: true, ignorePermissionErrors: true, depth: DEPTH_MAX };
    const polled = { usePolling: true, interval: DISCOVER_MS };
    const watcher = watch(this.#root, { ...options, ...polled, ignored: (_, stats) => stats?.isFile() === true });
    watcher.on('addDir', (path) => {
      this.#hear(path);
      this.#take('other');
    });
    watcher.on('error', () => {
      // A watcher that fails (share gone) only costs the hints; the looks go on.
    });
    return watcher;
  }

  /** Hear of a folder, where a handle is to be had; else the looks go on, and the next one tries again. */
  #hear(folder: string, isRecursive = false): void {
    if (this.#heard.has(folder)) return;
    try {
      const handle = hear(folder, { persistent: false, recursive: isRecursive });
      const end = () => {
        handle.close();
        if (this.#heard.get(folder) === handle) this.#heard.delete(folder);
      };
      handle.on('change', (event) => this.#take(event === 'change' ? 'change' : 'other'));
      handle.on('error', end);
      this.#heard.set(folder, handle);
    } catch {
      // A folder that is gone, or no handle left.
    }
  }

  #hearNothing(): void {
    for (const handle of this.#heard.values()) handle.close();
    this.#heard.clear();
  }

  #take(hint: 'change' | 'other'): void {
    this.#hint = this.#hint === 'other' ? 'other' : hint;
    this.#wake.now();
  }

  /** A look found so many rows. */
  found(rows: number): void {
    this.#rows += rows;
    if (rows > 0) this.#foundMs = this.#clock.monotonicMs();
  }

  /**
   * Wait for the next look. Takes how long the former look took, milliseconds.
   *
   * @returns fulfilled after a hint, when it is time without one, or when aborted; a hint that comes at its end makes it as
   *   much longer as hinted looks lie apart.
   */
  async wait(tookMs: number, signal: AbortSignal): Promise<void> {
    const isQuiet = this.#clock.monotonicMs() - this.#foundMs > QUIET_MS;
    const intervalMs = Math.max(lookEveryMs(tookMs), isQuiet ? QUIET_LOOK_MS : 0);
    const gapMs = this.#rows === 0 ? GAP_OF_NONE_MS : Math.min(this.#rows * GAP_OF_ROW_MS, GAP_MAX_MS);
    const dueMs = this.#clock.monotonicMs() + Math.max(gapMs, Math.min(tookMs, LOOK_MAX_MS));
    const wereFlowing = this.#areFlowing;
    this.#areFlowing = this.#rows >= FLOWING_ROWS;
    this.#rows = 0;
    if (this.#areFlowing) this.#hearNothing();
    else if (wereFlowing) this.#listen();
    // One look more where they just ended: rows may have come before there was anything to hear of them.
    if (this.#hint === null && !this.#areFlowing && !wereFlowing) {
      await this.#wake.wait(this.#clock, intervalMs, signal);
      if (this.#hint === null) return;
    }
    const restMs = dueMs - this.#clock.monotonicMs();
    if (restMs > 0) await this.#clock.sleep(restMs, signal);
    if (this.#hint === 'other') await this.#clock.sleep(GATHER_MS, signal);
    this.#hint = null;
  }

  /** Whether the system is listened to now. */
  get isListening(): boolean {
    return this.#heard.size > 0;
  }

  /** Stop listening. */
  async close(): Promise<void> {
    this.#hearNothing();
    const discoverer = this.#discoverer;
    this.#discoverer = null;
    await discoverer?.close();
  }
}
