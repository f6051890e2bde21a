// Decimals as logs write them, and whether both readers give each of them as Number() does, bit for bit.
import { PLAIN_NUMBER, PlainCells } from '../../../src-main/sources/log/cells/plain-cells.ts';
import { parseDecimal } from '../../../src-main/sources/log/time/decimal.ts';
import { Chance } from '../../simulation/random.ts';

const whole = (draw: () => number, below: number) => Math.floor(draw() * below);
const digits = (draw: () => number, count: number) => Array.from({ length: count }, () => whole(draw, 10)).join('');
const exponent = (draw: () => number, below: number) =>
  `${'eE'[whole(draw, 2)]}${['', '+', '-', '-'][whole(draw, 4)]}${String(whole(draw, below)).padStart(whole(draw, 3), '0')}`;

const SHAPES: readonly ((draw: () => number) => string)[] = [
  // A gauge: 3.201E-09.
  (draw) => `${whole(draw, 10)}.${digits(draw, 1 + whole(draw, 6))}${exponent(draw, 16)}`,
  // A thermocouple: 583.42.
  (draw) => `${whole(draw, 2000)}.${digits(draw, whole(draw, 4))}`,
  // A counter.
  (draw) => digits(draw, 1 + whole(draw, 12)),
  // What a program prints of a double: 15 to 17 digits.
  (draw) => String((draw() - 0.5) * 10 ** (whole(draw, 30) - 15)),
  (draw) => ((draw() - 0.5) * 10 ** (whole(draw, 20) - 10)).toPrecision(15 + whole(draw, 3)),
  // Printed with a fixed width: zeros in front and behind.
  (draw) => `${digits(draw, 2 + whole(draw, 6))}.${digits(draw, 3)}${'0'.repeat(whole(draw, 14))}`,
  // Any digits at all.
  (draw) => `${digits(draw, 1 + whole(draw, 19))}.${digits(draw, whole(draw, 19))}${exponent(draw, 330)}`,
  // Around 2^53, where doubles begin to leave out whole numbers.
  (draw) => String(9007199254740993n - BigInt(whole(draw, 5))) + (draw() < 0.5 ? '' : exponent(draw, 24)),
];

/** Draw one decimal as a log may write it. */
function drawDecimal(draw: () => number): string {
  const sign = ['', '', '', '-', '+'][whole(draw, 5)] ?? '';
  return sign + (SHAPES[whole(draw, SHAPES.length)]?.(draw) ?? '');
}

/**
 * Read decimals by both readers.
 *
 * @returns those that one of them reads otherwise than Number() does; at most ten.
 */
export function misreadDecimals(count: number, seed: number): string[] {
  const draw = new Chance(seed).next;
  const cells = new PlainCells(44, 46, { leastSentinel: Number.POSITIVE_INFINITY, isSentinel: () => false });
  const codes = Uint8Array.of(PLAIN_NUMBER);
  const values = new Float64Array(1);
  const misread: string[] = [];
  for (let at = 0; at < count && misread.length < 10; at++) {
    const text = drawDecimal(draw);
    const bytes = Buffer.from(`${text}\n`);
    const expected = Number(text);
    cells.begin(0, 0);
    const isPlain = cells.read(bytes, text.length, codes, 0, values) === 1;
    const isRight = Object.is(parseDecimal(bytes, 0, text.length), expected);
    if (!isRight || (isPlain && !Object.is(values[0], expected))) misread.push(text);
  }
  return misread;
}
