import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pack, unpack } from '../../../src-main/platform/point-block.ts';
import { walks } from '../../support/run/effort.ts';

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
const decimal = fc
  .tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: -12, max: 6 }))
  .map(([m, e]) => Number(`${m}e${e}`));
const column = (rows: number) =>
  fc.oneof(
    fc.array(finite, { minLength: rows, maxLength: rows }),
    fc.array(decimal, { minLength: rows, maxLength: rows }),
  );
const blocks = fc
  .tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 5 }))
  .chain(([rows, columns]) =>
    fc.tuple(fc.constant(rows), column(rows), fc.array(column(rows), { minLength: columns, maxLength: columns })),
  )
  .map(([rows, times, columns]) => ({
    rows,
    timesMs: Float64Array.from(times),
    values: Float64Array.from(columns.flat()),
  }));

const bits = (values: Float64Array) => [...new BigUint64Array(values.slice().buffer)];

test('gives back every double bit for bit, -0 and denormals included', () => {
  fc.assert(
    fc.property(blocks, (block) => {
      const back = unpack(pack(block));
      expect(back.rows).toBe(block.rows);
      expect(bits(back.timesMs)).toEqual(bits(block.timesMs));
      expect(bits(back.values)).toEqual(bits(block.values));
    }),
    walks(500),
  );
});

test('gives back values at the edges of what integers can carry', () => {
  const edges = [
    0,
    -0,
    2 ** 53,
    2 ** 53 - 1,
    -(2 ** 53),
    1e22,
    1e23,
    5e-324,
    1.7976931348623157e308,
    0.1 + 0.2,
    9007199254740.992,
  ];
  for (const value of edges) {
    for (const other of [1, 0.001, value]) {
      const block = { rows: 2, timesMs: Float64Array.of(0, 1), values: Float64Array.of(value, other) };
      expect(bits(unpack(pack(block)).values)).toEqual(bits(block.values));
    }
  }
});

test('keeps a growth-tool log in less than 6 bytes a point', () => {
  const rows = 1000;
  const timesMs = Float64Array.from({ length: rows }, (_, i) => 1_700_000_000_000 + i * 1000 + (i % 3));
  const columns = [
    (i: number) => Number((300 + Math.sin(i / 50)).toFixed(1)),
    (i: number) => Number((2.78e-8 * (1 + 0.01 * Math.sin(i / 7))).toExponential(2)),
    (i: number) => i % 2,
    (i: number) => Number((650 + Math.cos(i * 12.9898) * 0.3).toFixed(4)),
  ];
  const values = Float64Array.from(columns.flatMap((of) => Array.from({ length: rows }, (_, i) => of(i))));
  expect(pack({ rows, timesMs, values }).length / values.length).toBeLessThan(6);
});

test('calls damage by its name and never reads beyond the bytes', () => {
  const bytes = pack({ rows: 3, timesMs: Float64Array.of(1, 2, 3), values: Float64Array.of(1.5, 2.5, 3.25) });
  for (let cut = 0; cut < bytes.length; cut++) {
    expect(() => unpack(bytes.subarray(0, cut))).toThrow(expect.objectContaining({ code: 'store.chunk-damaged' }));
  }
  const huge = bytes.slice();
  new DataView(huge.buffer).setUint32(2, 0xffffffff, true);
  expect(() => unpack(huge)).toThrow(expect.objectContaining({ code: 'store.chunk-damaged' }));
});

test('gives back every step of whole numbers, the ends of each byte of it included', () => {
  const steps = Array.from({ length: 600 }, (_, i) => i - 300);
  steps.push(...[7, 14, 21, 28, 35, 42, 49].flatMap((power) => [-1, 0, 1].map((by) => 2 ** power / 2 + by)));
  for (const sign of [1, -1]) {
    let sum = 0;
    const values = Float64Array.from(steps, (step) => {
      sum += sign * step;
      return sum;
    });
    for (const timesMs of [values, values.map((_, i) => i)]) {
      const back = unpack(pack({ rows: values.length, timesMs, values }));
      expect(bits(back.timesMs)).toEqual(bits(timesMs));
      expect(bits(back.values)).toEqual(bits(values));
    }
  }
});

test('takes about a byte for a value that steps by little, and far less for many that repeat', () => {
  const steps = (rows: number) => ({
    rows,
    timesMs: Float64Array.from({ length: rows }, (_, i) => 1_700_000_000_000 + 1000 * i),
    values: Float64Array.from({ length: rows }, (_, i) => (i % 2) / 10),
  });
  expect(pack(steps(20)).length).toBeLessThan(100);
  expect(pack(steps(1000)).length).toBeLessThan(200);
});

test('takes nothing of another version, of an unknown kind of column, or of a size that the bytes cannot hold', () => {
  const bytes = pack({ rows: 3, timesMs: Float64Array.of(1, 2, 3), values: Float64Array.of(1.5, 2.5, 3.25) });
  const altered = (alter: (view: DataView) => void) => {
    const copy = bytes.slice();
    alter(new DataView(copy.buffer));
    return () => unpack(copy);
  };
  // Version and flags; then columns, rows, and the kind of the first column.
  expect(altered((view) => view.setUint8(0, view.getUint8(0) + 1))).toThrow(/version/);
  expect(altered((view) => view.setUint8(10, 200))).toThrow(/column kind 200/);
  for (const [columns, rows] of [
    [1, 1000],
    [1000, 3],
    [0, 1000],
  ] as const) {
    const resized = altered((view) => {
      view.setUint32(2, columns, true);
      view.setUint32(6, rows, true);
    });
    expect(resized).toThrow(/do not fit/);
  }
});
