// Exports read back by other programs: pandas and h5py as Debian has them. The whole 8 hours are in test/long.
import { test } from 'vitest';
import { expectSameInPython } from '../../support/rigs/export-reading.ts';
import { findPythonObstacle } from '../../support/rigs/python.ts';

/** 40 minutes around the hour that is twice in Europe. */
const SIZE = { seconds: 2400, channels: 60, gaps: 20, startMs: Date.UTC(2026, 9, 25, 0, 40) };

test.skipIf(findPythonObstacle('pandas', 'h5py')).each(['csv', 'nexus'])(
  'Python reads each value, unit, gap and instant of a growth back from %s, over a change of clocks',
  (format) => expectSameInPython(format, SIZE),
);
