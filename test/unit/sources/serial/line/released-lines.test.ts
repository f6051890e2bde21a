// A line that was lost is let go whole: an adapter that comes and goes for months takes no more memory than one that stays.
import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { LineSettings } from '../../../../../src-main/model/instrument.ts';
import { PLAYED_PORT } from '../../../../support/serial/played-port.ts';
import { startPlayedRig } from '../../../../support/serial/serial-rig.ts';
import { dialog, twoValues } from '../../../../support/serial/serial-samples.ts';

test('nothing of a former line listens for the end of the agent', async ({ onTestFinished }) => {
  const talk = [dialog('A?\r\n', '1.5\r\n'), dialog('B?\r\n', '2.5\r\n')];
  const rig = await startPlayedRig(onTestFinished, { instrument: twoValues, talk });
  const listeners: number[] = [];
  for (let times = 0; times < 5; times += 1) {
    if (times > 0) {
      await rig.unplug();
      await rig.until(() => rig.reports.at(-1)?.state === 'waiting');
      await rig.plugIn();
    }
    const before = rig.sink.values('b').length;
    await rig.until(() => rig.sink.values('b').length > before + 1);
    listeners.push(getEventListeners(rig.signal, 'abort').length);
  }
  // The wait between two questions listens too, now and then: what counts is that it does not grow with each line.
  expect(Math.max(...listeners.slice(1))).toBeLessThanOrEqual((listeners[0] ?? 0) + 1);
});

test('nothing of a source that has ended listens on a line that others still use', async ({ onTestFinished }) => {
  const talk = [dialog('A?\r\n', '1.5\r\n'), dialog('B?\r\n', '2.5\r\n')];
  const rig = await startPlayedRig(onTestFinished, { instrument: twoValues, talk });
  await rig.until(() => rig.sink.values('b').length > 1);
  const settings = LineSettings.parse({});
  const other = await rig.hub.join({ port: PLAYED_PORT, settings, settleMs: 0, clock: rig.clock, listener: null });
  onTestFinished(() => other.leave());
  expect(getEventListeners(other.line.ended, 'abort').length).toBeGreaterThan(0);
  await rig.stop();
  expect(other.line.ended.aborted).toBe(false);
  expect(getEventListeners(other.line.ended, 'abort')).toEqual([]);
});
