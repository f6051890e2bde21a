// What a chain of rotated files tells of a file of which nothing was read.
import { expect, test } from 'vitest';
import {
  byChain,
  isRefuted as isRefutedBy,
  type Shift,
} from '../../../../../src-main/sources/log/files/chain-holes.ts';
import type { Entry } from '../../../../../src-main/sources/log/files/folder-scan.ts';

const entry = (path: string, modifiedMs = 0): Entry => ({ path, sizeBytes: 1, modifiedMs, id: path });
const shown = (...entries: Entry[]) => new Map(entries.map((one) => [one.path, one]));
const isRefuted = (from: string, at: Entry, shifts: Shift[], there: ReadonlyMap<string, Entry>) =>
  isRefutedBy(from, at, byChain(shifts), there);
const gone = (from: string): Shift => ({ from, isAt: () => false });

test('a file is not where it was when another one, no newer, has the number above it', () => {
  const [one, two] = [entry('a.log.1'), entry('a.log.2')];
  expect(isRefuted('a.log.1', one, [gone('a.log.2')], shown(one, two))).toBe(true);
  expect(isRefuted('a.log.1', one, [], shown(one, two))).toBe(false);
  expect(isRefuted('a.log.1', one, [gone('b.log.2')], shown(one, two))).toBe(false);
});

test('in a ring of logs the one that is written again is the newest, and says nothing of the one before it', () => {
  const [one, two] = [entry('a.1.log'), entry('a.2.log', 1)];
  expect(isRefuted('a.1.log', one, [gone('a.2.log')], shown(one, two))).toBe(false);
});

test('a file went no less far than one above it, unless a number in between is missing', () => {
  const [one, three, four] = [entry('a.log.1'), entry('a.log.3'), entry('a.log.4')];
  const two = entry('a.log.2');
  const shift: Shift = { from: 'a.log.2', isAt: ({ path }) => path === 'a.log.4' };
  expect(isRefuted('a.log', one, [shift], shown(one, two, three, four))).toBe(true);
  expect(isRefuted('a.log', two, [shift], shown(one, two, three, four))).toBe(false);
  expect(isRefuted('a.log', one, [shift], shown(one, three, four))).toBe(false);
});

test('a log that is copied and cut stays where it is', () => {
  const [log, one] = [entry('a.log'), entry('a.log.1')];
  expect(isRefuted('a.log', log, [gone('a.log.1')], shown(log, one))).toBe(false);
});

test('a number is one number: .102 is not the second file of a log called .1', () => {
  const [eleven, twelve] = [entry('a.log.11'), entry('a.log.12')];
  expect(isRefuted('a.log.11', eleven, [gone('a.log.102')], shown(eleven, twelve))).toBe(false);
});
