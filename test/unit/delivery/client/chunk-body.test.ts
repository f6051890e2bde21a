import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChunkRequest, ChunkWriter, plainChunk } from '../../../../src-main/delivery/client/chunk-body.ts';

const writer = new ChunkWriter();
const written = (request: ChunkRequest) => {
  const body = writer.write(request);
  return body && Buffer.from(body).toString('utf8');
};
const chunk = (values: readonly number[], timesMs = values.map((_, i) => 1_790_000_000_123 + i)): ChunkRequest => {
  const timestamps = Float64Array.from(timesMs, (timeMs) => timeMs / 1000);
  const columns = { timestamps, values: Float64Array.from(values) };
  return { data_id: 'a-b', chunk_index: 3, channels: { 'GC IG': { ...columns, units: 'Torr' }, 'µ "T"': columns } };
};
const isSame = (values: readonly number[]) => {
  expect(written(chunk(values))).toBe(asText(chunk(values)));
};
const asText = (request: ChunkRequest) => JSON.stringify(plainChunk(request));

/** Values as instruments write them: some digits, some power of ten. */
const decimal = fc
  .tuple(fc.integer({ min: -(10 ** 9), max: 10 ** 9 }), fc.integer({ min: -22, max: 12 }))
  .map(([digits, power]) => Number(`${digits}e${power}`));
const finite = fc.double({ noNaN: true, noDefaultInfinity: true });

describe('the body of a chunk', () => {
  it('is to the byte what JSON.stringify gives: decimals of one kind', () => {
    const column = fc
      .tuple(fc.integer({ min: 0, max: 22 }), fc.array(fc.maxSafeInteger(), { minLength: 1 }))
      .map(([e, wholes]) => wholes.map((whole) => whole / 10 ** e));
    fc.assert(fc.property(column, isSame));
  });

  it('is to the byte what JSON.stringify gives: decimals of any kind beside each other', () => {
    const column = fc.array(decimal, { minLength: 1, maxLength: 30 });
    fc.assert(fc.property(column, isSame), {
      numRuns: 2000,
    });
  });

  it('is to the byte what JSON.stringify gives: any double, any time', () => {
    const column = fc.array(finite, { minLength: 1, maxLength: 20 });
    const check = (values: number[], times: number[]) => {
      const request = chunk(
        values,
        values.map((_, i) => times[i % times.length] as number),
      );
      expect(written(request)).toBe(asText(request));
    };
    fc.assert(fc.property(column, column, check), { numRuns: 1000 });
  });

  it('writes zero, minus zero, the smallest, the largest and the edges of the exponent form as the language does', () => {
    const edges = [0, -0, 5e-324, Number.MAX_VALUE, 1e-6, 1e-7, 9.99e-7, -1.5e-6, 1e21, 1e20, 123456789012345680000];
    for (const value of [...edges, 0.1, 100, 0.30000000000000004, 2.78e-8, 999999999999999, 2 ** 53 - 1, 2 ** 31]) {
      isSame([value]);
    }
  });

  it('leaves what it does not know to the long way', () => {
    const column = Float64Array.of(1);
    const request = (channels: ChunkRequest['channels'], rest = {}) =>
      writer.write({ data_id: 'a', chunk_index: 0, channels, ...rest });
    expect(request({ x: { timestamps: column, values: column } })).not.toBeNull();
    expect(request({ x: { timestamps: column, values: [1] } })).toBeNull();
    expect(request({ x: { timestamps: column, values: Float64Array.of(Number.NaN) } })).toBeNull();
    expect(request({ x: { timestamps: column, values: new Float64Array(0) } })).toBeNull();
    expect(request({ '': { timestamps: column, values: column } })).toBeNull();
    expect(request({ '\ud800': { timestamps: column, values: column } })).toBeNull();
    expect(request({})).toBeNull();
    expect(request({ x: { timestamps: column, values: column } }, { data_id: '..' })).toBeNull();
    expect(request({ x: { timestamps: column, values: column } }, { chunk_index: -1 })).toBeNull();
  });
});
