// Instruments of every ninth protocol family over a pseudo-terminal, in real time: what a port adds to a played line (its
// settings, its driver, its end) is the same for all. test/long tries every instrument, with all faults.
import { describe, test } from 'vitest';
import { sampleOf } from '../../../support/run/effort.ts';
import { readInstruments, tryUnplugged } from '../../../support/serial/instrument-trials.ts';

const families = [...Map.groupBy(readInstruments(), ({ family }) => family).values()].flatMap(([first]) => first ?? []);
const sample = sampleOf(families, 9);

describe('over a pseudo-terminal', () => {
  test.concurrent.for(sample)('$family: $name is read, pulled out, plugged in and read again', (instrument, context) =>
    tryUnplugged(context, 'pty', instrument),
  );
});
