// Which of the losses of one look are told.
import { expect, test } from 'vitest';
import { type Loss, longestOf } from '../../../../../src-main/sources/log/files/file-fate.ts';
import { newFile } from '../../../../../src-main/sources/log/files/watched-file.ts';

const loss = (path: string, lookedMs: number): Loss => ({
  fate: 'lost',
  file: { ...newFile(`${path}@1`, path), seen: { path, sizeBytes: 1, modifiedMs: lookedMs, id: '' }, lookedMs },
});
const told = (losses: readonly Loss[], ...logs: string[]) =>
  longestOf(losses, (path) => logs.includes(path)).map(({ file }) => file.path);

test('of one log the longest is told', () => {
  expect(told([loss('a.log', 7), loss('a.log.1', 5), loss('b.log', 9)], 'a.log')).toEqual(['a.log.1', 'b.log']);
});

test('one of which nobody knows since when it is missing covers no other', () => {
  expect(told([loss('a.log', 7), loss('a.log.1', 0)], 'a.log')).toEqual(['a.log.1', 'a.log']);
});

test('logs that are numbered, and that no rotation made, are told each', () => {
  expect(told([loss('ch1.csv', 5), loss('ch2.csv', 7)])).toEqual(['ch1.csv', 'ch2.csv']);
});
