// Every instrument against its transcript on a played line, and a sample of all that can go wrong with each: every instrument
// with some of them one fault, some unplugged. test/long tries all, also over pseudo-terminals.
import { describe, expect, test } from 'vitest';
import type { OptionValue } from '../../../../src-main/model/instrument.ts';
import { compileProfile } from '../../../../src-main/sources/serial/profile/compile-profile.ts';
import { loadInstrument, shippedInstruments } from '../../../../src-main/sources/serial/profile/profile-library.ts';
import { sampleOf } from '../../../support/run/effort.ts';
import {
  faultsOf,
  readInstruments,
  tryCase,
  tryFault,
  tryUnplugged,
} from '../../../support/serial/instrument-trials.ts';
import { listTranscripts, readTranscript } from '../../../support/serial/transcript.ts';

const shipped = shippedInstruments();
const transcripts = new Set(listTranscripts());

test('every instrument has a transcript, and every transcript an instrument', () => {
  expect({
    withoutTranscript: shipped.filter((name) => !transcripts.has(name)),
    withoutInstrument: [...transcripts].filter((name) => !shipped.includes(name)),
  }).toEqual({ withoutTranscript: [], withoutInstrument: [] });
});

test.each(shipped)('%s: compiles as it ships, with every field checked by its family', (name) => {
  const profile = loadInstrument({ instrument: name, options: {}, line: {}, address: null });
  const driver = compileProfile(profile);
  expect(driver.questions.length + driver.heard.length).toBeGreaterThan(0);
});

test.each(shipped.filter((name) => transcripts.has(name)))(
  '%s: its transcript speaks of channels that it has',
  (name) => {
    const { options, address, cases } = readTranscript(name);
    const chosen = options as Record<string, OptionValue>;
    const profile = loadInstrument({ instrument: name, options: chosen, line: {}, address });
    const has = [...profile.questions, ...profile.unsolicited].flatMap((one) =>
      one.channels.map((channel) => channel.name),
    );
    for (const { values, states, units } of cases) {
      expect(has).toEqual(expect.arrayContaining(Object.keys({ ...values, ...states, ...units })));
    }
  },
);

const instruments = readInstruments();
const cases = instruments.flatMap((instrument) =>
  instrument.cases.map((one) => ({ name: instrument.name, title: one.name, instrument, one })),
);
const rounds = instruments.flatMap((instrument) =>
  faultsOf(instrument).map((fault) => ({ name: instrument.name, fault, instrument })),
);

describe('a transcript', () => {
  test.for(cases)('$name: $title', ({ instrument, one }, context) => tryCase(context, 'played', instrument, one));
});

describe('no wrong value is taken, and it goes on by itself:', () => {
  test.for(sampleOf(rounds, 8))('$name with $fault', ({ instrument, fault }, context) =>
    tryFault(context, 'played', instrument, fault),
  );

  test.for(sampleOf(instruments, 8))('$name unplugged', (instrument, context) =>
    tryUnplugged(context, 'played', instrument),
  );
});
