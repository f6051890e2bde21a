// The angle channel of a tool log that is written too seldom to tell the speed.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createAgent } from '../../../../src-main/agent/agent.ts';
import { isAngle, watchAngles } from '../../../../src-main/agent/pipeline/watch-angles.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const ROW_MS = 2160;
const wrapped = (degrees: number) => ((degrees % 360) + 360) % 360;

test('a tool log with -64.3 degrees each 2.16 s says 4.97 rpm or 22.8 rpm, and is stored as it is', async () => {
  const folder = tempFolder('angle');
  const data = join(folder, 'data');
  const logs = join(folder, 'logs');
  for (const path of [data, logs]) mkdirSync(path);
  const rows = Array.from({ length: 40 }, (_, row) => {
    const angle = wrapped(-64.3 * row).toFixed(1);
    return `${new Date(Date.UTC(2026, 10, 20, 2) + row * ROW_MS).toISOString()},${angle},${580 + (row % 3)}`;
  });
  writeFileSync(join(logs, 'a.csv'), `Time,Substrate angle (deg),Substrate temperature (C)\n${rows.join('\n')}\n`);
  const settingsFile = join(folder, 'epistream.yaml');
  const source = `{ id: tool, kind: log, path: '${logs}', match: '*.csv', backfill: all }`;
  writeFileSync(settingsFile, `version: 1\ntool: { name: MBE-1, time_zone: UTC }\nsources:\n  - ${source}\n`);
  const keys = { read: () => null, keep: async () => {} };
  const agent = createAgent({ dataFolder: data, settingsFile, version: 'test', keys });
  onTestFinished(() => agent.stop());
  await agent.start();
  const notes = () => agent.snapshot.sources[0]?.notes ?? [];
  for (let looks = 0; looks < 1200 && !notes().some(({ code }) => code === 'rotation.aliased'); looks++)
    await setTimeout(50);
  const note = notes().find(({ code }) => code === 'rotation.aliased');
  expect(note).toMatchObject({ level: 'warning', hint: expect.stringContaining('rotation_rpm') });
  expect(note?.message).toContain('every 2.16 s and moves -64.3 degrees from row to row');
  expect(note?.message).toMatch(/4\.9[67]? rpm backwards or 22\.8\d? rpm forwards/);
  const stored = await agent.pipeline?.store.readPoints('tool', 'Substrate angle', 0, Number.MAX_VALUE);
  expect(stored?.values.slice(0, 3)).toEqual(Float64Array.of(0, 295.7, 231.4));
});

/**
 * Hands rows of an angle over, some at a time.
 *
 * @returns what was said.
 */
function say(degreesOf: (row: number) => number, rowMs: number, rows = 60, name = 'substrate angle') {
  let said = '';
  const watch = watchAngles(({ code, message }) => {
    expect(code).toBe('rotation.aliased');
    said = message;
  });
  watch.declare([{ name, quantity: '', unit: 'deg', origin: 'a', expectedIntervalMs: null }]);
  for (let row = 0; row < rows; row += 5) {
    const timesMs = Float64Array.from({ length: 5 }, (_, at) => (row + at) * rowMs);
    const values = Float64Array.from({ length: 5 }, (_, at) => degreesOf(row + at));
    watch.read([{ channels: [name], timesMs, values }]);
  }
  return said;
}

test('an angle that is read often enough, stands, wanders or jumps is nothing to speak of', () => {
  expect(say((row) => wrapped(6 * row), 200)).toBe('');
  expect(say((row) => 12 + (row % 2) * 0.1, ROW_MS)).toBe('');
  expect(say((row) => wrapped(row * row * 37), ROW_MS)).toBe('');
  expect(say((row) => wrapped(-64.3 * row), ROW_MS, 10)).toBe('');
  expect(say((row) => wrapped(-64.3 * row), ROW_MS)).toContain(' or ');
});

test.each([
  ['Substrate Angle', '', true],
  ['manip_azimuth', 'deg', true],
  ['Rotation', '°', true],
  ['Substrate', '°C', false],
  ['mangled', '', false],
  ['rotation speed', 'rpm', false],
])('%s in "%s" is an angle: %s', (name, unit, kind) => {
  expect(isAngle({ name, unit, quantity: '' })).toBe(kind);
  expect(isAngle({ name, unit, quantity: 'angle' })).toBe(true);
});
