import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { spliceValues } from '../../../src-main/settings/splice-values.ts';

const splice = (text: string, wanted: unknown) => spliceValues(text, parseDocument(text), wanted);

test.each([
  ['a: 1   # one\nb: two', { a: 2, b: 'two' }, 'a: 2   # one\nb: two'],
  ["a: 'C:\\x'  # p", { a: "it's" }, "a: 'it''s'  # p"],
  ['a: "x"', { a: 'y\n"' }, 'a: "y\\n\\""'],
  ['a: word # c', { a: 'yes: no' }, 'a: "yes: no" # c'],
  ['a: word', { a: '12' }, 'a: "12"'],
  ['a: [x, {b: c}]', { a: ['x', { b: 'p, q]' }] }, 'a: [x, {b: "p, q]"}]'],
  ['a: 12', { a: null }, 'a: null'],
  ['a: x\r\nb: y\r\n', { a: 'x', b: 'z' }, 'a: x\r\nb: z\r\n'],
])('%j with %j becomes %j', (text, wanted, result) => {
  expect(splice(text, wanted)).toBe(result);
});

test.each([
  ['a key comes', 'a: 1', { a: 1, b: 2 }],
  ['a key goes', 'a: 1\nb: 2', { a: 1 }],
  ['a key changes its name', 'a: 1', { b: 1 }],
  ['a list grows', 'a: [1]', { a: [1, 2] }],
  ['a value becomes a mapping', 'a: 1', { a: { b: 1 } }],
  ['a mapping becomes a value', 'a: { b: 1 }', { a: 1 }],
  ['a value is undefined', 'a: 1', { a: undefined }],
])('leaves it to others when %s', (_, text, wanted) => {
  expect(splice(text, wanted)).toBeNull();
});

test('whatever is spliced holds the wanted data, and keeps every comment', () => {
  const single = fc.oneof(
    fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
    fc.constantFrom(
      'yes',
      '~',
      '12',
      '#',
      ' # x',
      ': ',
      '- ',
      '{',
      ']',
      "'",
      '"',
      '|',
      '\n',
      '\t',
      '',
      'C:\\new',
      '*a',
      '!t',
    ),
    fc.integer(),
    fc.constant(null),
    fc.boolean(),
  );
  const texts = [
    'a: 1 # one\nb:\n  - x # two\n  - {c: "y"} # three\n',
    'a: \'q\' # one\n"b": [x, {c: y}] # two\n',
    'a: >\n  long\nb: [x, {c: y}] # one\n',
  ];
  let spliced = 0;
  fc.assert(
    fc.property(fc.constantFrom(...texts), single, single, single, (text, a, x, c) => {
      const wanted = { a, b: [x, { c }] };
      const result = splice(text, wanted);
      if (result === null) return;
      spliced += 1;
      const parsed = parseDocument(result);
      expect(parsed.toJS()).toEqual(wanted);
      for (const comment of text.match(/# \w+/g) ?? []) expect(result).toContain(comment);
    }),
    { numRuns: 500 },
  );
  expect(spliced).toBeGreaterThan(250);
});
