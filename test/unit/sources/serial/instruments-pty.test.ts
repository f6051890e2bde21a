// One instrument of each protocol family over a pseudo-terminal, in real time; test/long tries all of them, with all faults.
import { describe, test } from 'vitest';
import { readInstruments, tryUnplugged } from '../../../support/serial/instrument-trials.ts';

const families = [...Map.groupBy(readInstruments(), ({ family }) => family).values()].flatMap(([first]) => first ?? []);

describe('over a pseudo-terminal', () => {
  test.concurrent.for(families)(
    '$family: $name is read, pulled out, plugged in and read again',
    (instrument, context) => tryUnplugged(context, 'pty', instrument),
  );
});
