// What a probe makes of answers: who is told from whom, who hung up, who was not asked, and what is not recommended.
import { expect, test } from 'vitest';
import { describeResult } from '../../../../../src-main/commands/probe.ts';
import type { Transport } from '../../../../../src-main/sources/serial/line/transport.ts';
import { type ProbeOptions, probePort } from '../../../../../src-main/sources/serial/probe/probe.ts';
import { planProbe } from '../../../../../src-main/sources/serial/probe/probe-plan.ts';
import { tryLine } from '../../../../../src-main/sources/serial/probe/try-line.ts';
import { shippedInstruments } from '../../../../../src-main/sources/serial/profile/profile-library.ts';
import { VirtualClock } from '../../../../simulation/virtual-clock.ts';
import type { Dialog } from '../../../../support/serial/instrument-emulator.ts';
import { PLAYED_PORT, PlayedPort } from '../../../../support/serial/played-port.ts';
import { bytes, dialog } from '../../../../support/serial/serial-samples.ts';
import { readTranscript } from '../../../../support/serial/transcript.ts';

const HOUR_MS = 3_600_000;

function plug(talk: readonly Dialog[]) {
  const clock = new VirtualClock();
  const unit = new PlayedPort(talk, clock);
  const probe = (instruments: string[], transport: Transport = unit.transport, bauds: number[] = []) => {
    const signal = new AbortController().signal;
    const options: ProbeOptions = {
      ...{ port: PLAYED_PORT, instruments, address: null, bauds, clock, signal, onTry: () => undefined },
      transportOf: () => transport,
    };
    return clock.passWhile(probePort(options), HOUR_MS);
  };
  return { clock, unit, probe };
}

const acknowledged = (ask: string, data: string): Dialog => ({
  ...dialog(`${ask}\r\n`, '\x06\r\n'),
  next: [dialog('\x05', `${data}\r\n`)],
});
const TPG = [acknowledged('UNI', '0'), acknowledged('PRX', '0,6.7200E-05,0,2.4100E-02')];
const ALIKE = ['inficon-vgc-502', 'leybold-center-two', 'pfeiffer-tpg-262', 'pfeiffer-tpg-362'];

test('a controller that says its type is told from those that speak alike', async () => {
  const { probe } = plug([...TPG, acknowledged('AYT', 'TPG362,PTG28290,44990000,010300,010100')]);
  const result = await probe(ALIKE);
  expect(result.matches).toMatchObject([{ instrument: 'pfeiffer-tpg-362', isSure: true }]);
  expect(describeResult(result, 'COM1')).toContain('instrument: pfeiffer-tpg-362');
});

test('one that does not is not recommended as the first of the alphabet: each that fits as well is named', async () => {
  const { probe } = plug(TPG);
  const result = await probe(ALIKE);
  expect(result.matches.map(({ instrument }) => instrument).sort()).toEqual(ALIKE);
  const told = describeResult(result, 'COM1');
  expect(told).toContain('one of:');
  for (const name of ALIKE) expect(told).toContain(`instrument: ${name}`);
});

test('what answers the question of several alike is none of them for certain', async () => {
  const both = ['mks-937b', 'mks-946'];
  const serial = dialog('@253SN?;FF', '@253ACK0847012345;FF');
  const pressure = dialog('@253PR1?;FF', '@253ACK1.10E-9;FF');
  const unsure = await plug([serial, pressure]).probe(both);
  expect(unsure.matches.map(({ isSure }) => isSure)).toEqual([false, false]);
  const sure = await plug([serial, pressure, dialog('@253MD?;FF', '@253ACK946;FF')]).probe(both);
  expect(sure.matches).toMatchObject([{ instrument: 'mks-946', isSure: true }]);
});

test('nothing is recommended where nothing was read', async () => {
  const { probe } = plug([acknowledged('UNI', '0')]);
  const told = describeResult(await probe(ALIKE), 'COM1');
  expect(told).not.toContain('under sources');
  expect(told).toContain('None of them gave a value');
});

test('each instrument that ships is asked, or named as not asked with the reason', async () => {
  const { probe } = plug([]);
  // One rate is enough to see who is named.
  const result = await probe([], undefined, [300]);
  const options = { port: PLAYED_PORT, instruments: [], address: null, bauds: [300] };
  const asked = planProbe(options).flatMap(([, candidates]) => candidates.map(({ driver }) => driver.profile.name));
  const named = result.unasked.map(({ instrument }) => instrument);
  expect([...new Set([...asked, ...named])].sort()).toEqual(shippedInstruments());
  expect(asked.filter((name) => named.includes(name))).toEqual([]);
  expect(result.unasked.every(({ reason }) => reason !== '')).toBe(true);
  expect(describeResult(result, 'COM1')).toMatch(/it does not say what it is: .*edwards-tic/);
});

test('with its name one that does not say what it is has its first question asked', async () => {
  const { probe } = plug([dialog('?V913\r', '=V913 1.25;59;11;0;0\r')]);
  const result = await probe(['edwards-tic']);
  expect(result.matches).toMatchObject([{ instrument: 'edwards-tic', isSure: false, readings: [{ value: 1.25 }] }]);
  expect(result.unasked).toEqual([]);
});

test('with its name one that only talks is listened to', async () => {
  const { clock, unit, probe } = plug([]);
  const [said] = readTranscript('inficon-bpg400').cases[0]?.unasked ?? [];
  let isOver = false;
  const talk = async () => {
    for (; !isOver; await clock.sleep(20)) unit.send(said as Uint8Array);
  };
  void talk();
  const result = await probe(['inficon-bpg400']);
  isOver = true;
  expect(result.matches).toMatchObject([{ instrument: 'inficon-bpg400' }]);
  expect(result.matches[0]?.readings[0]?.value).toBeGreaterThan(0);
  expect((await plug([]).probe(['inficon-bpg400'])).matches).toEqual([]);
});

test('who hangs up at what it does not know is asked on, and it is told at what', async () => {
  const { unit, probe } = plug([
    dialog('*IDN?\r\n', 'LSCI,MODEL336,LSA12AB,2.9\r\n'),
    dialog('KRDG? A\r\n', '+077.350\r\n'),
  ]);
  let hangUps = 0;
  const touchy: Transport = {
    ...unit.transport,
    open: async (onBytes) => {
      const connection = await unit.transport.open(onBytes);
      const write = async (some: Uint8Array) => {
        if (/IDN|KRDG|RDGST/.test(Buffer.from(some).toString('latin1'))) return connection.write(some);
        hangUps += 1;
        await unit.unplug();
        await unit.plugIn();
      };
      return { place: connection.place, closed: connection.closed, close: () => connection.close(), write };
    },
  };
  const result = await probe(['gp-354', 'mks-937b', 'lakeshore-336'], touchy, [9600]);
  expect(hangUps).toBeGreaterThan(0);
  expect(result.heard.map(({ text }) => text).join('\n')).toContain('the other side hung up');
  expect(result.matches).toMatchObject([{ instrument: 'lakeshore-336', isSure: true }]);
});

test('a look right after a probe does not blame what the probe left in the input', async () => {
  const { clock, unit } = plug(TPG);
  const spoilt = ['\x15\r\n', '0001\r\n'];
  unit.interfere = (out) => ({ bytes: bytes(spoilt.shift() ?? Buffer.from(out).toString('latin1')), delayMs: 0 });
  const source = { port: PLAYED_PORT, instrument: 'pfeiffer-tpg-362', options: {}, line: {}, address: null };
  const found = await clock.passWhile(
    tryLine(source, clock, () => unit.transport),
    60_000,
  );
  expect(found).toMatchObject({ level: 'ok' });
});
