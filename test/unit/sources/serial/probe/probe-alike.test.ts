// Instruments that answer to the same question as others of their maker: probe tells them apart where one of them says its
// name, and names all of them, the one that reads most first, where none does.
import { expect, test } from 'vitest';
import { probePort } from '../../../../../src-main/sources/serial/probe/probe.ts';
import { VirtualClock } from '../../../../simulation/virtual-clock.ts';
import { sampleOf } from '../../../../support/run/effort.ts';
import { PLAYED_PORT, PlayedPort } from '../../../../support/serial/played-port.ts';
import { readTranscript } from '../../../../support/serial/transcript.ts';

/** Longest probe, milliseconds. */
const PROBE_MS = 3_600_000;

const ALIKE: readonly (readonly [name: string, found: readonly string[], isSure: boolean])[] = [
  ['pfeiffer-mvp', ['pfeiffer-mvp'], true],
  ['pfeiffer-hiscroll', ['pfeiffer-hiscroll'], false],
  ['agilent-ipcmini', ['agilent-ipcmini', 'agilent-4uhv'], false],
  ['omega-cn7800', ['omega-cn7800'], false],
];

/** Each is asked all that is asked of any instrument: one that says its name and one that does not, in `npm test`. */
test.each(sampleOf(ALIKE, 2))('a %s is found as %j', async (name, found, isSure) => {
  const clock = new VirtualClock();
  const unit = new PlayedPort(readTranscript(name).cases[0]?.talk ?? [], clock);
  const probing = probePort({
    ...{ port: PLAYED_PORT, instruments: [], address: null, bauds: [], clock },
    ...{ signal: new AbortController().signal, onTry: () => undefined, transportOf: () => unit.transport },
  });
  const { matches } = await clock.passWhile(probing, PROBE_MS);
  expect(matches.map((match) => match.instrument)).toEqual(found);
  expect(matches[0]?.isSure).toBe(isSure);
  expect(matches[0]?.readings.every(({ value }) => value !== null)).toBe(true);
});
