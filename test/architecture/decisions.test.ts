import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('every decision has a number of its own', () => {
  const text = readFileSync(join(import.meta.dirname, '../../resources/decisions.md'), 'utf8');
  const numbers = [...text.matchAll(/^(\d+)\. \*\*/gm)].map(([, number]) => Number(number));
  expect(numbers.length).toBeGreaterThan(100);
  expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([]);
});
