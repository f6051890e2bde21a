// What an instrument says of itself is remembered for good, so noise in it must not be.
import { expect, test } from 'vitest';
import { bytesOf } from '../../../../../src-main/sources/serial/protocol/bytes.ts';
import { startPlayedRig } from '../../../../support/serial/serial-rig.ts';

const idn = 'LSCI,MODEL336,LSA12AB,2.9\r\n';
const talk = [
  { in: bytesOf('*IDN?\r\n'), out: bytesOf(idn), next: [] },
  { in: bytesOf('KRDG? A\r\n'), out: bytesOf('+077.350\r\n'), next: [] },
  { in: bytesOf('RDGST? A\r\n'), out: bytesOf('000\r\n'), next: [] },
];
const instrument = { instrument: 'lakeshore-336', options: { inputs: ['A'] }, talk };
const isIdentity = (question: Uint8Array) => question[0] === 0x2a;
const identityOf = (kept: ReadonlyMap<string, string>) => JSON.parse(kept.get('serial') ?? '{}').identity;

test('noise in the first answer is not remembered: the same must be said twice', async ({ onTestFinished }) => {
  const rig = await startPlayedRig(onTestFinished, {
    ...instrument,
    timeoutMs: 10_000,
    before: (emulator) => {
      let asked = 0;
      emulator.interfere = (bytes, question) => {
        const isNoisy = isIdentity(question) && asked++ === 0;
        return { bytes: isNoisy ? bytesOf(idn.replace('LSA12AB', 'LSA1\xffAB')) : bytes, delayMs: 0 };
      };
    },
  });
  await rig.until(() => rig.sink.values('temperature A').length > 0);
  expect(identityOf(rig.sink.kept)).toBe('LSA12AB');
});

test('what says something else each time is not taken for the instrument that is known', async ({ onTestFinished }) => {
  const rig = await startPlayedRig(onTestFinished, { ...instrument, timeoutMs: 10_000 });
  await rig.until(() => rig.sink.values('temperature A').length > 0);
  let asked = 0;
  rig.emulator.interfere = (bytes, question) => {
    if (!isIdentity(question)) return { bytes, delayMs: 0 };
    asked += 1;
    return { bytes: bytesOf(idn.replace('LSA12AB', `X${asked}`)), delayMs: 0 };
  };
  await rig.unplug();
  await rig.plugIn();
  await rig.until(() => rig.reports.some(({ error }) => error?.code === 'serial.identity-unsure'));
  const before = rig.sink.values('temperature A').length;
  rig.emulator.interfere = (bytes) => ({ bytes, delayMs: 0 });
  await rig.until(() => rig.sink.values('temperature A').length > before);
  expect(rig.sink.gaps[0]?.cause).toMatch(/disconnected|There is no port|changing identities/);
});

test('an instrument of another model in its place is not recorded under its name', async ({ onTestFinished }) => {
  const rig = await startPlayedRig(onTestFinished, { ...instrument, timeoutMs: 10_000 });
  await rig.until(() => rig.sink.values('temperature A').length > 0);
  await rig.unplug();
  const before = rig.sink.values('temperature A').length;
  rig.emulator.interfere = (bytes, question) => ({
    bytes: isIdentity(question) ? bytesOf('LSCI,MODEL340,340123,061407\r\n') : bytes,
    delayMs: 0,
  });
  await rig.plugIn();
  await rig.until(() => rig.reports.some(({ error }) => error?.code === 'serial.other-instrument'));
  const seen = rig.reports.find(({ error }) => error?.code === 'serial.other-instrument')?.error;
  expect(seen?.message).toContain('MODEL340');
  await rig.stop();
  expect(rig.sink.values('temperature A')).toHaveLength(before);
});
