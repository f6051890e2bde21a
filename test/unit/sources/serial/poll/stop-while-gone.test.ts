// An agent that stops while an instrument is gone names what is missing.
import { expect, test } from 'vitest';
import { startPlayedRig } from '../../../../support/serial/serial-rig.ts';
import { dialog, twoValues } from '../../../../support/serial/serial-samples.ts';

test('the gap up to the stop is told while the source waits for its next try', async ({ onTestFinished }) => {
  const talk = [dialog('A?\r\n', '1.5\r\n'), dialog('B?\r\n', '2.5\r\n')];
  const rig = await startPlayedRig(onTestFinished, { instrument: twoValues, talk, timeoutMs: 10_000 });
  await rig.until(() => rig.sink.values('b').length > 1);
  await rig.unplug();
  await rig.until(() => rig.reports.at(-1)?.state === 'waiting');
  await rig.stop();
  expect(rig.sink.gaps).toHaveLength(1);
  expect(rig.sink.gaps[0]?.cause).toMatch(/disconnected|no port/);
  // The next run tells what is missing from there on: this gap is not told again under another cause.
  const position = rig.sink.captures.at(-1)?.positions.find(({ key }) => key === 'serial')?.value ?? '{}';
  expect(JSON.parse(position)).toMatchObject({ lastMs: rig.sink.gaps[0]?.toMs });
});
