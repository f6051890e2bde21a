// Questions that only read on some instruments and act on others: nothing but the identity is asked until one of these has
// said for certain what it is, and again after each silence.
import { expect, test } from 'vitest';
import type { InstrumentInput } from '../../../../../src-main/model/instrument.ts';
import { startPlayedRig } from '../../../../support/serial/serial-rig.ts';
import { bytes, dialog } from '../../../../support/serial/serial-samples.ts';

const METER = 'KEITHLEY INSTRUMENTS INC., MODEL 2000, 0583241, A17/A02\n';
const SOURCE = 'KEITHLEY INSTRUMENTS INC.,MODEL 2400,1129333,C30\n';
const talk = (idn: string | null) => [dialog('*IDN?\n', idn), dialog('READ?\n', '+3.1415E+00\n')];
const asked = (asked: readonly Uint8Array[]) => new Set(asked.map((one) => Buffer.from(one).toString('latin1').trim()));

test('a source-measure unit where a meter was named is never asked to measure', async ({ onTestFinished }) => {
  const rig = await startPlayedRig(onTestFinished, { instrument: 'keithley-2000', talk: talk(SOURCE) });
  await rig.until(() => rig.reports.some(({ error }) => error?.code === 'serial.other-instrument'));
  await rig.pass(60_000);
  await rig.stop();
  expect(asked(rig.emulator.asked)).toEqual(new Set(['*IDN?']));
  const { error } = rig.reports.find((report) => report.error?.code === 'serial.other-instrument') ?? {};
  expect(error?.message).toContain('MODEL 2400');
  expect(rig.sink.gaps.length).toBeGreaterThan(0);
});

test('nor one that a person has named in expect, nor one that says nothing', async ({ onTestFinished }) => {
  for (const idn of [SOURCE, null]) {
    const expected = { expect: 'MODEL 2400' };
    const rig = await startPlayedRig(onTestFinished, { instrument: 'keithley-2000', talk: talk(idn) }, expected);
    await rig.until(() => rig.reports.some(({ error }) => error !== null && error !== undefined));
    await rig.pass(60_000);
    await rig.stop();
    expect(asked(rig.emulator.asked)).toEqual(new Set(['*IDN?']));
  }
});

test('a profile cannot widen it: a pattern that fits anything does not make a supply of a source', async ({
  onTestFinished,
}) => {
  const supply: InstrumentInput = {
    name: 'own-supply',
    title: 'A supply',
    family: 'line-ascii',
    protocol: { commands: 'scpi-supply', send_end: 'lf', reply_end: 'any' },
    timing: { gap_ms: 2, settle_ms: 20 },
    identity: { ask: '*IDN?', pattern: '.*' },
    questions: [{ id: 'volts', ask: 'MEAS:VOLT?', channels: [{ name: 'volts' }] }],
  };
  const answers = (idn: string) => [dialog('*IDN?\n', idn), dialog('MEAS:VOLT?\n', '4.2\n')];
  const wrong = await startPlayedRig(onTestFinished, { instrument: supply, talk: answers(SOURCE) });
  await wrong.pass(60_000);
  await wrong.stop();
  expect(asked(wrong.emulator.asked)).toEqual(new Set(['*IDN?']));
  const right = await startPlayedRig(onTestFinished, {
    instrument: supply,
    talk: answers('HEWLETT-PACKARD,E3631A,0,2.1-5.0-1.0\n'),
  });
  await right.until(() => right.sink.values('volts').includes(4.2));
});

test('a meter is measured with; after a silence another one in its place is not', async ({ onTestFinished }) => {
  const rig = await startPlayedRig(onTestFinished, { instrument: 'keithley-2000', talk: talk(METER) });
  await rig.until(() => rig.sink.values('reading').length > 2);
  rig.emulator.interfere = () => null;
  await rig.pass(2000);
  const before = rig.emulator.asked.length;
  // A terminal server was plugged into another instrument: the connection stands.
  rig.emulator.interfere = (out) => ({ bytes: out.includes(0x4d) ? bytes(SOURCE) : out, delayMs: 0 });
  await rig.pass(60_000);
  expect(asked(rig.emulator.asked.slice(before))).toEqual(new Set(['*IDN?']));
  const read = rig.sink.values('reading').length;
  rig.emulator.interfere = (out) => ({ bytes: out, delayMs: 0 });
  await rig.until(() => rig.sink.values('reading').length > read);
});
