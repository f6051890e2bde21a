// Names of what changes in some folders, as the operating system tells them. They save looking for new files among a hundred
// thousand old ones. Nothing rests on them: shares give none and a burst overflows them; a walk finds what they miss.
//
// Windows renames no folder while a handle is open below it. There one handle on the root hears of everything below, and the
// camera's program or a person can rename its folders as they like.
// Bounds: 16 folders, the root among them, and 20,000 names between two looks; beyond these a walk is asked for.
import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';

/** Folders watched at most, newest first. */
const FOLDERS_MAX = 16;
/** Names kept between two looks; beyond it a walk is due. */
const NAMES_MAX = 20_000;

export class FolderWatch {
  readonly #root: string;
  readonly #isOneHandle: boolean;
  /** Folders below the root, and what listens to each; null: the root's handle does. */
  readonly #folders = new Map<string, FSWatcher | null>();
  #names = new Set<string>();
  #isOverrun = false;

  /**
   * @param root - an absolute path.
   * @param isOneHandle - one handle hears of everything below the root; by default on Windows.
   */
  constructor(root: string, isOneHandle = process.platform === 'win32') {
    this.#root = root;
    this.#isOneHandle = isOneHandle;
  }

  /** Watch a folder below the root (`''`: the root itself). The one that was added first gives way. */
  follow(below: string): void {
    if (this.#folders.has(below)) return;
    try {
      this.#folders.set(below, this.#isOneHandle && below !== '' ? null : this.#listen(below));
    } catch {
      // No watcher to be had (a share, handles used up, folder gone): the walks go on.
      return;
    }
    for (const first of this.#folders.keys()) {
      if (this.#folders.size <= FOLDERS_MAX) break;
      if (first !== '') this.#drop(first);
    }
  }

  #listen(below: string): FSWatcher {
    const watcher = watch(join(this.#root, below), { persistent: false, recursive: this.#isOneHandle }, (_, name) => {
      if (name === null || this.#names.size >= NAMES_MAX) this.#isOverrun = true;
      else if (!this.#isOneHandle) this.#names.add(below === '' ? name : `${below}/${name}`);
      else {
        const path = name.replaceAll('\\', '/');
        if (this.#folders.has(path.slice(0, Math.max(0, path.lastIndexOf('/'))))) this.#names.add(path);
      }
    });
    watcher.on('error', () => this.#drop(below));
    return watcher;
  }

  /** True while the system tells of the root. */
  get isWatching(): boolean {
    return this.#folders.has('');
  }

  /** Paths below the root that changed since the last call, and whether some were missed. */
  take(): { names: ReadonlySet<string>; isOverrun: boolean } {
    const taken = { names: this.#names, isOverrun: this.#isOverrun };
    this.#names = new Set();
    this.#isOverrun = false;
    return taken;
  }

  close(): void {
    for (const below of [...this.#folders.keys()]) this.#drop(below);
  }

  #drop(below: string): void {
    this.#folders.get(below)?.close();
    this.#folders.delete(below);
  }
}
