// Compares the meaning of a glob with picomatch. Termination is tested without picomatch, which itself does not always end.
import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, test } from 'vitest';
import { compileGlob } from '../../../src-main/model/glob.ts';

function matcher(glob: string, isCaseless = false): (path: string) => boolean {
  const compiled = compileGlob(glob, isCaseless);
  if (!compiled.isValid) throw new Error(compiled.message);
  return compiled.matches;
}

describe('a glob', () => {
  const part = fc.constantFrom(
    'a',
    'b',
    'ab',
    '.csv',
    '*',
    '?',
    '[ab]',
    '[^a]',
    '{a,b}',
    '{a,b*}',
    '-',
    ' ',
    '\\[',
    '7',
  );
  const segment = fc.oneof(
    fc.constant('**'),
    fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
  );
  const glob = fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => segments.join('/'));
  const name = fc.string({
    unit: fc.constantFrom('a', 'b', 'A', '.', 'c', 's', 'v', '-', ' ', '[', '7'),
    minLength: 1,
    maxLength: 6,
  });
  // Folders that begin with a dot are not walked through, and names that do are tested below.
  const visible = name.filter((text) => !text.startsWith('.'));
  const path = fc.array(visible, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));

  test('means what it means elsewhere', () => {
    let met = 0;
    fc.assert(
      fc.property(glob, fc.array(path, { minLength: 20, maxLength: 20 }), (text, paths) => {
        // A folder itself is no file; and what stands before ** must be there.
        fc.pre(!/(^|\/)\*\*$/.test(text) || text === '**');
        // Two stars that are not a whole folder mean one; the library takes some of them for folders.
        fc.pre(!/[^/]\*\*|\*\*[^/]/.test(text));
        // A ? or * behind a bracket is a character of its own here, as in shells; the library takes it for a repetition.
        fc.pre(!/[)}\]][?*+]/.test(text));
        const own = matcher(text);
        const other = picomatch(text, { dot: false });
        for (const one of paths) {
          expect([text, one, own(one)]).toEqual([text, one, other(one)]);
          if (own(one)) met += 1;
        }
      }),
      { numRuns: 2000, seed: 62 },
    );
    expect(met).toBeGreaterThan(500);
  });

  test.each([
    ['**/*.csv', ['a.csv', 'x/a.csv', 'x/y/a.csv'], ['a.txt', 'x/a.csv.1', '.csv', 'x/.a.csv']],
    ['**/*', ['a', 'x/y'], ['.a', 'x/.a']],
    ['**', ['a', 'x/y'], ['.a']],
    ['run/**', ['run/a', 'run/x/a'], ['a', 'runs/a']],
    ['.*', ['.a'], ['a']],
    ['*.{csv,CSV}', ['a.csv', 'a.CSV'], ['a.Csv']],
    ['!*.tmp', ['a.csv'], ['a.tmp']],
    ['!{*.bak,*.tmp}', ['a.csv', 'bak'], ['a.bak', 'a.tmp']],
    ['*\\(1).csv', ['a (1).csv'], ['a 1.csv']],
    ['a+b(c).csv', ['a+b(c).csv'], ['aab(c).csv']],
    ['log (1).csv', ['log (1).csv'], ['log 1.csv']],
    ['a.csv', ['a.csv'], ['axcsv', 'A.csv']],
    ['[0-9][0-9]_*.txt', ['12_a.txt'], ['1_a.txt', 'ab_a.txt']],
    ['Tr\u00e4ger*.csv', ['Tr\u00e4ger 1.csv'], ['Tra\u0308ger 1.csv']],
    ['{a', ['{a'], ['a']],
    ['[a', ['[a'], ['a']],
  ])('%s', (text, met, missed) => {
    expect(met.filter((path) => !matcher(text)(path))).toEqual([]);
    expect(missed.filter(matcher(text))).toEqual([]);
  });

  test('takes small and capital letters for the same where the system does', () => {
    expect(matcher('*.CSV', true)('a.csv')).toBe(true);
    expect(matcher('*.CSV')('a.csv')).toBe(false);
  });

  test.each(['*a*a*a*a*a*a*a*a*a*a*b', '**/{a,aa}*{a,aa}*b', '**/**/**/**/**/**/x/y'])('%s ends', (text) => {
    const matches = matcher(text);
    expect(matches(`${'a'.repeat(250)}c`)).toBe(false);
    expect(matches(`${'a/'.repeat(500)}c`)).toBe(false);
  });

  test.each([
    ['!(*.bak)', '!( at character 1: several texts are written {a,b}'],
    ['a+(b|c).csv', '+( at character 2'],
    ['a\\', 'a \\ at the end'],
    ['[a/b]', 'a / between brackets'],
    ['x'.repeat(201), 'more than 200 characters'],
  ])('%s is refused', (text, why) => {
    const compiled = compileGlob(text);
    expect(compiled.isValid).toBe(false);
    expect(compiled.isValid ? '' : compiled.message).toContain(why);
  });
});
