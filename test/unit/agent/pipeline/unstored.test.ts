import { expect, test } from 'vitest';
import { noteUnstored } from '../../../../src-main/agent/pipeline/unstored.ts';
import { AgentError } from '../../../../src-main/model/agent-error.ts';
import type { GivenUpCommit } from '../../../../src-main/model/queue.ts';

const error = new AgentError({ code: 'store.disk-full', message: 'The disk is full.', hint: '' });
const commit = (sequence: number, points: number, pointsInFiles: number): GivenUpCommit => {
  return { sequence, points, pointsInFiles, gaps: [], positions: [], marks: [] };
};
const told = async (givenUp: readonly GivenUpCommit[], noted: () => Promise<number[]>) => {
  const fault = await noteUnstored({ noteGivenUp: noted }, { error, givenUp });
  return fault && `${fault.message} ${fault.hint}`;
};

test('says how many points, and what becomes of them by where they came from', async () => {
  const words = await told([commit(1, 1200, 200), commit(2, 34, 0)], async () => [1, 2]);
  expect(words).toContain('1,234 points could not be stored. The disk is full.');
  expect(words).toContain('200 of them stand in log files and are read again');
  expect(words).toContain('1,034 came from a source without files: their time is listed as a gap.');
  expect(await told([commit(1, 5, 5)], async () => [1])).not.toContain('gap');
  expect(await told([commit(1, 5, 0)], async () => [1])).not.toContain('log files');
});

test('does not call a gap listed that could not be noted', async () => {
  const words = await told([commit(1, 5, 0)], async () => Promise.reject(error));
  expect(words).toContain('will be listed as a gap at the next start');
});

test('says nothing of what was stored after all, or of commits without a point', async () => {
  expect(await told([commit(1, 5, 0), commit(2, 0, 0)], async () => [2])).toBeNull();
});
