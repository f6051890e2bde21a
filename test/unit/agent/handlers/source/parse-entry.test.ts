import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseEntry } from '../../../../../src-main/agent/handlers/source/parse-entry.ts';

const settingsFile = join(import.meta.dirname, 'epistream.yaml');
const other = { message: 'only an instrument on a line is looked at so', hint: 'Choose an instrument.' };
const serial = { id: 'gauge', kind: 'serial', port: 'COM3', instrument: 'lakeshore-336', options: { inputs: ['A'] } };

test('an entry is filled in as the settings would be', () => {
  const source = parseEntry(serial, settingsFile, 'serial', other);
  expect(source).toMatchObject({ id: 'gauge', kind: 'serial', port: 'COM3' });
});

test('an entry with a fault names the field of the entry', () => {
  expect(() => parseEntry({ ...serial, every: 'often' }, settingsFile, 'serial', other)).toThrow(
    expect.objectContaining({ code: 'source.invalid', message: expect.stringMatching(/^every: /) }),
  );
});

test('an entry of another kind is told what it should be', () => {
  expect(() => parseEntry({ id: 'x', kind: 'simulator' }, settingsFile, 'serial', other)).toThrow(
    expect.objectContaining({ code: 'source.invalid', message: `kind: ${other.message}.`, hint: other.hint }),
  );
});
