// The instrument that instruments.md adds, as printed, against the transcript that it prints.
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { parseSettings } from '../../../../src-main/settings/parse-settings.ts';
import { codeBlocks, readPage } from '../../../support/docs.ts';
import { startPlayedRig } from '../../../support/serial/serial-rig.ts';
import { parseTranscript } from '../../../support/serial/transcript.ts';

const PAGE = 'resources/docs/instruments.md';
const page = readPage(PAGE).text;
const blocks = codeBlocks(page, 'yml');
const printedAs = (path: string) => blocks.find((text) => text.startsWith(`# ${path}`)) ?? '';
const profile = printedAs('resources/instruments/my-gauge.yaml');
const transcript = printedAs('test/fixtures/instruments/my-gauge.yaml');

test.each(parseTranscript(transcript, PAGE).cases)('$name', async ({ talk, values, states, units }) => {
  const rig = await startPlayedRig(onTestFinished, { instrument: parse(profile), talk, timeoutMs: 10_000 });
  const hasAll = () =>
    Object.keys(values).every((channel) => rig.sink.values(channel).length > 0) &&
    Object.entries(states).every(([channel, reason]) =>
      rig.sink.refusals.some((refusal) => refusal.channel === channel && refusal.reason === reason),
    );
  await rig.until(hasAll);
  await rig.stop();
  for (const [channel, value] of Object.entries(values)) {
    expect(new Set(rig.sink.values(channel))).toEqual(new Set([value]));
  }
  for (const [channel, unit] of Object.entries(units)) expect(rig.sink.declared.get(channel)?.unit).toBe(unit);
  expect(rig.emulator.unexpected).toEqual([]);
});

test('the board that talks by itself is read as its settings say', async () => {
  const text = codeBlocks(page, 'yaml').find((one) => one.includes('id: board')) ?? '';
  expect(parseSettings(text, '/lab/epistream.yaml')).toMatchObject({ isValid: true });
  const [source] = parse(text).sources;
  const instrument = { ...source.instrument, timing: { settle_ms: 20 } };
  const rig = await startPlayedRig(onTestFinished, { instrument, talk: [] });
  await rig.until(() => rig.emulator.isConnected);
  for (let lines = 0; lines < 5; lines += 1) {
    rig.emulator.send(Buffer.from('P1: 3.2e-3 mbar, T1: 23.5 C\r\n'));
    await rig.pass(50);
  }
  expect(rig.sink.values('temperature').length).toBeGreaterThan(2);
  expect(new Set(rig.sink.values('pressure'))).toEqual(new Set([0.0032]));
  expect(new Set(rig.sink.values('temperature'))).toEqual(new Set([23.5]));
  expect(rig.sink.declared.get('pressure')?.unit).toBe('mbar');
});
