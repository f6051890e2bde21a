// Every instrument against its transcript, in both directions, over a pseudo-terminal where the machine has them: the values
// and states of each case, and then the first case with everything going wrong that can.
import { describe, expect, test } from 'vitest';
import type { OptionValue } from '../../../../src-main/model/instrument.ts';
import { compileProfile } from '../../../../src-main/sources/serial/compile-profile.ts';
import { loadInstrument, shippedInstruments } from '../../../../src-main/sources/serial/profile-library.ts';
import { asItIs, type Interfere } from '../../../support/instrument-emulator.ts';
import { type AtEnd, type Rig, startRig } from '../../../support/serial-rig.ts';
import { listTranscripts, readTranscript, type Transcript } from '../../../support/transcript.ts';

const shipped = shippedInstruments();
const transcripts = new Set(listTranscripts());
/** Those that can be tried: a test of its own says which lack a transcript, so that one of them is not the end of all. */
const names = shipped.filter((name) => transcripts.has(name));
const TIMEOUT_MS = 250;
/** Where nothing is late, a slow machine must not look like a silent instrument. */
const PATIENT_MS = 10_000;

test('every instrument has a transcript, and every transcript an instrument', () => {
  expect({
    withoutTranscript: shipped.filter((name) => !transcripts.has(name)),
    withoutInstrument: [...transcripts].filter((name) => !shipped.includes(name)),
  }).toEqual({ withoutTranscript: [], withoutInstrument: [] });
});

test.each(shipped)('%s: compiles as it ships, with every field checked by its family', (name) => {
  const profile = loadInstrument({ instrument: name, options: {}, line: {}, address: null });
  const driver = compileProfile(profile);
  expect(driver.questions.length + driver.heard.length).toBeGreaterThan(0);
});

test.each(names)('%s: its transcript speaks of channels that it has', (name) => {
  const { options, address, cases } = readTranscript(name);
  const profile = loadInstrument({
    instrument: name,
    options: options as Record<string, OptionValue>,
    line: {},
    address,
  });
  const has = [...profile.questions, ...profile.unsolicited].flatMap((one) =>
    one.channels.map((channel) => channel.name),
  );
  for (const { values, states, units } of cases) {
    expect(has).toEqual(expect.arrayContaining(Object.keys({ ...values, ...states, ...units })));
  }
});

type Case = Transcript['cases'][number];

async function begin(
  atEnd: AtEnd,
  name: string,
  transcript: Transcript,
  one: Case,
  timeoutMs = TIMEOUT_MS,
): Promise<Rig> {
  const { address } = transcript;
  const options = transcript.options as Record<string, OptionValue>;
  const rig = await startRig(atEnd, { instrument: name, options, address, talk: one.talk, timeoutMs });
  if (one.unasked.length > 0) void sayAgain(rig, one.unasked);
  return rig;
}

/** Say the unasked lines again and again, until the connection is gone for good. */
async function sayAgain(rig: Rig, lines: readonly Uint8Array[]): Promise<void> {
  while (rig.reports.at(-1)?.state !== 'stopped') {
    for (const line of lines) rig.emulator.send(line);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

/** Everything of a case was read at least once since the sink was so long. */
function hasAll({ sink }: Rig, one: Case, since = 0): boolean {
  const captures = sink.captures.slice(since);
  const refused = captures.flatMap(({ refusals }) => refusals);
  const read = new Set(
    captures.flatMap(({ blocks }) =>
      blocks.flatMap(({ channels, values }) => channels.filter((_, at) => Number.isFinite(values[at]))),
    ),
  );
  return (
    Object.keys(one.values).every((channel) => read.has(channel)) &&
    Object.keys(one.states).every((channel) => refused.some((refusal) => refusal.channel === channel))
  );
}

/** Every value that was taken is the one of the transcript, and no refused channel has one. */
function expectTrue({ sink }: Rig, one: Case): void {
  for (const channel of sink.channels) {
    const values = [...new Set(sink.values(channel))];
    if (channel in one.states) expect(values, channel).toEqual([]);
    else if (channel in one.values) expect(values, channel).toEqual([one.values[channel]]);
  }
}

/** For whoever writes a profile: what came of its transcript. A test that waits for what never comes only tells that it waits. */
function whatCame({ sink, emulator }: Rig): string {
  const read = sink.channels.map(
    (channel) => `${channel} ${[...new Set(sink.values(channel))].join(', ') || 'no value'}`,
  );
  const refused = new Set(sink.refusals.map(({ channel, text, reason }) => `${channel} "${text}" (${reason})`));
  const unasked = Buffer.from(emulator.unexpected).toString('latin1');
  const unknown = unasked === '' ? '' : `\nasked, and not in the transcript: ${JSON.stringify(unasked)}`;
  return `read: ${read.join('; ')}\nrefused: ${[...refused].slice(0, 10).join('; ') || 'nothing'}${unknown}`;
}

/** One that cannot be read has said so above, and keeps no other from being tried. */
const readable = names.flatMap((name) => {
  try {
    return [{ name, ...readTranscript(name) }];
  } catch {
    return [];
  }
});
const cases = readable.flatMap(({ name, cases }) => cases.map((one) => ({ name, one, title: one.name })));

describe('a transcript', () => {
  test.concurrent.for(cases)('$name: $title', async ({ name, one }, { onTestFinished, onTestFailed }) => {
    const transcript = readTranscript(name);
    const rig = await begin(onTestFinished, name, transcript, one, PATIENT_MS);
    onTestFailed(() => console.log(whatCame(rig)));
    await rig.until(() => hasAll(rig, one));
    await rig.stop();
    expectTrue(rig, one);
    for (const [channel, reason] of Object.entries(one.states)) {
      const refusal = rig.sink.refusals.find((found) => found.channel === channel);
      expect(refusal?.reason, channel).toBe(reason);
    }
    for (const [channel, unit] of Object.entries(one.units)) expect(rig.sink.declared.get(channel)?.unit).toBe(unit);
    expect(Buffer.from(rig.emulator.unexpected).toString('latin1')).toBe('');
    expect(rig.sink.gaps).toEqual([]);
  });
});

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
  // What stands before is passed over, and the reply behind it is whole.
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

describe('no wrong value is taken, and it goes on by itself:', () => {
  const rounds = readable.flatMap(({ name, checksum, unnoticed }) =>
    Object.keys(FAULTS)
      .filter((fault) => (fault !== 'a changed byte' || checksum) && !(fault in unnoticed))
      .map((fault) => ({ name, fault })),
  );

  test.concurrent.for(rounds)('$name with $fault', async ({ name, fault }, { onTestFinished, onTestFailed }) => {
    const transcript = readTranscript(name);
    const one = transcript.cases[0] as Case;
    const rig = await begin(onTestFinished, name, transcript, one);
    onTestFailed(() => console.log(whatCame(rig)));
    await rig.until(() => hasAll(rig, one));
    let spoilt = 0;
    // One of its own, so that a failure can be looked at again.
    const random = seeded(
      [...`${name} ${fault}`].reduce((seed, letter) => Math.imul(seed, 31) + letter.charCodeAt(0), 5),
    );
    const spoil = (FAULTS[fault] as (random: () => number, name: string) => Interfere)(random, name);
    rig.emulator.interfere = (bytes, question) => {
      // Every second answer on average: a good one between two bad ones is where things get out of step.
      if (random() < 0.5) return asItIs(bytes, question);
      spoilt += 1;
      return spoil(bytes, question);
    };
    while (spoilt < 8 && transcript.cases[0]?.talk.length) await new Promise((resolve) => setTimeout(resolve, 20));
    rig.emulator.interfere = asItIs;
    const since = rig.sink.captures.length;
    await rig.until(() => hasAll(rig, one, since));
    await rig.stop();
    expectTrue(rig, one);
  });

  test.concurrent.for(readable.map(({ name }) => name))(
    '%s unplugged',
    async (name, { onTestFinished, onTestFailed }) => {
      const transcript = readTranscript(name);
      const one = transcript.cases[0] as Case;
      const rig = await begin(onTestFinished, name, transcript, one);
      onTestFailed(() => console.log(whatCame(rig)));
      await rig.until(() => hasAll(rig, one));
      if (rig.pty) await rig.pty.unplug();
      else rig.emulator.hangUp();
      // A gap is only what is longer than the instrument is silent anyway.
      const { unsolicited } = loadInstrument({ instrument: name, options: {}, line: {}, address: null });
      await new Promise((resolve) =>
        setTimeout(resolve, 2 * Math.max(0, ...unsolicited.map((one) => one.expected_ms ?? 0))),
      );
      while (!rig.reports.some(({ state }) => state === 'waiting'))
        await new Promise((resolve) => setTimeout(resolve, 10));
      await rig.pty?.plugIn();
      const since = rig.sink.captures.length;
      await rig.until(() => hasAll(rig, one, since));
      await rig.stop();
      expectTrue(rig, one);
      expect(rig.sink.gaps.map(({ cause }) => cause).join()).toMatch(/disconnected|closed the connection|no answer/);
    },
  );
});
