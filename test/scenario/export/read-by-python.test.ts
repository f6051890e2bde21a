// Exports of a growth, read back by pandas and h5py: every value, unit, gap and instant.
import { expect, test } from 'vitest';
import { expectSameInPython } from '../../support/rigs/export-reading.ts';
import { findPythonObstacle } from '../../support/rigs/python.ts';

/** 40 minutes around the hour that is twice in Europe. The whole 8 hours, and 60 channels, are in test/long. */
const SIZE = { seconds: 2400, channels: 24, gaps: 20, startMs: Date.UTC(2026, 9, 25, 0, 40) };
/** Long enough for each channel to have every odd number: the smallest, the largest, a zero with a sign. */
const ODD_NUMBERS = { seconds: 8000 };
const needed = test.skipIf(findPythonObstacle('pandas', 'h5py'));

needed.each(['csv', 'nexus', 'package'] as const)(
  'Python reads each value, unit, gap and instant of a growth back from %s',
  async (format) => void (await expectSameInPython(format, SIZE)),
);

needed('the archive for NOMAD holds what its schema has a place for, in SI, also over a change of unit', async () => {
  // Units follow each other: °C, mbar, W, sccm, Å/s, %; the first two change to K and Pa in the middle.
  const names = ['substrate temperature', 'chamber', 'Ga cell power', 'N2'];
  const said = await expectSameInPython('nomad-mbe', { ...SIZE, ...ODD_NUMBERS, channels: 6, names });
  expect(said).toContain('archive holds pressure, N2, substrate, Ga cell power\n');
});

needed('the archive for sputter deposition has magnetrons as sources, and is of its own class', async () => {
  const names = ['substrate temperature', 'chamber', 'Magnetron-2', 'Ar'];
  const said = await expectSameInPython('nomad-sputter', { ...SIZE, channels: 6, names });
  expect(said).toContain('archive holds pressure, Ar, substrate, Magnetron-2\n');
});

needed('what its schema has several places for, or no name for, stands in the HDF5 alone', async () => {
  const said = await expectSameInPython('nomad-mbe', { ...SIZE, channels: 12, names: ['T1', 'p1', 'P heater', 'N2'] });
  expect(said).toContain('archive holds N2, ch 10\n');
});
