// Names of what changes in some folders, as the operating system tells them. They save looking for new files among a hundred
// thousand old ones. Nothing rests on them: shares give none and a burst overflows them; a walk finds what they miss.
// Bounds: 16 folders, the root among them, and 20,000 names between two looks; beyond these a walk is asked for.
import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';

/** Folders watched at most, newest first. */
const FOLDERS_MAX = 16;
/** Names kept between two looks; beyond it a walk is due. */
const NAMES_MAX = 20_000;

export class FolderWatch {
  readonly #root: string;
  readonly #watchers = new Map<string, FSWatcher>();
  #names = new Set<string>();
  #isOverrun = false;

  constructor(root: string) {
    this.#root = root;
  }

  /** Watch a folder below the root (`''`: the root itself). The one that was added first gives way. */
  follow(below: string): void {
    if (this.#watchers.has(below)) return;
    try {
      const watcher = watch(join(this.#root, below), { persistent: false }, (_, name) => {
        if (name === null || this.#names.size >= NAMES_MAX) this.#isOverrun = true;
        else this.#names.add(below === '' ? name : `${below}/${name}`);
      });
      watcher.on('error', () => this.#drop(below));
      this.#watchers.set(below, watcher);
    } catch {
      // No watcher to be had (a share, handles used up, folder gone): the walks go on.
      return;
    }
    for (const first of this.#watchers.keys()) {
      if (this.#watchers.size <= FOLDERS_MAX) break;
      if (first !== '') this.#drop(first);
    }
  }

  /** True while the system tells of the root. */
  get isWatching(): boolean {
    return this.#watchers.has('');
  }

  /** Paths below the root that changed since the last call, and whether some were missed. */
  take(): { names: ReadonlySet<string>; isOverrun: boolean } {
    const taken = { names: this.#names, isOverrun: this.#isOverrun };
    this.#names = new Set();
    this.#isOverrun = false;
    return taken;
  }

  close(): void {
    for (const below of [...this.#watchers.keys()]) this.#drop(below);
  }

  #drop(below: string): void {
    this.#watchers.get(below)?.close();
    this.#watchers.delete(below);
  }
}
