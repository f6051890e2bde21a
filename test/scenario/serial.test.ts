// Two instruments on one line and one behind a terminal server, from the settings file to the acknowledged points.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runHere } from '../support/command.ts';
import { readStatus } from '../support/processes/agent-process.ts';
import { startHere } from '../support/rigs/agent-here.ts';
import { InstrumentEmulator } from '../support/serial/instrument-emulator.ts';
import { hasPty, Pty } from '../support/serial/pty.ts';
import { dialog } from '../support/serial/serial-samples.ts';
import { readTranscript } from '../support/serial/transcript.ts';
import { tempFolder } from '../support/temp-folder.ts';

const PROFILE = `
      name: addressed
      title: Gauge with an address
      family: line-ascii
      protocol: { commands: getters }
      questions:
        - { id: value, ask: 'READ_P{address}', reply: { pattern: '[0-9.]+' }, channels: [{ name: value, unit: mbar }] }`;

test.skipIf(!hasPty)('records, delivers and shows instruments; a gap at a restart is named', async () => {
  const folder = tempFolder('serial');
  const gauges = await InstrumentEmulator.start([dialog('READ_P1\r\n', '1.5\r\n'), dialog('READ_P2\r\n', '2.5\r\n')]);
  const cryo = await InstrumentEmulator.start(readTranscript('lakeshore-336').cases[0]?.talk ?? []);
  const pty = await Pty.plug(gauges.tcpPort);
  onTestFinished(async () => {
    await pty.remove();
    await gauges.stop();
    await cryo.stop();
  });
  const [config, data] = [join(folder, 'epistream.yaml'), join(folder, 'data')];
  writeFileSync(
    config,
    `version: 1
service: { url: embedded }
tool: { name: T, time_zone: UTC }
stream_defaults: { rollover: growth, points_per_chunk: 5 }
sources:
  - id: gauge-1
    kind: serial
    port: ${pty.path}
    every: 100ms
    timeout: 20s
    address: 1
    instrument:${PROFILE}
  - id: gauge-2
    kind: serial
    port: ${pty.path}
    every: 100ms
    timeout: 20s
    address: 2
    instrument:${PROFILE}
  - id: cryo
    kind: serial
    port: tcp://127.0.0.1:${cryo.tcpPort}
    every: 200ms
    timeout: 20s
    instrument: lakeshore-336
    options: { inputs: [A, B] }
`,
  );
  const check = await runHere(['check', config, '--data', data]);
  expect(check.out).toContain('source cryo: Lake Shore 336 temperature controller answers');
  expect(check.out).toContain('source gauge-1: Gauge with an address answers');
  const look = () => readStatus(data);

  const first = await startHere({ config, data });
  const acknowledged = async () => (await look()).streams.filter((stream) => stream.pointsAcknowledged > 0).length;
  await expect.poll(acknowledged).toBe(3);
  const shown = await look();
  expect(
    shown.sources.map(({ id, kind, place, state, cellsRefused }) => [id, kind, place, state, cellsRefused]),
  ).toEqual([
    ['gauge-1', 'serial', `${pty.path}, address 1`, 'running', 0],
    ['gauge-2', 'serial', `${pty.path}, address 2`, 'running', 0],
    ['cryo', 'serial', `tcp://127.0.0.1:${cryo.tcpPort}`, 'running', 0],
  ]);
  await first.stop();

  const second = await startHere({ config, data });
  const causes = async () => (await look()).gaps.map(({ cause }) => cause);
  const ofRestart = async () => (await causes()).filter((cause) => cause === 'the agent was not running').length;
  await expect.poll(ofRestart).toBe(3);
  // A machine that is slow for a moment reads late; there is no other gap.
  const others = (await causes()).filter((cause) => cause !== 'the agent was not running');
  expect(others.filter((cause) => !cause.startsWith('nothing was read in time'))).toEqual([]);
  await second.stop();

  const ofSecond = shown.streams.filter(({ sourceId }) => sourceId === 'gauge-2');
  expect(ofSecond).toHaveLength(1);
  const out = join(folder, 'gauge-2.csv');
  const exported = await runHere(['export', '--data', data, '--stream', ofSecond[0]?.name ?? '', '--out', out]);
  expect(exported.code).toBe(0);
  const points = readFileSync(out, 'utf8').split('\r\n').slice(1).filter(Boolean);
  // What the other gauge on the line says (1.5) never stands here.
  expect(points.length).toBeGreaterThan(0);
  expect(points.filter((line) => !line.includes('2.5'))).toEqual([]);
});
