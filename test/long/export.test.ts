// A night's growth of 60 channels in each form, read back by Python.
import { test } from 'vitest';
import { expectSameInPython, exportAs } from '../support/rigs/export-reading.ts';
import { writeGrowthQueue } from '../support/rigs/growth-queue.ts';
import { findPythonObstacle } from '../support/rigs/python.ts';

/** 8 hours from 21:00 UTC; the clocks of Europe are set back in the middle. */
const SIZE = { seconds: 28_800, channels: 60, gaps: 20 };

test.skipIf(findPythonObstacle('pandas', 'h5py')).each(['csv', 'nexus'])(
  'Python reads each value, unit, gap and instant of a growth of 8 hours back from %s',
  (format) => expectSameInPython(format, SIZE),
);

test('Parquet and the package of such a growth take no more memory', async () => {
  const queue = writeGrowthQueue(SIZE);
  await exportAs('parquet', queue);
  await exportAs('package', queue);
});
