// An instrument against its transcript, in both directions: the values and states of each case, and then the first case with
// everything going wrong that can. On a played line for each of them, over pseudo-terminals for some, for all in the long run.
import { expect } from 'vitest';
import type { OptionValue } from '../../../src-main/model/instrument.ts';
import { loadInstrument, shippedInstruments } from '../../../src-main/sources/serial/profile/profile-library.ts';
import { asItIs, type Interfere } from './instrument-emulator.ts';
import { type AnyRig, type AtEnd, startPlayedRig, startRig } from './serial-rig.ts';
import { listTranscripts, readTranscript, type Transcript } from './transcript.ts';

const TIMEOUT_MS = 250;
/** Where nothing is late, a slow machine must not look like a silent instrument. */
const PATIENT_MS = 10_000;

/** Where a test runs: its own context, since tests run side by side. */
export interface Test {
  readonly onTestFinished: AtEnd;
  readonly onTestFailed: (tell: () => void) => void;
}

/** `played`: on a line and a clock that the test plays. `pty`: behind a pseudo-terminal, in real time. */
export type Through = 'played' | 'pty';

export interface Instrument extends Transcript {
  readonly name: string;
  readonly family: string;
}

/** Instruments that have a transcript; one that cannot be read says so in a test of its own, and keeps no other from being tried. */
export function readInstruments(): Instrument[] {
  const transcripts = new Set(listTranscripts());
  return shippedInstruments().flatMap((name) => {
    if (!transcripts.has(name)) return [];
    try {
      const { family } = loadInstrument({ instrument: name, options: {}, line: {}, address: null });
      return [{ name, family, ...readTranscript(name) }];
    } catch {
      return [];
    }
  });
}

type Case = Transcript['cases'][number];

async function begin(
  { onTestFinished, onTestFailed }: Test,
  through: Through,
  { name, address, options }: Instrument,
  one: Case,
  timeoutMs = TIMEOUT_MS,
): Promise<AnyRig> {
  const start = through === 'played' ? startPlayedRig : startRig;
  const chosen = options as Record<string, OptionValue>;
  const rig = await start(onTestFinished, { instrument: name, options: chosen, address, talk: one.talk, timeoutMs });
  onTestFailed(() => console.log(whatCame(rig)));
  if (one.unasked.length > 0) void sayAgain(rig, one.unasked);
  return rig;
}

/** Say the unasked lines again and again, until the connection is gone for good. */
async function sayAgain(rig: AnyRig, lines: readonly Uint8Array[]): Promise<void> {
  while (rig.reports.at(-1)?.state !== 'stopped') {
    for (const line of lines) rig.emulator.send(line);
    await rig.clock.sleep(30);
  }
}

/** Whether everything of a case was read at least once since now; each capture is looked at once. */
function readingOf({ sink }: AnyRig, one: Case): () => boolean {
  const missing = new Set(Object.keys(one.values));
  const unrefused = new Set(Object.keys(one.states));
  let at = sink.captures.length;
  return () => {
    for (; at < sink.captures.length; at += 1) {
      const { blocks = [], refusals = [] } = sink.captures[at] ?? {};
      for (const { channels, values } of blocks) {
        for (const [column, channel] of channels.entries())
          if (Number.isFinite(values[column])) missing.delete(channel);
      }
      for (const { channel } of refusals) unrefused.delete(channel ?? '');
    }
    return missing.size === 0 && unrefused.size === 0;
  };
}

/** Every value that was taken is the one of the transcript, and no refused channel has one. */
function expectTrue({ sink }: AnyRig, one: Case): void {
  for (const channel of sink.channels) {
    const values = [...new Set(sink.values(channel))];
    if (channel in one.states) expect(values, channel).toEqual([]);
    else if (channel in one.values) expect(values, channel).toEqual([one.values[channel]]);
  }
}

/** Result of a transcript, for the author of a profile: a test that waits in vain only reports that it waits. */
function whatCame({ sink, emulator }: AnyRig): string {
  const read = sink.channels.map(
    (channel) => `${channel} ${[...new Set(sink.values(channel))].join(', ') || 'no value'}`,
  );
  const refused = new Set(sink.refusals.map(({ channel, text, reason }) => `${channel} "${text}" (${reason})`));
  const unasked = Buffer.from(emulator.unexpected).toString('latin1');
  const unknown = unasked === '' ? '' : `\nasked, and not in the transcript: ${JSON.stringify(unasked)}`;
  return `read: ${read.join('; ')}\nrefused: ${[...refused].slice(0, 10).join('; ') || 'nothing'}${unknown}`;
}

/** A case: its values, states and units come out, and nothing is asked that it does not know. */
export async function tryCase(test: Test, through: Through, instrument: Instrument, one: Case): Promise<void> {
  const rig = await begin(test, through, instrument, one, PATIENT_MS);
  await rig.until(readingOf(rig, one));
  await rig.stop();
  expectTrue(rig, one);
  for (const [channel, reason] of Object.entries(one.states)) {
    const refusal = rig.sink.refusals.find((found) => found.channel === channel);
    expect(refusal?.reason, channel).toBe(reason);
  }
  for (const [channel, unit] of Object.entries(one.units)) expect(rig.sink.declared.get(channel)?.unit).toBe(unit);
  expect(Buffer.from(rig.emulator.unexpected).toString('latin1')).toBe('');
  // In real time a machine that stands still leaves a gap of the talking instrument.
  if (through === 'played') expect(rig.sink.gaps).toEqual([]);
}

/** A small generator. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Bytes of noise: none of them is a digit, since without a checksum a digit more is a digit more. */
const noise = (random: () => number) =>
  Uint8Array.from({ length: 1 + Math.floor(random() * 4) }, () => 0x80 + Math.floor(random() * 0x80));

/** Binary replies with a check of 8 bits at their end: where what is checked begins, behind an acknowledgement or a header. */
const CHECKED_FROM: Readonly<Record<string, number>> = {
  'ae-cesar': 1,
  'ae-pinnacle': 1,
  'inficon-ic6': 2,
  'inficon-xtc3': 2,
  'maxtek-mdc-360': 11,
};

/** Whether noise made of a reply what ends as its check would: one of 256 does, and nothing can tell. */
function passesByChance(spoilt: Uint8Array, replyBytes: number, noiseAt: number, from = replyBytes): boolean {
  // The bytes before are skipped, and the reply behind them is whole.
  if (noiseAt <= from || replyBytes <= from) return false;
  const checked = spoilt.subarray(from, replyBytes - 1);
  const sum = checked.reduce((all, byte) => all + byte, 0) & 0xff;
  const parity = checked.reduce((all, byte) => all ^ byte, 0);
  return [sum, 0xff - sum, parity].includes(spoilt[replyBytes - 1] as number);
}

const FAULTS: Readonly<Record<string, (random: () => number, name: string) => Interfere>> = {
  garbage: (random, name) => (bytes) => {
    for (;;) {
      const at = Math.floor(random() * bytes.length);
      const added = noise(random);
      const spoilt = Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at)]);
      if (!passesByChance(spoilt, bytes.length, at, CHECKED_FROM[name])) return { bytes: spoilt, delayMs: 0 };
    }
  },
  cut: (random) => (bytes) => ({ bytes: bytes.subarray(0, Math.floor(random() * bytes.length)), delayMs: 0 }),
  late: (random) => (bytes) => ({ bytes, delayMs: TIMEOUT_MS * (1 + random()) }),
  silence: () => () => null,
  'a changed byte': (random) => (bytes) => {
    const changed = Uint8Array.from(bytes);
    const at = Math.floor(random() * bytes.length);
    changed[at] = (changed[at] as number) ^ (1 << Math.floor(random() * 7));
    return { bytes: changed, delayMs: 0 };
  },
};

/** What is to be tried on an instrument: what its protocol cannot notice is left out. */
export function faultsOf({ checksum, unnoticed }: Instrument): string[] {
  return Object.keys(FAULTS).filter((fault) => (fault !== 'a changed byte' || checksum) && !(fault in unnoticed));
}

/** Every second answer on average is spoilt: no wrong value is taken, and it goes on by itself. */
export async function tryFault(test: Test, through: Through, instrument: Instrument, fault: string): Promise<void> {
  const { name } = instrument;
  const one = instrument.cases[0] as Case;
  const rig = await begin(test, through, instrument, one);
  await rig.until(readingOf(rig, one));
  let spoilt = 0;
  // One of its own, so that a failure can be looked at again.
  const random = seeded(
    [...`${name} ${fault}`].reduce((seed, letter) => Math.imul(seed, 31) + letter.charCodeAt(0), 5),
  );
  const spoil = (FAULTS[fault] as (random: () => number, name: string) => Interfere)(random, name);
  rig.emulator.interfere = (bytes, question) => {
    // A good one between two bad ones is where things get out of step.
    if (random() < 0.5) return asItIs(bytes, question);
    spoilt += 1;
    return spoil(bytes, question);
  };
  if (one.talk.length > 0) await rig.until(() => spoilt >= 8);
  rig.emulator.interfere = asItIs;
  await rig.until(readingOf(rig, one));
  await rig.stop();
  expectTrue(rig, one);
}

/** Its port is pulled out and plugged in again: the time between is a gap, and it goes on by itself. */
export async function tryUnplugged(test: Test, through: Through, instrument: Instrument): Promise<void> {
  const one = instrument.cases[0] as Case;
  const rig = await begin(test, through, instrument, one);
  await rig.until(readingOf(rig, one));
  await rig.unplug();
  // A gap is only what is longer than the instrument is silent anyway.
  const { unsolicited } = loadInstrument({ instrument: instrument.name, options: {}, line: {}, address: null });
  await rig.pass(2 * Math.max(0, ...unsolicited.map((heard) => heard.expected_ms ?? 0)));
  await rig.until(() => rig.reports.some(({ state }) => state === 'waiting'));
  await rig.plugIn();
  await rig.until(readingOf(rig, one));
  await rig.stop();
  expectTrue(rig, one);
  expect(rig.sink.gaps.map(({ cause }) => cause).join()).toMatch(/disconnected|closed the connection|no answer/);
}
