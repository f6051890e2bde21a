// What a disk may hold after the power went: made from the record of everything that a program wrote (fault-shim.c).
//
// The model: what was written before a sync of the same file is on the disk, and a file's entry in its folder with it; a
// removal lasts from a sync of the folder on. Of what was written since, anything may be there, in any order, down to
// single sectors. Four kinds of state at each moment:
//   none    nothing of what was not synced
//   all     everything
//   subset  each operation or not, by chance
//   torn    as subset, and of a write that is there each sector of 512 bytes or not
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Chance } from '../../simulation/random.ts';

const HEAD_BYTES = 16;
const SECTOR_BYTES = 512;
const KINDS = ['none', 'all', 'subset', 'torn'] as const;
type Kind = (typeof KINDS)[number];

export interface Operation {
  readonly type: 'W' | 'T' | 'S' | 'U' | 'R' | 'A';
  readonly file: string;
  readonly offset: number;
  readonly data: Buffer;
}

/** A disk after a cut. */
export interface CutState {
  /** Number of operations that were under way or done when the power went. */
  readonly at: number;
  readonly kind: Kind;
  /** The last number that the program had said is stored; 0 before the first. */
  readonly confirmed: number;
  /** Valid until the next state is asked for. */
  readonly files: ReadonlyMap<string, Buffer>;
}

/**
 * Read a record.
 *
 * @param log - the log's bytes; a record that was cut off at its end is left out.
 * @returns the operations in order.
 */
export function readOperations(log: Buffer): Operation[] {
  const operations: Operation[] = [];
  for (let at = 0; at + HEAD_BYTES <= log.length; ) {
    const pathBytes = log.readUInt16LE(at + 2);
    const dataBytes = log.readUInt32LE(at + 4);
    const end = at + HEAD_BYTES + pathBytes + dataBytes;
    if (end > log.length) break;
    operations.push({
      type: String.fromCharCode(log.readUInt8(at)) as Operation['type'],
      file: basename(log.toString('utf8', at + HEAD_BYTES, at + HEAD_BYTES + pathBytes)),
      offset: Number(log.readBigUInt64LE(at + 8)),
      data: log.subarray(end - dataBytes, end),
    });
    at = end;
  }
  return operations;
}

/** The content of a file, written in place. */
export class Image {
  #bytes: Buffer;
  length: number;

  constructor(content?: Buffer) {
    this.#bytes = content ? Buffer.from(content) : Buffer.alloc(1 << 16);
    this.length = content?.length ?? 0;
  }

  get content(): Buffer {
    return this.#bytes.subarray(0, this.length);
  }

  apply({ type, offset, data }: Operation, chance: Chance | null): void {
    if (type === 'T') this.#resize(offset);
    else if (!chance) this.#write(offset, data);
    else {
      for (let from = 0; from < data.length; from += SECTOR_BYTES) {
        if (chance.happens(0.5)) this.#write(offset + from, data.subarray(from, from + SECTOR_BYTES));
      }
    }
  }

  #write(offset: number, data: Buffer): void {
    if (offset + data.length > this.length) this.#resize(offset + data.length);
    data.copy(this.#bytes, offset);
  }

  #resize(length: number): void {
    if (length > this.#bytes.length) {
      const larger = Buffer.alloc(2 * length);
      this.#bytes.copy(larger, 0, 0, this.length);
      this.#bytes = larger;
    }
    if (length < this.length) this.#bytes.fill(0, length, this.length);
    this.length = length;
  }
}

/** The disk while the program runs: what is safe, and what was written since. */
class Disk {
  readonly #safe = new Map<string, Image>();
  readonly #pending = new Map<string, Operation[]>();

  run(operation: Operation): void {
    const { type, file } = operation;
    // Files take new names only where a damaged queue is set aside, which is not what is cut here (see replace-cut.ts).
    if (type === 'R') return;
    if (type === 'S') {
      // A folder is never written to itself, so it is none of the files that are known.
      if (this.#pending.has(file)) this.#sync(file, Number.POSITIVE_INFINITY);
      else for (const other of this.#pending.keys()) this.#sync(other, this.#lastRemoval(other));
      return;
    }
    const pending = this.#pending.get(file) ?? [];
    pending.push(operation);
    this.#pending.set(file, pending);
  }

  #lastRemoval(file: string): number {
    return (this.#pending.get(file) ?? []).findLastIndex(({ type }) => type === 'U') + 1;
  }

  /** The first operations of a file that wait are on the disk. */
  #sync(file: string, count: number): void {
    for (const operation of (this.#pending.get(file) ?? []).splice(0, count)) {
      if (operation.type === 'U') this.#safe.delete(file);
      else {
        const image = this.#safe.get(file) ?? new Image();
        image.apply(operation, null);
        this.#safe.set(file, image);
      }
    }
  }

  cut(kind: Kind, chance: Chance): Map<string, Buffer> {
    const files = new Map([...this.#safe].map(([file, image]) => [file, image.content]));
    if (kind === 'none') return files;
    for (const [file, pending] of this.#pending) {
      const chosen = kind === 'all' ? pending : pending.filter(() => chance.happens(0.5));
      if (chosen.length === 0) continue;
      let image: Image | null = files.has(file) ? new Image(files.get(file)) : null;
      for (const operation of chosen) {
        image = operation.type === 'U' ? null : (image ?? new Image());
        image?.apply(operation, kind === 'torn' && operation.type === 'W' ? chance : null);
      }
      if (image) files.set(file, image.content);
      else files.delete(file);
    }
    return files;
  }
}

/**
 * Make disks as a power cut may leave them.
 *
 * @param operations - the record.
 * @param states - how many states.
 * @returns states at moments drawn by chance, in order of time; the same seed gives the same.
 */
export function* cutPower(operations: readonly Operation[], seed: number, states: number): Generator<CutState> {
  const chance = new Chance(seed);
  const moments = Array.from({ length: Math.ceil(states / KINDS.length) }, () => chance.between(0, operations.length));
  moments.sort((a, b) => a - b);
  const disk = new Disk();
  let confirmed = 0;
  let made = 0;
  for (let at = 0, next = 0; next < moments.length; at++) {
    for (; moments[next] === at; next++) {
      for (const kind of KINDS) if (made++ < states) yield { at, kind, confirmed, files: disk.cut(kind, chance) };
    }
    const operation = operations[at];
    if (!operation) break;
    if (operation.type === 'A') confirmed = lastNumber(operation.data) ?? confirmed;
    else disk.run(operation);
  }
}

function lastNumber(data: Buffer): number | null {
  const numbers = data.toString().match(/\d+(?=\n)/g);
  return numbers ? Number(numbers.at(-1)) : null;
}

/** Put the files of a state into a folder. */
export function layOut(state: CutState, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [file, content] of state.files) writeFileSync(join(folder, file), content);
}
