// The body of a chunk as bytes, written straight from the columns: to the byte what JSON.stringify gives, at a tenth of its
// price. Growth tools write decimals, so most numbers are whole numbers with a point set into them; whatever else comes is
// left to the language. The time axis, the same for all channels of a chunk, is written once and copied.
//
// This one call does not pass the schema of the interface: a general check and a general writer took more processor time than
// reading, storing and sending together. The check here refuses the same; what it does not know goes through the schema.
import { CHANNEL_NAME_MAX } from '../../model/channel.ts';
import { decimalExponent, POWERS_OF_TEN } from '../../model/decimals.ts';
import { isAllFinite } from '../../model/readings.ts';

/** Numbers of one column: a plain list, or the memory in which they were read. */
type Numbers = readonly number[] | Float64Array;

/** A chunk as 4.1 takes it. */
export interface ChunkRequest {
  readonly data_id: string;
  readonly chunk_index: number;
  readonly channels: Readonly<
    Record<
      string,
      { readonly timestamps: Numbers; readonly values: Numbers; readonly units?: string | null | undefined }
    >
  >;
}

/** Longest text of a number, a comma included, bytes. */
const NUMBER_BYTES = 26;
/** Below this a decimal is the shortest text of its double, so that its digits are what JSON.stringify writes. */
const DIGITS_EXACT = 1e15;
/** Decimals smaller than 10^-6 are written with an exponent. */
const LEADING_ZEROS_MAX = 5;
/** Whole numbers up to here are divided as such. */
const SMALL = 0x7fffffff;
/** Digits of the number that is being written. */
const digits = new Uint8Array(16);
const ZERO = 0x30;
const MINUS = 0x2d;
const POINT = 0x2e;
const COMMA = 0x2c;

/** Writes chunks into memory of its own, which is used again. */
export class ChunkWriter {
  #bytes = Buffer.allocUnsafe(0);
  #length = 0;

  /**
   * Write a chunk.
   *
   * @returns the body, a copy of its own: it may still be on its way out when its answer is there. Null when it is none that
   *   this writer knows: a list that is no Float64Array, is empty or holds what is not finite, an index below 0, a name that
   *   the interface does not take. Then the long way says what is wrong.
   */
  write({ data_id, chunk_index, channels }: ChunkRequest): Uint8Array | null {
    const named = Object.entries(channels);
    if (!isPlainId(data_id) || !Number.isSafeInteger(chunk_index) || chunk_index < 0 || named.length === 0) return null;
    this.#length = 0;
    this.#text(`{"data_id":${JSON.stringify(data_id)},"chunk_index":${chunk_index},"channels":{`);
    let axis = { list: null as Numbers | null, from: 0, to: 0 };
    for (const [at, [name, { timestamps, values, units }]] of named.entries()) {
      if (!isName(name) || !isColumn(values) || !isUnit(units)) return null;
      this.#text(`${at > 0 ? ',' : ''}${JSON.stringify(name)}:{"timestamps":`);
      if (axis.list === timestamps) this.#again(axis.from, axis.to);
      else {
        if (!isColumn(timestamps)) return null;
        const from = this.#length;
        this.#list(timestamps);
        axis = { list: timestamps, from, to: this.#length };
      }
      this.#text(',"values":');
      this.#list(values);
      this.#text(units === undefined ? '}' : `,"units":${JSON.stringify(units)}}`);
    }
    this.#text('}}');
    return Buffer.from(this.#bytes.subarray(0, this.#length));
  }

  #room(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, this.#length + bytes));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }

  #text(text: string): void {
    this.#room(3 * text.length);
    this.#length += this.#bytes.write(text, this.#length);
  }

  #again(from: number, to: number): void {
    this.#room(to - from);
    this.#bytes.copyWithin(this.#length, from, to);
    this.#length += to - from;
  }

  #list(values: Float64Array): void {
    this.#room(values.length * NUMBER_BYTES + 2);
    this.#bytes[this.#length++] = 0x5b;
    const exponent = decimalExponent(values);
    const power = POWERS_OF_TEN[Math.max(0, exponent)] as number;
    for (let i = 0; i < values.length; i++) {
      if (i > 0) this.#bytes[this.#length++] = COMMA;
      const value = values[i] as number;
      const whole = Math.round(value * power);
      if (exponent >= 0 && whole <= SMALL && whole >= -SMALL) this.#smallDecimal(whole | 0, exponent);
      else if (exponent >= 0 && whole < DIGITS_EXACT && whole > -DIGITS_EXACT) this.#decimal(whole, exponent);
      else this.#length += this.#bytes.write(String(value), this.#length, 'latin1');
    }
    this.#bytes[this.#length++] = 0x5d;
  }

  /** As `#decimal`, of a whole number of 31 bits: what most numbers are takes no division of doubles and makes no object. */
  #smallDecimal(signed: number, exponent: number): void {
    const bytes = this.#bytes;
    let at = this.#length;
    let whole = signed;
    let decimals = whole === 0 ? 0 : exponent;
    if (whole < 0) {
      bytes[at++] = MINUS;
      whole = -whole;
    }
    for (; decimals > 0; decimals--) {
      const tenth = (whole / 10) | 0;
      if (tenth * 10 !== whole) break;
      whole = tenth;
    }
    // The digits from the last on.
    let count = 0;
    do {
      const tenth = (whole / 10) | 0;
      digits[count++] = ZERO + (whole - tenth * 10);
      whole = tenth;
    } while (whole > 0);
    const before = count - decimals;
    if (before > 0 || before < -LEADING_ZEROS_MAX) {
      // In front of the point; of a number with an exponent a single one.
      const front = before > 0 ? before : 1;
      for (let left = front; left > 0; left--) bytes[at++] = digits[--count] as number;
      if (count > 0) bytes[at++] = POINT;
      while (count > 0) bytes[at++] = digits[--count] as number;
      if (before <= 0) at += bytes.write(`e-${1 - before}`, at, 'latin1');
    } else {
      bytes[at++] = ZERO;
      bytes[at++] = POINT;
      for (let zeros = -before; zeros > 0; zeros--) bytes[at++] = ZERO;
      while (count > 0) bytes[at++] = digits[--count] as number;
    }
    this.#length = at;
  }

  /** Write a whole number of 10^-decimals as the language writes that double. */
  #decimal(signed: number, exponent: number): void {
    const bytes = this.#bytes;
    let whole = signed;
    let decimals = exponent;
    if (whole < 0) {
      bytes[this.#length++] = MINUS;
      whole = -whole;
    }
    if (whole === 0) decimals = 0;
    while (decimals > 0 && whole % 10 === 0) {
      whole /= 10;
      decimals -= 1;
    }
    const digits = digitsOf(whole);
    const before = digits - decimals;
    if (decimals === 0) this.#digits(whole, digits);
    else if (before > 0) {
      const scale = POWERS_OF_TEN[decimals] as number;
      const front = Math.floor(whole / scale);
      this.#digits(front, before);
      bytes[this.#length++] = POINT;
      this.#digits(whole - front * scale, decimals);
    } else if (before >= -LEADING_ZEROS_MAX) {
      bytes[this.#length++] = ZERO;
      bytes[this.#length++] = POINT;
      this.#digits(whole, decimals);
    } else {
      const scale = POWERS_OF_TEN[digits - 1] as number;
      const front = Math.floor(whole / scale);
      this.#digits(front, 1);
      if (digits > 1) {
        bytes[this.#length++] = POINT;
        this.#digits(whole - front * scale, digits - 1);
      }
      this.#length += bytes.write(`e-${1 - before}`, this.#length, 'latin1');
    }
  }

  /** Write so many digits of a whole number, zeros in front. */
  #digits(whole: number, count: number): void {
    let rest = whole;
    let at = this.#length + count;
    this.#length = at;
    // Beyond 31 bits numbers are divided as doubles, which takes longer.
    for (; rest > 0x7fffffff; count--) {
      const tenth = Math.floor(rest / 10);
      this.#bytes[--at] = ZERO + (rest - tenth * 10);
      rest = tenth;
    }
    let small = rest | 0;
    for (let left = count; left > 0; left--) {
      const tenth = (small / 10) | 0;
      this.#bytes[--at] = ZERO + (small - tenth * 10);
      small = tenth;
    }
  }
}

/**
 * Make plain lists of a chunk's columns.
 *
 * @returns the same chunk as the interface's own shape.
 */
export function plainChunk({ channels, ...rest }: ChunkRequest) {
  const plain = Object.entries(channels).map(([name, { timestamps, values, ...channel }]) => [
    name,
    { timestamps: Array.from(timestamps), values: Array.from(values), ...channel },
  ]);
  return { ...rest, channels: Object.fromEntries(plain) };
}

/** Digits of a whole number from 0 on. */
function digitsOf(whole: number): number {
  let digits = 1;
  while (digits <= 15 && whole >= (POWERS_OF_TEN[digits] as number)) digits += 1;
  return digits;
}

function isColumn(values: Numbers): values is Float64Array {
  return values instanceof Float64Array && values.length > 0 && isAllFinite(values);
}

const isPlainId = (id: string) => typeof id === 'string' && /^[\w-]+$/.test(id);
const isUnit = (unit: unknown) => unit === undefined || typeof unit === 'string';
const isName = (name: string) => name.length > 0 && name.length <= CHANNEL_NAME_MAX && name.isWellFormed();
