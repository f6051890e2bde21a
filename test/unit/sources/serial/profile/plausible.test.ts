// A number that cannot be a reading is dropped: noise on the line, or an input without a sensor.
import { expect, onTestFinished, test } from 'vitest';
import type { InstrumentInput } from '../../../../../src-main/model/instrument.ts';
import { findImplausible } from '../../../../../src-main/sources/serial/profile/plausible.ts';
import { startPlayedRig } from '../../../../support/serial/serial-rig.ts';
import { bytes, dialog } from '../../../../support/serial/serial-samples.ts';

test.each([
  [0, 'temperature', 'K'],
  [-1, 'temperature', 'K'],
  [-273.15, 'temperature', '°C'],
  [12_000, 'temperature', '°C'],
  [6.5e82, 'pressure', 'Torr'],
  [2e4, 'pressure', 'mbar'],
  [2e6, 'pressure', 'Pa'],
  [1e-14, 'pressure', 'mbar'],
  [1e-46, 'pressure', ''],
  [1e82, 'deposition rate', 'Å/s'],
  [1e20, '', ''],
  [Number.POSITIVE_INFINITY, 'anything', 'V'],
])('%d is no %s in "%s"', (value, quantity, unit) => {
  expect(findImplausible(value, quantity, unit)).toMatch(/^implausible: /);
});

test.each([
  [0.0001, 'temperature', 'K'],
  [-40, 'temperature', '°C'],
  [273.15, 'temperature', 'sensor units'],
  [150_000, 'temperature', 'Ohm'],
  // A manometer that was not set to zero.
  [-0.0002, 'pressure', 'Torr'],
  [0, 'pressure', 'Torr'],
  [1e-10, 'pressure', 'Pa'],
  [1e6, 'pressure', 'Pa'],
  [760_000, 'pressure', 'mTorr'],
  [5, 'pressure', 'V'],
  [1e-15, 'ion current', 'A'],
  [5_987_654.32, 'frequency', 'Hz'],
  [0, 'power', 'W'],
  [3.2e9, '', ''],
])('%d may be a %s in "%s"', (value, quantity, unit) => {
  expect(findImplausible(value, quantity, unit)).toBeNull();
});

test('an input of a Lake Shore that is switched off is no 0 K, although its status says that nothing is wrong', async () => {
  const talk = [
    dialog('*IDN?\r\n', 'LSCI,MODEL336,LSA12AB,2.9\r\n'),
    ...[dialog('KRDG? A\r\n', '+077.350\r\n'), dialog('RDGST? A\r\n', '000\r\n')],
    ...[dialog('KRDG? D\r\n', '+0.0000\r\n'), dialog('RDGST? D\r\n', '000\r\n')],
  ];
  const options = { inputs: ['A', 'D'] };
  const rig = await startPlayedRig(onTestFinished, { instrument: 'lakeshore-336', options, talk });
  await rig.until(() => rig.sink.values('temperature A').length > 5);
  await rig.stop();
  expect(rig.sink.values('temperature D')).toEqual([]);
  const reasons = rig.sink.refusals.map(({ channel, text, reason }) => `${channel} ${text}: ${reason}`);
  expect(new Set(reasons)).toEqual(new Set(['temperature D +0.0000: no reading, as of an input that is off']));
  // It is known after the first time: no question is wasted on it.
  const asked = rig.emulator.asked.filter((one) => Buffer.from(one).includes('KRDG? D')).length;
  expect(asked).toBeLessThanOrEqual(rig.sink.values('temperature A').length + 1);
});

const gauge: InstrumentInput = {
  ...{ name: 'gauge', title: 'Gauge', family: 'line-ascii', protocol: { commands: 'getters', reply_end: 'any' } },
  timing: { gap_ms: 2, settle_ms: 20 },
  questions: [
    {
      ...{ id: 'pressure', ask: 'PR?', reply: { split: ',' } },
      channels: [
        { name: 'pressure', field: 1, quantity: 'pressure', unit: 'Torr' },
        { name: 'status', field: 2 },
      ],
    },
  ],
};
const start = (answer: string) =>
  startPlayedRig(onTestFinished, { instrument: gauge, talk: [dialog('PR?\r\n', answer)], everyMs: 1000 });

test('queries an impossible value again once: noise costs no reading', async () => {
  const rig = await start('6.5E-08,1\r\n');
  await rig.pass(10_500);
  let noise = 1;
  rig.emulator.interfere = (out) => ({ bytes: noise-- > 0 ? bytes('6.5E+82,1\r\n') : out, delayMs: 0 });
  const before = rig.emulator.asked.length;
  await rig.pass(10_000);
  await rig.stop();
  expect(new Set(rig.sink.values('pressure'))).toEqual(new Set([6.5e-8]));
  expect(rig.emulator.asked.length - before).toBeLessThanOrEqual(12);
  expect(rig.sink.refusals.map(({ text, reason }) => [text, reason])).toEqual([
    ['6.5E+82', 'implausible: such a number is no pressure in Torr'],
  ]);
  expect(rig.sink.gaps).toEqual([]);
});

test('where it stays so it is a state, and not asked twice each time; the other channels are read', async () => {
  const rig = await start('1.0E+10,7\r\n');
  await rig.pass(60_500);
  await rig.stop();
  expect(rig.sink.values('pressure')).toEqual([]);
  expect(new Set(rig.sink.values('status'))).toEqual(new Set([7]));
  expect(rig.emulator.asked.length).toBeLessThan(65);
  expect(new Set(rig.sink.refusals.map(({ reason }) => reason))).toEqual(
    new Set(['implausible: such a number is no pressure in Torr']),
  );
});

test('queries a leap right after an unreadable reply again, and accepts it only when it stays', async () => {
  const rig = await start('6.5E-08,1\r\n');
  await rig.pass(10_500);
  const said = ['6.5E\xff08,1\r\n', '6.5E-01,1\r\n'];
  rig.emulator.interfere = (out) => ({ bytes: bytes(said.shift() ?? Buffer.from(out).toString('latin1')), delayMs: 0 });
  await rig.pass(10_000);
  expect(new Set(rig.sink.values('pressure'))).toEqual(new Set([6.5e-8]));
  // Somebody has let air in.
  said.push('6.5E\xff08,1\r\n');
  rig.emulator.interfere = () => ({ bytes: bytes(said.shift() ?? '6.5E-01,1\r\n'), delayMs: 0 });
  await rig.pass(10_000);
  await rig.stop();
  expect(new Set(rig.sink.values('pressure'))).toEqual(new Set([6.5e-8, 0.65]));
});

test('queries a value outside the range of the profile again, too', async () => {
  const [question] = gauge.questions ?? [];
  const narrow = {
    ...gauge,
    questions: [{ ...question, id: 'p', channels: [{ name: 'p', field: 1, range: [1e-10, 1e-2] }] }],
  };
  const talk = [dialog('PR?\r\n', '6.5E-08,1\r\n')];
  const rig = await startPlayedRig(onTestFinished, { instrument: narrow as InstrumentInput, talk, everyMs: 1000 });
  await rig.pass(5500);
  let noise = 1;
  rig.emulator.interfere = (out) => ({ bytes: noise-- > 0 ? bytes('6.5E-01,1\r\n') : out, delayMs: 0 });
  await rig.pass(5000);
  await rig.stop();
  expect(new Set(rig.sink.values('p'))).toEqual(new Set([6.5e-8]));
  expect(rig.sink.values('p').length).toBeGreaterThan(9);
});
