// Every instrument over a pseudo-terminal in real time: each case of its transcript, and everything going wrong that can. The
// bounded run takes one instrument of eight, another one each day of the month.
import { describe, test } from 'vitest';
import { amount } from '../support/run/effort.ts';
import { faultsOf, readInstruments, tryCase, tryFault, tryUnplugged } from '../support/serial/instrument-trials.ts';

const ONE_OF = amount(8, 8, 1);
const instruments = readInstruments().filter((_, at) => at % ONE_OF === new Date().getDate() % ONE_OF);
const cases = instruments.flatMap((instrument) =>
  instrument.cases.map((one) => ({ name: instrument.name, title: one.name, instrument, one })),
);
const rounds = instruments.flatMap((instrument) =>
  faultsOf(instrument).map((fault) => ({ name: instrument.name, fault, instrument })),
);

describe('over a pseudo-terminal', () => {
  test.concurrent.for(cases)('$name: $title', ({ instrument, one }, context) =>
    tryCase(context, 'pty', instrument, one),
  );

  test.concurrent.for(rounds)(
    '$name with $fault: no wrong value is taken, and it goes on by itself',
    (round, context) => tryFault(context, 'pty', round.instrument, round.fault),
  );

  test.concurrent.for(instruments)(
    '$name unplugged: the time between is a gap, and it goes on by itself',
    (one, context) => tryUnplugged(context, 'pty', one),
  );
});
