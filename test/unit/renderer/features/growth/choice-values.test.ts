import { expect, test } from 'vitest';
import { labelsOf, noChoice, toChoice, valuesOf } from '../../../../../src-renderer/features/growth/choice-values.ts';

const A = '5e0c4a0e-7a43-4f0e-9d7e-0d2f3a4b5c6d';
const B = '5e0c4a0e-0000-4f0e-9d7e-0d2f3a4b5c6d';
const C = '1b2c3d4e-0000-4f0e-9d7e-0d2f3a4b5c6d';
const twins = [
  { id: A, name: 'wafer' },
  { id: B, name: 'wafer' },
  { id: C, name: '' },
];
/** What is made of a sample that a person names. */
const known = (sample: string, samples: typeof twins) =>
  toChoice({ ...noChoice, sampleIs: 'known', sample }, samples, []);

test('gives things of the same name and the same beginning of the id labels that differ', () => {
  const labels = [...labelsOf(twins)];
  expect(new Set(labels.map(([label]) => label)).size).toBe(3);
  expect(labels.map(([, id]) => id)).toEqual([A, B, C]);
  for (const [label, id] of labels) expect(known(label, twins)).toMatchObject({ choice: { sampleId: id } });
});

test('takes a name only when one thing has it, an id always, anything else never', () => {
  expect(known('wafer', twins)).toMatchObject({ faults: { sample: expect.stringContaining('An id looks like') } });
  expect(known('wafer', twins.slice(0, 1))).toMatchObject({ choice: { sampleId: A } });
  expect(known(` ${C.toUpperCase()} `, [])).toMatchObject({ choice: { sampleId: C } });
  expect(known('wafer 9', twins)).toMatchObject({ faults: { sample: expect.stringContaining('An id looks like') } });
});

test('says at the field what is wrong, and sends of the sample one of both or none', () => {
  expect(known('', twins)).toMatchObject({ faults: { sample: expect.stringContaining('or choose it later') } });
  expect(known(A, twins)).toEqual({ choice: { name: '', sampleId: A, newSampleName: null, projectId: null } });
  expect(toChoice({ ...noChoice, sampleIs: 'new', newSample: ' n ', sample: A }, twins, [])).toEqual({
    choice: { name: '', sampleId: null, newSampleName: 'n', projectId: null },
  });
  // What was typed into a field that is not shown any more is not sent.
  expect(toChoice({ ...noChoice, sample: A, newSample: 'n' }, twins, [])).toEqual({
    choice: { name: '', sampleId: null, newSampleName: null, projectId: null },
  });
});

test('reads a growth into the fields and back, whether its names are known or not', () => {
  const growth = { name: 'SL', sampleId: A, newSampleName: null, projectId: C };
  for (const [samples, projects] of [
    [twins, twins],
    [[], []],
  ] as const) {
    expect(toChoice(valuesOf(growth, samples, projects), samples, projects)).toEqual({ choice: growth });
    // The names came while the form was open.
    expect(toChoice(valuesOf(growth, [], []), samples, projects)).toEqual({ choice: growth });
  }
});
