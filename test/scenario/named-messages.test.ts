// Without a screen a line stands by itself: each thing that a source tells names it, on the terminal and in the log file.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startAgent } from '../support/processes/agent-process.ts';
import { InstrumentEmulator } from '../support/serial/instrument-emulator.ts';
import { dialog } from '../support/serial/serial-samples.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Codes of what sources tell of themselves; what a session or a stream tells names these. */
const OF_SOURCES = /^(serial|source|log|counter|folder|file)\.|^rheed\.(?!session|frames)/;

test('each message of a source names it where there is no screen', async () => {
  const folder = tempFolder('named');
  const [config, data, logs] = [join(folder, 'epistream.yaml'), join(folder, 'data'), tempFolder('named-logs')];
  const gauge = await InstrumentEmulator.start([dialog('UNIT?\r\n', 'mbar\r\n'), dialog('PR?\r\n', '1.5\r\n')]);
  onTestFinished(() => gauge.stop());
  writeFileSync(join(logs, 'a.csv'), 'time,x\n2026-11-20 10:00:00,1\n2026-11-20 10:00:01,oops\n');
  const instrument = `{ name: own-gauge, title: Gauge, family: line-ascii, protocol: { commands: getters }, unverified: [its unit], lookups: { unit: { ask: 'UNIT?' } }, questions: [{ id: p, ask: 'PR?', reply: { pattern: '[0-9.]+' }, channels: [{ name: p, unit: { lookup: unit } }] }] }`;
  writeFileSync(
    config,
    `version: 1
service: { url: embedded }
tool: { name: T, time_zone: UTC }
sources:
  - { id: tool-log, kind: log, path: '${logs}', match: '*.csv', backfill: all }
  - { id: no-folder, kind: log, path: '${join(folder, 'not-there')}', match: '*.csv' }
  - { id: camera, kind: rheed, fps_capture_rate: 20, counter: { type: images, path: '${join(folder, 'nowhere')}', match: 'x_{frame}.bmp' } }
  - { id: gauge, kind: serial, port: 'tcp://127.0.0.1:${gauge.tcpPort}', every: 100ms, instrument: ${instrument} }
  - { id: no-gauge, kind: serial, port: 'tcp://127.0.0.1:1', instrument: lakeshore-336 }
`,
  );
  const agent = startAgent(['run', '--config', config, '--data', data]);
  await agent.waitFor(/Connected: tcp/);
  // The agent is connected before this process has taken the connection: only then is there one to hang up.
  await expect.poll(() => gauge.asked.length).toBeGreaterThan(0);
  gauge.hangUp();
  await agent.waitFor(/nothing from .* to /);
  for (const place of [/not-there/, /nowhere/, /127\.0\.0\.1:1\b/]) await agent.waitFor(place);
  agent.child.kill('SIGTERM');
  const { code, out } = await agent.ended;
  expect(code).toBe(0);

  const lines = readFileSync(join(data, 'logs/epistream.log'), 'utf8').trimEnd().split('\n');
  const told = lines.map((line) => JSON.parse(line) as { code?: string; msg: string });
  const ofSources = told.filter(({ code = '' }) => OF_SOURCES.test(code));
  expect(ofSources.map(({ code }) => code)).toEqual(
    expect.arrayContaining(['serial.connection', 'serial.unverified', 'source.gap']),
  );
  expect(ofSources.filter(({ msg }) => !/^Source (tool-log|no-folder|camera|gauge|no-gauge): /.test(msg))).toEqual([]);
  // What is printed is what is logged.
  for (const { msg } of ofSources) expect(out).toContain(msg);
  for (const id of ['no-folder', 'camera', 'gauge', 'no-gauge']) {
    expect(ofSources.some(({ msg }) => msg.startsWith(`Source ${id}: `))).toBe(true);
  }
});
