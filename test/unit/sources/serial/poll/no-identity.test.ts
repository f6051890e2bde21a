// Older units and look-alikes do not know every question; one that does not say who it is is read all the same.
import { expect, test } from 'vitest';
import { startPlayedRig } from '../../../../support/serial/serial-rig.ts';
import { readTranscript } from '../../../../support/serial/transcript.ts';

test('an instrument that never answers its identity question is read', async ({ onTestFinished }) => {
  const { talk } = readTranscript('lakeshore-336').cases[0] as {
    talk: ReturnType<typeof readTranscript>['cases'][0]['talk'];
  };
  const mute = talk.filter((dialog) => !Buffer.from(dialog.in).includes('*IDN?'));
  const options = { inputs: ['A', 'B'], outputs: [1] };
  const rig = await startPlayedRig(onTestFinished, {
    instrument: 'lakeshore-336',
    options,
    talk: mute,
    timeoutMs: 150,
  });
  await rig.until(() => rig.sink.values('temperature A').length > 2);
  expect(new Set(rig.sink.values('temperature A'))).toEqual(new Set([77.35]));
});
