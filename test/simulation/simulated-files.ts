// A file system in memory behind the port of platform/files.ts. Before every single call somebody else may act on it, so all
// that can happen between two calls of a look does happen. Object numbers are given again at once, as ext4 does, unless a
// handle holds them.
import type { EntryKind, FileFacts, Files, OpenFile } from '../../src-main/platform/files.ts';

interface Node {
  readonly number: number;
  bytes: Uint8Array;
  modifiedMs: number;
  names: number;
  handles: number;
}

/** A call failed as the real one does. */
export function failed(code: string): Error {
  return Object.assign(new Error(code), { code });
}

export class SimulatedFiles implements Files {
  readonly isWatchable = false;
  readonly root = '/logs';
  readonly #nodes = new Map<string, Node>();
  readonly #numbers = new Set<number>();
  readonly #tickMs: number;
  /** Each look at a file gives it another number, as some shares do. */
  isRenumbering = false;
  #next = 1_000_000;
  readonly #nowMs: () => number;
  /** Called before each call of the reader; what it throws is what the call fails with. */
  beforeCall: (call: string, name: string) => void = () => undefined;
  /** Called with what stood in a file and does no longer. */
  onDestroyed: (text: string) => void = () => undefined;

  constructor(nowMs: () => number, tickMs: number) {
    this.#nowMs = nowMs;
    this.#tickMs = tickMs;
  }

  // The reader's side.

  async open(path: string): Promise<OpenFile> {
    this.beforeCall('open', path);
    const node = this.#at(path);
    node.handles += 1;
    return {
      facts: async () => {
        this.beforeCall('fstat', path);
        return this.#factsOf(node);
      },
      read: async (into, offset, length, position) => {
        this.beforeCall('read', path);
        const some = node.bytes.subarray(position, position + length);
        into.set(some, offset);
        return { bytesRead: some.length };
      },
      close: async () => {
        node.handles -= 1;
        this.#release(node);
      },
    };
  }

  async facts(path: string): Promise<FileFacts> {
    this.beforeCall('stat', path);
    if (path === this.root) return { id: '1:1', kind: 'folder', sizeBytes: 0, modifiedMs: 0 };
    return this.#factsOf(this.#at(path));
  }

  async list(folder: string): Promise<{ name: string; kind: EntryKind }[]> {
    this.beforeCall('list', folder);
    return this.names.map((name) => ({ name, kind: 'file' as const }));
  }

  async realPath(path: string): Promise<string> {
    return path;
  }

  // The writer's side.

  get names(): string[] {
    return [...this.#nodes.keys()].sort();
  }

  has(name: string): boolean {
    return this.#nodes.has(name);
  }

  text(name: string): string {
    return new TextDecoder().decode(this.#named(name).bytes);
  }

  append(name: string, text: string): void {
    const node = this.#nodes.get(name) ?? this.#create(name);
    const own = new TextEncoder().encode(text);
    const bytes = new Uint8Array(node.bytes.length + own.length);
    bytes.set(node.bytes);
    bytes.set(own, node.bytes.length);
    node.bytes = bytes;
    this.#touch(node);
  }

  truncate(name: string, bytes = 0): void {
    const node = this.#named(name);
    const text = new TextDecoder().decode(node.bytes);
    node.bytes = node.bytes.slice(0, bytes);
    this.#touch(node);
    this.onDestroyed(text);
  }

  rename(name: string, to: string): void {
    const node = this.#named(name);
    this.remove(to);
    this.#nodes.delete(name);
    this.#nodes.set(to, node);
  }

  remove(name: string): void {
    const node = this.#nodes.get(name);
    if (node === undefined) return;
    this.#nodes.delete(name);
    node.names -= 1;
    this.#release(node);
    this.onDestroyed(new TextDecoder().decode(node.bytes));
  }

  #create(name: string): Node {
    let number = 2;
    while (this.#numbers.has(number)) number += 1;
    this.#numbers.add(number);
    const node = { number, bytes: new Uint8Array(), modifiedMs: 0, names: 1, handles: 0 };
    this.#nodes.set(name, node);
    this.#touch(node);
    return node;
  }

  #touch(node: Node): void {
    node.modifiedMs = Math.floor(this.#nowMs() / this.#tickMs) * this.#tickMs;
  }

  #release(node: Node): void {
    if (node.names === 0 && node.handles === 0) this.#numbers.delete(node.number);
  }

  #named(name: string): Node {
    const node = this.#nodes.get(name);
    if (node === undefined) throw failed('ENOENT');
    return node;
  }

  #at(path: string): Node {
    return this.#named(path.slice(this.root.length + 1));
  }

  #factsOf({ number, bytes, modifiedMs }: Node): FileFacts {
    const id = this.isRenumbering ? this.#next++ : number;
    return { id: `1:${id}`, kind: 'file', sizeBytes: bytes.length, modifiedMs };
  }
}
