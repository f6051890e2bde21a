// Simulators and small models know some of an instrument's questions only. Those that they know keep their rate.
import { expect, test } from 'vitest';
import { startPlayedRig } from '../../../../support/serial/serial-rig.ts';
import { dialog, twoValues } from '../../../../support/serial/serial-samples.ts';

test('a question that is never answered is told, and does not take up the time of the others', async ({
  onTestFinished,
}) => {
  const talk = [dialog('A?\r\n', '1\r\n'), dialog('B?\r\n', null)];
  const rig = await startPlayedRig(onTestFinished, { instrument: twoValues, talk, everyMs: 50, timeoutMs: 400 });
  await rig.until(() => rig.sink.values('a').length > 60);
  expect(rig.sink.notes.get('serial.mute')?.message).toContain('polling it less often');
  // Three times, put twice each; then it rests.
  expect(rig.emulator.asked.filter((asked) => asked[0] === 0x42).length).toBeLessThanOrEqual(6);
  expect(new Set(rig.sink.values('a'))).toEqual(new Set([1]));
  expect(rig.sink.channels).not.toContain('b');
});
