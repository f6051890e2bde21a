import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  answerRestart,
  askAfterRestart,
  beginGrowth,
  type ChoiceGiven,
  changeFromNow,
  changeInPlace,
  choose,
  endGrowth,
  openQuestion,
  settleSample,
} from '../../../src-main/growth/rules.ts';
import { Growth, lastPart } from '../../../src-main/model/growth.ts';

const NONE = { name: '', sampleId: null, newSampleName: null, projectId: null };
const CAMERA = ['camera'];

function begin(given: ChoiceGiven = {}, atMs = 1000): Growth {
  const how = { id: 'g', partId: 'p1', atMs, cause: 'by hand', fileName: null };
  return beginGrowth(how, given, CAMERA);
}

test('whatever is given one after the other, a sample is its id or its new name, never both', () => {
  const given = fc.record(
    {
      name: fc.constantFrom('a', ' b ', ''),
      sampleId: fc.constantFrom(null, 's1', 's2'),
      newSampleName: fc.constantFrom(null, 'n1', ' n2 '),
      projectId: fc.constantFrom(null, 'p'),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(given), (all) => {
      let chosen = NONE as ReturnType<typeof choose>;
      for (const one of all) {
        const isTwice = one.sampleId != null && one.newSampleName != null;
        if (isTwice) {
          expect(() => choose(chosen, one, CAMERA)).toThrow(expect.objectContaining({ code: 'growth.sample-twice' }));
          continue;
        }
        const before = chosen;
        chosen = choose(before, one, CAMERA);
        expect(chosen.sampleId === null || chosen.newSampleName === null).toBe(true);
        if (one.sampleId === undefined && one.newSampleName === undefined) {
          expect([chosen.sampleId, chosen.newSampleName]).toEqual([before.sampleId, before.newSampleName]);
        }
      }
    }),
  );
});

test('without a RHEED source no sample can be made, and none without a name', () => {
  expect(() => choose(NONE, { newSampleName: 'G3' }, [])).toThrow(
    expect.objectContaining({ code: 'growth.sample-needs-rheed', hint: expect.stringContaining('later') }),
  );
  expect(choose(NONE, { sampleId: 's' }, [])).toMatchObject({ sampleId: 's' });
  expect(() => choose(NONE, { newSampleName: '  ' }, CAMERA)).toThrow(
    expect.objectContaining({ code: 'growth.sample-name' }),
  );
});

test('parts follow each other without a break, and end with the growth', () => {
  let growth = begin({ name: 'A' });
  growth = changeInPlace(growth, { name: 'B' }, CAMERA);
  expect(growth.parts).toHaveLength(1);
  growth = changeFromNow(growth, { sampleId: 's' }, CAMERA, { partId: 'p2', atMs: 2000 });
  growth = endGrowth(growth, 3000, 'by hand');
  expect(growth.parts.map(({ fromMs, toMs, name, sampleId }) => [fromMs, toMs, name, sampleId])).toEqual([
    [1000, 2000, 'B', null],
    [2000, 3000, 'B', 's'],
  ]);
  expect(growth).toMatchObject({ endedMs: 3000, endCause: 'by hand' });
  expect(Growth.parse(JSON.parse(JSON.stringify(growth)))).toEqual(growth);
});

test('a clock that went back makes no part that ends before it begins', () => {
  const growth = endGrowth(changeFromNow(begin(), {}, CAMERA, { partId: 'p2', atMs: 500 }), 200, 'by hand');
  for (const { fromMs, toMs } of growth.parts) expect(toMs).toBeGreaterThanOrEqual(fromMs);
});

test('the id of a sample that was made reaches each part that waits for it, and no other', () => {
  let growth = begin({ newSampleName: 'G3' });
  growth = changeFromNow(growth, { projectId: 'p' }, CAMERA, { partId: 'p2', atMs: 2000 });
  growth = changeFromNow(growth, { newSampleName: 'G4' }, CAMERA, { partId: 'p3', atMs: 3000 });
  const settled = settleSample(growth, 'G3', 'uuid');
  expect(settled.parts.map(({ sampleId }) => sampleId)).toEqual(['uuid', 'uuid', null]);
  expect(settleSample(settled, 'G3', 'another')).toBe(settled);
});

test('a restart is asked about once, however often the agent is started before the answer', () => {
  const asked = askAfterRestart(begin(), 5000);
  expect(openQuestion(asked)).toEqual({ atMs: 5000, answer: null, answeredMs: null });
  expect(askAfterRestart(asked, 6000)).toBe(asked);
  const answered = answerRestart(asked, 'continue', 7000);
  expect(openQuestion(answered)).toBeNull();
  expect(() => answerRestart(answered, 'new', 8000)).toThrow(expect.objectContaining({ code: 'growth.nothing-asked' }));
  expect(askAfterRestart(answered, 9000).restarts).toHaveLength(2);
  const ended = endGrowth(asked, 6000, 'by hand');
  expect(openQuestion(ended)).toBeNull();
  expect(askAfterRestart(ended, 9000)).toBe(ended);
});

test('the name of the growth is kept without blanks around it', () => {
  expect(lastPart(begin({ name: ' x ' })).name).toBe('x');
});
