// The instrument that the README adds, as printed, against the transcript that it prints.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { startRig } from '../../../support/serial-rig.ts';
import { parseTranscript } from '../../../support/transcript.ts';

const readme = readFileSync(join(import.meta.dirname, '../../../../README.md'), 'utf8');
const [profile = '', transcript = ''] = [...readme.matchAll(/```yml\n(.*?)```/gs)].map(([, text]) => text as string);

test.each(parseTranscript(transcript, 'README.md').cases)('$name', async ({ talk, values, states, units }) => {
  const rig = await startRig(onTestFinished, { instrument: parse(profile), talk });
  const hasAll = () =>
    Object.keys(values).every((channel) => rig.sink.values(channel).length > 0) &&
    Object.entries(states).every(([channel, reason]) =>
      rig.sink.refusals.some((refusal) => refusal.channel === channel && refusal.reason === reason),
    );
  await rig.sink.until(hasAll);
  await rig.stop();
  for (const [channel, value] of Object.entries(values)) {
    expect(new Set(rig.sink.values(channel))).toEqual(new Set([value]));
  }
  for (const [channel, unit] of Object.entries(units)) expect(rig.sink.declared.get(channel)?.unit).toBe(unit);
  expect(rig.emulator.unexpected).toEqual([]);
});
