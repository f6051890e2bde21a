// A file system in memory behind the port of platform/files.ts. Before every single call, and in the middle of every listing,
// somebody else may act on it, so all that can happen between two calls of a look does happen. Object numbers are given again
// at once, as ext4 does, unless a handle holds them; when a file was made tells two apart, as finely as times are counted.
//
// It remembers more than it shows: each stream of bytes that only grew, and how much of it was ever shown to the reader.
import { Buffer } from 'node:buffer';
import type { EntryKind, FileFacts, Files, OpenFile } from '../../src-main/platform/files.ts';

/** What stood in one file from its beginning, or from the truncation before, to its end. */
export interface Stream {
  text: string;
  /** Its length when the look began that is made now, bytes. */
  begunBytes: number;
  /** Its name then. */
  begunAs: string;
  /** What stood in it from the beginning of a look to its end, bytes. */
  shownBytes: number;
  /** The name under which the reader came upon it last; empty: it never did. */
  seenAs: string;
  /** When it was first seen under that name. */
  movedMs: number;
  /** Of what stood in it, what was only seen in looks of which a call failed, bytes. */
  glimpsedBytes: number;
  /** The number of its file was given to another one since. */
  isNumberGivenAgain: boolean;
}

interface Node {
  readonly number: number;
  readonly bornMs: number;
  stream: Stream;
  bytes: Buffer;
  modifiedMs: number;
  isNamed: boolean;
  handles: number;
}

/** A file system that counts times as coarsely as this does not tell when a file was made, ms. */
const COARSE_MS = 1000;

/** A call failed as the real one does. */
export function failed(code: string): Error {
  return Object.assign(new Error(code), { code });
}

export class SimulatedFiles implements Files {
  readonly isWatchable = false;
  readonly root = '/logs';
  /** Every stream there ever was. */
  readonly streams: Stream[] = [];
  readonly #nodes = new Map<string, Node>();
  readonly #numbers = new Set<number>();
  /** What stood last in the file that has or had a number. */
  readonly #lastOf = new Map<number, Stream>();
  #held: Node | null = null;
  readonly #tickMs: number;
  /** Each look at a file gives it another number, as some shares do. */
  isRenumbering = false;
  /** A folder lists its names in this direction. */
  isBackward = false;
  /** Handles that are open now. */
  handles = 0;
  /** The number of the device; a share that is mounted again has another one. */
  device = 1;
  #next = 1_000_000;
  readonly #nowMs: () => number;
  /** Called before each call of the reader; what it throws is what the call fails with. */
  beforeCall: (call: string, name: string) => void = () => undefined;
  /** Called with what stood in a file and does no longer, and the name that it had. */
  onEnd: (stream: Stream, name: string) => void = () => undefined;

  constructor(nowMs: () => number, tickMs: number) {
    this.#nowMs = nowMs;
    this.#tickMs = tickMs;
  }

  // The reader's side.

  open(path: string): OpenFile {
    this.beforeCall('open', path);
    const node = this.#at(path);
    if (node === this.#held) throw failed('EBUSY');
    node.handles += 1;
    this.handles += 1;
    return {
      facts: () => {
        this.beforeCall('fstat', path);
        return this.#factsOf(node, path);
      },
      read: (into, offset, length, position) => {
        this.beforeCall('read', path);
        const some = node.bytes.subarray(position, position + length);
        into.set(some, offset);
        return { bytesRead: some.length };
      },
      close: () => {
        node.handles -= 1;
        this.handles -= 1;
        this.#release(node);
      },
    };
  }

  facts(path: string): FileFacts {
    this.beforeCall('stat', path);
    if (path === this.root) return { id: `${this.device}:1`, kind: 'folder', sizeBytes: 0, modifiedMs: 0 };
    return this.#factsOf(this.#at(path), path);
  }

  /** A listing takes time: what changes its name meanwhile is missed, or found twice. */
  list(folder: string): { name: string; kind: EntryKind }[] {
    this.beforeCall('list', folder);
    const ordered = () => (this.isBackward ? this.names.reverse() : this.names);
    const first = ordered();
    const begin = first.slice(0, Math.ceil(first.length / 2));
    const last = begin.at(-1);
    this.beforeCall('list on', folder);
    const isLater = (name: string) => last === undefined || (this.isBackward ? name < last : name > last);
    const found = [...begin, ...ordered().filter(isLater)];
    return found.map((name) => ({ name, kind: 'file' as const }));
  }

  realPath(path: string): string {
    return path;
  }

  // The writer's side.

  get names(): string[] {
    return [...this.#nodes.keys()].sort();
  }

  /** It tells when a file was made, finely enough to tell apart two of one number. */
  get tellsBirth(): boolean {
    return this.#tickMs < COARSE_MS;
  }

  /** What stands in files now. */
  get standing(): Stream[] {
    return [...this.#nodes.values()].map(({ stream }) => stream);
  }

  has(name: string): boolean {
    return this.#nodes.has(name);
  }

  streamOf(name: string): Stream | undefined {
    return this.#nodes.get(name)?.stream;
  }

  text(name: string): string {
    return this.#nodes.get(name)?.stream.text ?? '';
  }

  append(name: string, text: string): void {
    const node = this.#nodes.get(name) ?? this.#create(name);
    node.stream.text += text;
    node.bytes = Buffer.from(node.stream.text, 'latin1');
    this.#touch(node);
  }

  truncate(name: string): void {
    const node = this.#named(name);
    const { stream } = node;
    node.stream = this.#begin();
    this.#lastOf.set(node.number, node.stream);
    node.bytes = Buffer.alloc(0);
    this.#touch(node);
    this.onEnd(stream, name);
  }

  /** Another program holds a file, under whatever name, so that the reader cannot open it. */
  hold(name: string): void {
    this.#held = this.#nodes.get(name) ?? null;
  }

  free(): void {
    this.#held = null;
  }

  rename(name: string, to: string): void {
    const node = this.#named(name);
    const former = this.#nodes.get(to);
    this.#nodes.delete(name);
    this.#nodes.set(to, node);
    if (former !== undefined) this.#unname(former, to);
  }

  remove(name: string): void {
    const node = this.#nodes.get(name);
    if (node === undefined) return;
    this.#nodes.delete(name);
    this.#unname(node, name);
  }

  #unname(node: Node, name: string): void {
    node.isNamed = false;
    this.#release(node);
    this.onEnd(node.stream, name);
  }

  #begin(): Stream {
    const stream = {
      text: '',
      begunBytes: 0,
      begunAs: '',
      shownBytes: 0,
      seenAs: '',
      movedMs: 0,
      glimpsedBytes: 0,
      isNumberGivenAgain: false,
    };
    this.streams.push(stream);
    return stream;
  }

  #create(name: string): Node {
    let number = 2;
    while (this.#numbers.has(number)) number += 1;
    this.#numbers.add(number);
    const stream = this.#begin();
    const former = this.#lastOf.get(number);
    if (former !== undefined) former.isNumberGivenAgain = true;
    this.#lastOf.set(number, stream);
    const node = {
      number,
      bornMs: this.tellsBirth ? this.#tick() : 0,
      stream,
      bytes: Buffer.alloc(0),
      modifiedMs: 0,
      isNamed: true,
      handles: 0,
    };
    this.#nodes.set(name, node);
    this.#touch(node);
    return node;
  }

  #touch(node: Node): void {
    node.modifiedMs = this.#tick();
  }

  #tick(): number {
    return Math.floor(this.#nowMs() / this.#tickMs) * this.#tickMs;
  }

  #release(node: Node): void {
    if (!node.isNamed && node.handles === 0) this.#numbers.delete(node.number);
  }

  #named(name: string): Node {
    const node = this.#nodes.get(name);
    if (node === undefined) throw failed('ENOENT');
    return node;
  }

  #at(path: string): Node {
    return this.#named(path.slice(this.root.length + 1));
  }

  #factsOf({ number, bornMs, bytes, modifiedMs, stream }: Node, path: string): FileFacts {
    const id = this.isRenumbering ? this.#next++ : number;
    const name = path.slice(this.root.length + 1);
    if (stream.seenAs !== name) stream.movedMs = this.#nowMs();
    stream.seenAs = name;
    return { id: `${this.device}:${id}:${bornMs}`, kind: 'file', sizeBytes: bytes.length, modifiedMs };
  }
}
