// A value whose status is asked for in a question of its own.
import { expect, test } from 'vitest';
import { startPlayedRig } from '../../../../support/serial/serial-rig.ts';
import { dialog } from '../../../../support/serial/serial-samples.ts';

const IDENTITY = dialog('*IDN?\r\n', 'LSCI,MODEL218S,123456,020399\r\n');
const READING = dialog('KRDG? 8\r\n', '+077.350\r\n');
const STATUS = dialog('RDGST? 8\r\n', '000\r\n');
const instrument = { instrument: 'lakeshore-218', options: { inputs: [8] }, timeoutMs: 1000 };

test('queries a status that was missing once again, with its value', async ({ onTestFinished }) => {
  const rig = await startPlayedRig(onTestFinished, { ...instrument, talk: [IDENTITY, READING, STATUS] });
  await rig.until(() => rig.sink.values('temperature 8').length > 1);
  let swallowed = 0;
  rig.emulator.interfere = (bytes, question) => {
    const isStatus = Buffer.from(question).includes('RDGST');
    if (!isStatus || swallowed > 0) return { bytes, delayMs: 0 };
    swallowed += 1;
    return null;
  };
  await rig.until(() => swallowed > 0 && rig.sink.captures.length > 3);
  const before = rig.sink.values('temperature 8').length;
  await rig.until(() => rig.sink.values('temperature 8').length > before + 2);
  expect(rig.sink.refusals).toEqual([]);
});

test('without a status reply the value is refused, and the time is a gap', async ({ onTestFinished }) => {
  const silent = dialog('RDGST? 8\r\n', '?\r\n');
  const rig = await startPlayedRig(onTestFinished, { ...instrument, talk: [IDENTITY, READING, silent] });
  await rig.until(() => rig.sink.refusals.length > 1);
  await rig.stop();
  expect(rig.sink.values('temperature 8')).toEqual([]);
  expect(new Set(rig.sink.refusals.map(({ reason }) => reason))).toEqual(new Set(['its status was not told']));
  expect(rig.sink.gaps.map(({ cause }) => cause)).toEqual([expect.stringContaining('no reply that can be read')]);
});
