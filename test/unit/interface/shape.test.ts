import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ChunkChannels } from '../../../src-main/interface/resources.ts';
import { listOf, mapOf } from '../../../src-main/interface/shape.ts';
import { type Endpoint, endpointNames, table } from '../../../src-main/interface/table.ts';

const faultsOf = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues ?? [];

describe('listOf', () => {
  const names = listOf(z.string(), { min: 1 });

  it('passes a list as it is and names the place of a misfit', () => {
    const given = ['a', 'b'];
    expect(names.parse(given)).toBe(given);
    expect(faultsOf(names, ['a', 1]).map(({ path }) => path)).toEqual([[1]]);
    expect(faultsOf(names, [])).toHaveLength(1);
    expect(faultsOf(names, { 0: 'a', length: 1 })).toHaveLength(1);
    expect(faultsOf(names, undefined)).toHaveLength(1);
  });

  it('is an array to a schema of JSON', () => {
    expect(z.toJSONSchema(names, { unrepresentable: 'any' })).toMatchObject({
      type: 'array',
      minItems: 1,
      items: { type: 'string' },
    });
  });
});

describe('a value with faults without number', () => {
  // Each fault is an object of some hundred bytes: collected, those of one body of 64 MiB would fill the memory.
  it('is refused after a few of them, in lists, in maps, and in lists within maps', () => {
    const nulls = Array(10_000).fill(null);
    const many = Object.fromEntries(nulls.map((_, at) => [`c${at}`, { timestamps: nulls, values: [1] }]));
    expect(faultsOf(listOf(z.number()), nulls).length).toBeLessThanOrEqual(20);
    expect(faultsOf(mapOf(z.number()), many).length).toBeLessThanOrEqual(20);
    expect(faultsOf(ChunkChannels, { a: { timestamps: nulls, values: nulls } }).length).toBeLessThanOrEqual(20);
    expect(faultsOf(ChunkChannels, many).length).toBeLessThanOrEqual(20);
  });

  it.each(endpointNames)('is refused after a few of them in body and answer of %s', (name) => {
    const row: Endpoint = table[name];
    const nulls = Array(1_000).fill(null);
    for (const schema of [row.body, row.response]) {
      if (!schema) continue;
      const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
      expect(faultsOf(schema, Object.fromEntries(fields.map((field) => [field, nulls]))).length).toBeLessThan(100);
      expect(faultsOf(schema, nulls).length).toBeLessThan(100);
    }
  });
});
