// What stands before a person who chooses an instrument: an option that only a simulator needs says so first.
import { expect, test } from 'vitest';
import { describeInstrument } from '../../../../../src-main/agent/handlers/source/instruments.ts';
import {
  loadInstrument,
  readShipped,
  shippedInstruments,
} from '../../../../../src-main/sources/serial/profile/profile-library.ts';

type Raw = { readonly options?: Record<string, { readonly about: string; readonly simulators_only?: boolean }> };

const optionsOf = (name: string) => Object.entries((readShipped(name) as Raw).options ?? {});

test.each([
  ['lakeshore-336', 'unchecked'],
  ['mks-937b', 'send_end'],
  ['mks-946', 'send_end'],
  ['mks-pdr900', 'send_end'],
])('%s: %s is shown as one for simulators', (instrument, option) => {
  const { options } = describeInstrument({ instrument, options: {}, address: null });
  expect(options.find(({ name }) => name === option)?.about).toMatch(/^Only for a program that plays the instrument/);
  expect(options.filter(({ about }) => about.startsWith('Only for')).map(({ name }) => name)).toEqual([option]);
});

test('no other option speaks of simulators, in any instrument', () => {
  const named = shippedInstruments().flatMap((instrument) =>
    optionsOf(instrument)
      .filter(([, { about, simulators_only: isMarked }]) => /simulat|emulat/i.test(about) && !isMarked)
      .map(([name]) => `${instrument}: ${name}`),
  );
  expect(named).toEqual([]);
});

test('a wrong option is answered with those that an instrument has', () => {
  const load = () =>
    loadInstrument({ instrument: 'lakeshore-336', options: { input: ['A'] }, line: {}, address: null });
  expect(load).toThrow(expect.objectContaining({ hint: 'Available: inputs, outputs.' }));
});
