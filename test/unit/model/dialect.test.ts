import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Dialect } from '../../../src-main/model/dialect.ts';

describe('a dialect', () => {
  test('left empty recognises everything and refuses the overflow marks of instruments', () => {
    expect(Dialect.parse({})).toEqual({
      name: 'auto',
      title: '',
      encoding: 'auto',
      delimiter: 'auto',
      decimal: 'auto',
      preamble: 'auto',
      header: 'auto',
      header_line: null,
      signs: [],
      files: null,
      names: 'header',
      units: {},
      states: {},
      events: false,
      comment: null,
      time: { column: 'auto', format: 'auto', start: null, zone: null },
      absent: [],
      refused: ['9.9E37', '-9.9E37', '9.91E37'],
      leave_out: [],
      numeric: [],
    });
  });

  test('says which field is misspelt', () => {
    const result = Dialect.safeParse({ delimeter: 'comma' });
    expect(result.error?.issues[0]?.message).toContain('delimeter');
  });

  test('takes a time rule that names only the format', () => {
    const { time } = Dialect.parse({ time: { format: 'dd/MM/yyyy HH:mm:ss.SSS' } });
    expect(time).toEqual({ column: 'auto', format: 'dd/MM/yyyy HH:mm:ss.SSS', start: null, zone: null });
  });

  test('has a description for every field of its JSON Schema', () => {
    const schema = z.toJSONSchema(Dialect, { io: 'input' });
    const fields = Object.entries(schema.properties ?? {});
    expect(fields.length).toBeGreaterThan(10);
    for (const [name, field] of fields) expect((field as { description?: string }).description, name).toBeTruthy();
  });
});
