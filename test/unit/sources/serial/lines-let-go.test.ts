// A line that was lost is let go whole: an adapter that comes and goes for months takes no more memory than one that stays.
import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { LineSettings } from '../../../../src-main/model/instrument.ts';
import { systemClock } from '../../../../src-main/platform/clock.ts';
import { LineHub } from '../../../../src-main/sources/serial/line-hub.ts';
import { startRig } from '../../../support/serial-rig.ts';
import { dialog, twoValues } from '../../../support/serial-samples.ts';

test('nothing of a former line listens for the end of the agent', async ({ onTestFinished }) => {
  const talk = [dialog('A?\r\n', '1.5\r\n'), dialog('B?\r\n', '2.5\r\n')];
  const rig = await startRig(onTestFinished, { instrument: twoValues, talk });
  const { pty } = rig;
  if (pty === null) throw new Error('No pseudo-terminals here: socat is missing.');
  const listeners: number[] = [];
  for (let times = 0; times < 5; times += 1) {
    if (times > 0) {
      await pty.unplug();
      await expect.poll(() => rig.reports.at(-1)?.state, { timeout: 60_000 }).toBe('waiting');
      await pty.plugIn();
    }
    const before = rig.sink.values('b').length;
    await rig.until(() => rig.sink.values('b').length > before + 1);
    listeners.push(getEventListeners(rig.signal, 'abort').length);
  }
  // The wait between two questions listens too, now and then: what counts is that it does not grow with each line.
  expect(Math.max(...listeners.slice(1))).toBeLessThanOrEqual((listeners[0] ?? 0) + 1);
});

test('nothing of a source that has ended listens on a line that others still use', async ({ onTestFinished }) => {
  const hub = new LineHub();
  const talk = [dialog('A?\r\n', '1.5\r\n'), dialog('B?\r\n', '2.5\r\n')];
  const rig = await startRig(onTestFinished, { instrument: twoValues, talk }, { hub });
  const { pty } = rig;
  if (pty === null) throw new Error('No pseudo-terminals here: socat is missing.');
  await rig.until(() => rig.sink.values('b').length > 1);
  const settings = LineSettings.parse({});
  const other = await hub.join({ port: pty.path, settings, settleMs: 0, clock: systemClock, listener: null });
  onTestFinished(() => other.leave());
  expect(getEventListeners(other.line.ended, 'abort').length).toBeGreaterThan(0);
  await rig.stop();
  expect(other.line.ended.aborted).toBe(false);
  expect(getEventListeners(other.line.ended, 'abort')).toEqual([]);
});
