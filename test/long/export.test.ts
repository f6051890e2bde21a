// A night's growth of 60 channels in each form, read back by Python, and Parquet by Rust; and exports that are killed anywhere.
import { test } from 'vitest';
import { FORMS, killExport } from '../support/faults/export-kills.ts';
import { findShimObstacle } from '../support/faults/fault-shim.ts';
import { expectSameInPython, expectSameInRust } from '../support/rigs/export-reading.ts';
import { findPythonObstacle } from '../support/rigs/python.ts';

/** 8 hours from 21:00 UTC; the clocks of Europe are set back in the middle. CI reads the same night with fewer channels. */
const CHANNELS = process.env.EPISTREAM_LONG === 'bounded' ? 12 : 60;
const SIZE = { seconds: 28_800, channels: CHANNELS, gaps: 20 };

test.skipIf(findPythonObstacle('pandas', 'h5py')).each(['csv', 'nexus', 'package', 'nomad-mbe'] as const)(
  'Python reads each value, unit, gap and instant of a growth of 8 hours back from %s',
  async (format) => void (await expectSameInPython(format, SIZE)),
);

test('Rust reads the same from Parquet', () => expectSameInRust(SIZE));

test.skipIf(findShimObstacle()).each(FORMS)(
  'an export as %s leaves no file of its name that is not whole, whichever operation it is killed in place of',
  (format) => killExport(format, [1, 2, 3, 4, 5]),
);
