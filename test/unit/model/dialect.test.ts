import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Dialect } from '../../../src-main/model/dialect.ts';

describe('a dialect', () => {
  test('left empty recognises everything and refuses the overflow marks of instruments', () => {
    expect(Dialect.parse({})).toEqual({
      name: 'auto',
      title: '',
      like: null,
      encoding: 'auto',
      delimiter: 'auto',
      line: null,
      decimal: 'auto',
      preamble: 'auto',
      quality: [],
      header: 'auto',
      header_line: null,
      signs: [],
      files: null,
      names: 'header',
      units: {},
      states: {},
      status: null,
      masks: [],
      events: false,
      comment: null,
      time: { column: 'auto', format: 'auto', start: null, zone: null, repeated_hour: 'auto' },
      absent: [],
      refused: [],
      least_cells: null,
      leave_out: [],
      numeric: [],
    });
  });

  test('says which field is misspelt', () => {
    const result = Dialect.safeParse({ delimeter: 'comma' });
    expect(result.error?.issues[0]?.message).toContain('delimeter');
  });

  test.each([
    [{ masks: [{ column: 'Shutters', bits: {} }] }, 'masks.0.bits: names no bit'],
    [{ masks: [{ column: 'Shutters', bits: { 0: null } }] }, 'masks.0.bits: names no bit'],
    [{ masks: [{ column: 'Shutters', bits: { 53: 'Ga' } }] }, 'masks.0.bits: bits end at 52'],
    [{ masks: [{ column: 'Shutters', bits: { Ga: 'Ga' } }] }, 'masks.0.bits.Ga: Invalid key in record'],
    [{ masks: [{ column: 'Shutters', bits: { 0: 'Ga', 1: 'Ga' } }] }, 'masks.0.bits: names two bits alike'],
    [{ masks: [{ column: 'Shutters', written: 'octal', bits: { 0: 'Ga' } }] }, 'masks.0.written: Invalid option'],
  ])('says what is wrong with %j', (input, words) => {
    const issues = Dialect.safeParse(input).error?.issues ?? [];
    expect(issues.map(({ path, message }) => `${path.join('.')}: ${message}`)).toContainEqual(
      expect.stringContaining(words),
    );
  });

  test('takes a time rule that names only the format', () => {
    const { time } = Dialect.parse({ time: { format: 'dd/MM/yyyy HH:mm:ss.SSS' } });
    expect(time).toEqual({
      column: 'auto',
      format: 'dd/MM/yyyy HH:mm:ss.SSS',
      start: null,
      zone: null,
      repeated_hour: 'auto',
    });
  });

  test('has a description for every field of its JSON Schema', () => {
    const schema = z.toJSONSchema(Dialect, { io: 'input' });
    const fields = Object.entries(schema.properties ?? {});
    expect(fields.length).toBeGreaterThan(10);
    for (const [name, field] of fields) expect((field as { description?: string }).description, name).toBeTruthy();
  });
});
