// How points lie on disk. A growth-tool log writes decimals (`2.78E-08`, `300.0`), so a column is kept as integers times
// a power of ten wherever that gives back every double bit for bit: m / 10^e with |m| < 2^53 and e <= 22 is correctly
// rounded, so it equals what the text was parsed to. Differences of such integers are small; zstd takes the rest.
// A column that does not fit is kept as plain doubles. Bit-exact for every finite double, -0 included.
//
// Layout: version byte, flags byte (1 = body is zstd), then the body:
//   columns: uint32, rows: uint32 (little endian), then the time axis and each column as
//   kind byte (0 = doubles, little endian; 1 + e = integers x 10^-e) and, for integers, the first one as a double, then
//   zigzag varints of differences (of the second differences for the time axis).
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { AgentError } from '../model/agent-error.ts';
import { decimalExponent, POWERS_OF_TEN } from '../model/decimals.ts';

const VERSION = 1;
const IS_COMPRESSED = 1;
const COMPRESS_FROM_BYTES = 200;

/** A block of points: one time axis, C columns of the same length, column after column. */
export interface Block {
  readonly rows: number;
  readonly timesMs: Float64Array;
  readonly values: Float64Array;
}

class Writer {
  #bytes = new Uint8Array(0);
  #view = new DataView(this.#bytes.buffer);
  length = 0;

  /** Start from empty, with room for so many bytes; what was finished before is gone. */
  begin(capacity: number): void {
    this.length = 0;
    if (this.#bytes.length >= capacity) return;
    this.#bytes = new Uint8Array(capacity);
    this.#view = new DataView(this.#bytes.buffer);
  }

  byte(value: number): void {
    this.#bytes[this.length++] = value;
  }

  uint32(value: number): void {
    this.#view.setUint32(this.length, value, true);
    this.length += 4;
  }

  double(value: number): void {
    this.#view.setFloat64(this.length, value, true);
    this.length += 8;
  }

  /** Zigzag varint of a whole number with |n| < 2^52: at most 8 bytes, low 7 bits first. */
  varint(value: number): void {
    let rest = value < 0 ? -2 * value - 1 : 2 * value;
    while (rest >= 0x80) {
      this.#bytes[this.length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.length++] = rest;
  }

  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }
}

class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  byte(): number {
    if (this.#at >= this.#bytes.length) throw damaged('it ends early');
    return this.#bytes[this.#at++] as number;
  }

  uint32(): number {
    this.#at += 4;
    return this.#view.getUint32(this.#at - 4, true);
  }

  double(): number {
    this.#at += 8;
    return this.#view.getFloat64(this.#at - 8, true);
  }

  varint(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
      scale *= 0x80;
    }
  }
}

function damaged(why: string): AgentError {
  return new AgentError({
    code: 'store.chunk-damaged',
    message: `A stored block of points cannot be read: ${why}.`,
    hint: 'The disk or the queue file is damaged. The block is kept as it is; check the disk.',
    retry: 'after-human',
  });
}

function writeColumn(values: Float64Array, isTimeAxis: boolean): void {
  const exponent = decimalExponent(values);
  if (exponent < 0) {
    writer.byte(0);
    for (const value of values) writer.double(value);
    return;
  }
  writer.byte(1 + exponent);
  const power = POWERS_OF_TEN[exponent] as number;
  let last = Math.round((values[0] as number) * power);
  let lastStep = 0;
  writer.double(last);
  for (let i = 1; i < values.length; i++) {
    const whole = Math.round((values[i] as number) * power);
    const step = whole - last;
    writer.varint(isTimeAxis ? step - lastStep : step);
    last = whole;
    lastStep = step;
  }
}

function readColumn(reader: Reader, into: Float64Array, isTimeAxis: boolean): void {
  const kind = reader.byte();
  if (kind === 0) {
    for (let i = 0; i < into.length; i++) into[i] = reader.double();
    return;
  }
  const power = POWERS_OF_TEN[kind - 1];
  if (power === undefined) throw damaged(`column kind ${kind} is unknown`);
  let last = reader.double();
  let step = 0;
  into[0] = last / power;
  for (let i = 1; i < into.length; i++) {
    const difference = reader.varint();
    step = isTimeAxis ? step + difference : difference;
    last += step;
    into[i] = last / power;
  }
}

/** Used again for each block: fresh memory for each costs more than packing it. */
const writer = new Writer();

/**
 * Pack a block of points for the disk.
 *
 * @param block - `timesMs` with `rows` >= 1 entries and `values` with columns x rows finite numbers, column after column.
 * @returns bytes from which `unpack` gives back every number bit for bit.
 */
export function pack({ rows, timesMs, values }: Block): Uint8Array {
  const columns = values.length / rows;
  writer.begin(16 + (columns + 1) * (9 + rows * 8));
  writer.uint32(columns);
  writer.uint32(rows);
  writeColumn(timesMs.subarray(0, rows), true);
  for (let c = 0; c < columns; c++) writeColumn(values.subarray(c * rows, (c + 1) * rows), false);
  const body = writer.finish();
  const isCompressed = body.length >= COMPRESS_FROM_BYTES;
  const stored = isCompressed ? zstdCompressSync(body) : body;
  const bytes = new Uint8Array(2 + stored.length);
  bytes[0] = VERSION;
  bytes[1] = isCompressed ? IS_COMPRESSED : 0;
  bytes.set(stored, 2);
  return bytes;
}

/**
 * Read a packed block back.
 *
 * @param bytes - bytes made by `pack`.
 * @returns the block, column after column.
 * @throws `store.chunk-damaged` when the bytes are not a whole block of a known version.
 */
export function unpack(bytes: Uint8Array): Block {
  if (bytes[0] !== VERSION) throw damaged(`version ${bytes[0]} is unknown`);
  let body = bytes.subarray(2);
  try {
    if (bytes[1] === IS_COMPRESSED) body = zstdDecompressSync(body);
    const reader = new Reader(body);
    const columns = reader.uint32();
    const rows = reader.uint32();
    // A column takes at least a byte a row, so a size that the bytes cannot hold is damage, not a request for memory.
    if ((columns + 1) * rows > body.length) throw damaged(`${columns} x ${rows} points do not fit into it`);
    const timesMs = new Float64Array(rows);
    const values = new Float64Array(columns * rows);
    readColumn(reader, timesMs, true);
    for (let c = 0; c < columns; c++) readColumn(reader, values.subarray(c * rows, (c + 1) * rows), false);
    return { rows, timesMs, values };
  } catch (thrown) {
    if (thrown instanceof AgentError) throw thrown;
    throw damaged(thrown instanceof Error ? thrown.message : String(thrown));
  }
}
