import { describe, expect, test } from 'vitest';
import { splitCells } from '../../../../../src-main/sources/log/cells/cells.ts';

describe('cells', () => {
  test.each([
    ['a,b,,d', ',', ['a', 'b', '', 'd']],
    [' a , b ', ',', ['a', 'b']],
    ['"a,b",c', ',', ['a,b', 'c']],
    ['"say ""x""", 2', ',', ['say "x"', '2']],
    ['"open,c', ',', ['open,c']],
    ['a\tb\t', '\t', ['a', 'b', '']],
    ['  -0.000     422.366     2.10967  ', 'whitespace', ['-0.000', '422.366', '2.10967']],
    ['0001| text', '| ', ['0001', 'text']],
  ])('%j at %j are %j', (line, delimiter, cells) => {
    expect(splitCells(line, delimiter)).toEqual(cells);
  });
});
