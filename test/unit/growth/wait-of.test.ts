import { expect, test } from 'vitest';
import { waitOf } from '../../../src-main/growth/wait-of.ts';
import type { GrowthPart } from '../../../src-main/model/growth.ts';

const PART: GrowthPart = {
  ...{ id: 'p', fromMs: 1000, toMs: null, name: 'A', sampleId: null, newSampleName: 'G3', projectId: null },
};

test('streams wait by themselves only while a session may still begin; after the part a person must choose', () => {
  expect(waitOf(PART, [], [])).toMatchObject({ hint: '', isForPerson: false });
  const problem = { message: '150 are measured.', hint: 'Set the rate.' };
  expect(waitOf(PART, [], [problem])).toMatchObject({ hint: 'Set the rate.', isForPerson: true });
  const over = { ...PART, toMs: 2000 };
  // A problem is of the part that runs, and says nothing of one that is over.
  for (const problems of [[], [problem]]) {
    expect(waitOf(over, [], problems)).toEqual({
      message: 'The sample "G3" is made with the start of a RHEED session, and none was begun.',
      hint: 'Choose a sample that the service knows, or none, for this growth.',
      isForPerson: true,
    });
  }
  expect(waitOf({ ...over, sampleId: 'id' }, [], [])).toBeNull();
});
