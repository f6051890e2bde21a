import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { describeResult } from '../../../../../src-main/commands/probe.ts';
import { systemClock } from '../../../../../src-main/platform/clock.ts';
import { type ProbeOptions, probePort } from '../../../../../src-main/sources/serial/probe/probe.ts';
import { planProbe } from '../../../../../src-main/sources/serial/probe/probe-plan.ts';
import { bytesOf } from '../../../../../src-main/sources/serial/protocol/bytes.ts';
import { VirtualClock } from '../../../../simulation/virtual-clock.ts';
import { type Dialog, InstrumentEmulator } from '../../../../support/serial/instrument-emulator.ts';
import { PlayedModbus } from '../../../../support/serial/modbus-server.ts';
import { PLAYED_PORT, PlayedPort } from '../../../../support/serial/played-port.ts';
import { hasPty, Pty } from '../../../../support/serial/pty.ts';
import { readTranscript } from '../../../../support/serial/transcript.ts';

const options = (port: string, instruments: string[]): ProbeOptions => ({
  port,
  instruments,
  address: null,
  bauds: [],
  clock: systemClock,
  signal: new AbortController().signal,
  onTry: () => undefined,
});

/** Longest probe, milliseconds. */
const PROBE_MS = 3_600_000;

/** Probe what is on a played line. */
function probe(unit: PlayedPort, clock: VirtualClock, instruments: string[], port = PLAYED_PORT) {
  const probing = probePort({ ...options(port, instruments), clock, transportOf: () => unit.transport });
  return clock.passWhile(probing, PROBE_MS);
}

function plug(talk: readonly Dialog[]) {
  const clock = new VirtualClock();
  const unit = new PlayedPort(talk, clock);
  return { unit, clock };
}

describe('probe', () => {
  test.skipIf(!hasPty)('finds the instrument, its settings and what it would read', async () => {
    const [first] = readTranscript('lakeshore-336').cases;
    const emulator = await InstrumentEmulator.start(first?.talk ?? []);
    onTestFinished(() => emulator.stop());
    const pty = await Pty.plug(emulator.tcpPort);
    onTestFinished(() => pty.remove());
    const result = await probePort(options(pty.path, ['lakeshore-336']));
    expect(result.matches).toMatchObject([
      {
        instrument: 'lakeshore-336',
        isSure: true,
        line: { baud: 57600, data_bits: 7, parity: 'odd' },
        readings: [
          { channel: 'temperature A', value: 77.35, unit: 'K' },
          { channel: 'temperature B', value: 293.166, unit: 'K' },
          { channel: 'temperature C', value: null, text: 'no answer' },
          { channel: 'temperature D', value: null, text: 'no answer' },
        ],
      },
    ]);
    expect(describeResult(result, pty.path)).toContain('answers at 57600 7O1: "LSCI,MODEL336');
  });

  test('sends nothing but what identifies to an instrument that is not known', async () => {
    const { unit, clock } = plug([]);
    const result = await probe(unit, clock, ['lakeshore-336'], 'tcp://10.0.0.7:4001');
    expect(result.matches).toEqual([]);
    expect(Buffer.from(unit.unexpected).toString('latin1').replaceAll('\r\n', '')).toBe('*IDN?');
    expect(describeResult(result, 'COM1')).toContain('No known instrument answers.');
  });

  test('leaves boards alone that restart when their port is opened, unless one is asked for', () => {
    const named = (instruments: string[]) =>
      planProbe(options('/dev/ttyS0', instruments)).flatMap(([, candidates]) =>
        candidates.map(({ driver }) => driver.profile.name),
      );
    const all = named([]);
    expect(all).toContain('lakeshore-336');
    expect(all).not.toContain('arduino-sputter-board');
    expect(named(['arduino-sputter-board'])).toEqual(['arduino-sputter-board']);
  });
});

test('leaves out the rate at which sputter supplies take capitals for commands, unless it is asked for', () => {
  const baudsOf = (bauds: number[]) =>
    planProbe({ port: '/dev/ttyS0', instruments: [], address: null, bauds }).map(([{ baud }]) => baud);
  expect(baudsOf([])).not.toContain(38_400);
  expect(baudsOf([38_400])).toContain(38_400);
  const named = planProbe({ port: '/dev/ttyS0', instruments: ['inficon-vgc-501'], address: null, bauds: [] });
  expect(named.map(([{ baud }]) => baud)).toContain(38_400);
});

test('finds a unit at another address and behind another end of lines, and writes the settings for it', async () => {
  const talk = [
    { in: bytesOf('@001SN?;FF'), out: bytesOf('@001ACK0847012345;FF'), next: [] },
    { in: bytesOf('@001PR1?;FF'), out: bytesOf('@001ACK1.10E-9;FF'), next: [] },
  ];
  const { unit, clock } = plug(talk);
  const port = PLAYED_PORT;
  const result = await probe(unit, clock, ['mks-937b']);
  expect(result.matches).toMatchObject([{ instrument: 'mks-937b', isSure: true, differs: { address: 1 } }]);
  // As it stands in the settings once it was pasted.
  const written = describeResult(result, port).split('under sources:')[1];
  const source = { id: 'mks-937b', kind: 'serial', port, instrument: 'mks-937b', address: 1 };
  expect(parse(`sources:${written}`)).toEqual({ sources: [source] });
});

test('an instrument that cannot say what it is may be known by a reading; those that answer all come first', async () => {
  const talk = [
    { in: bytesOf('#01VER\r'), out: bytesOf('*01 1778-01\r'), next: [] },
    { in: bytesOf('#01RD\r'), out: bytesOf('*01 7.60E+02\r'), next: [] },
    { in: bytesOf('#01RDCG1\r'), out: bytesOf('*01 7.61E+02\r'), next: [] },
    { in: bytesOf('#01RDCG2\r'), out: bytesOf('*01 7.62E+02\r'), next: [] },
  ];
  const { unit, clock } = plug(talk);
  const result = await probe(unit, clock, ['gp-350-rs485', 'kjlc-392']);
  expect(result.matches.map(({ instrument }) => instrument)).toEqual(['kjlc-392', 'gp-350-rs485']);
  expect(describeResult(result, 'COM1')).toContain('Several instruments answer so');
});

test('tries a unit that speaks Modbus TCP on a connection of its own, and says which option that wants', async () => {
  const clock = new VirtualClock();
  const unit = new PlayedModbus(clock);
  for (const [register, word] of [6524, 7000, 455].entries()) unit.registers.set(register + 1, word);
  const port = 'tcp://10.0.0.7:502';
  const result = await probe(unit, clock, ['eurotherm-modbus'], port);
  expect(result.matches).toMatchObject([{ isSure: false, differs: { options: { framing: 'tcp' } } }]);
  expect(result.matches[0]?.readings[0]).toMatchObject({ channel: 'process value', value: 6524 });
  expect(describeResult(result, port)).toContain('options: { framing: "tcp" }');
  // An exception is in the form of the protocol, but nothing that such an instrument has.
  unit.registers.clear();
  expect((await probe(unit, clock, ['eurotherm-modbus'], port)).matches).toEqual([]);
});

test('shows what a board says that no instrument is known by', async () => {
  const { unit, clock } = plug([]);
  let isOver = false;
  const talk = async () => {
    for (; !isOver; await clock.sleep(50)) unit.send(bytesOf('P1: 3.2e-3 mbar\r\n'));
  };
  void talk();
  const result = await probe(unit, clock, ['lakeshore-336']);
  isOver = true;
  expect(describeResult(result, 'COM1')).toContain('P1: 3.2e-3 mbar<CR><LF>');
});
