// What the pages for people print is run as printed, but for the port and the folder.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parseSettings } from '../../src-main/settings/parse-settings.ts';
import { runHere } from '../support/command.ts';
import { codeBlocks, namedCommands, readPage, readPages } from '../support/docs.ts';
import { startAgent } from '../support/processes/agent-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const top = join(import.meta.dirname, '../..');

test('the curl examples work as printed against the service started as printed', async () => {
  const blocks = codeBlocks(readPage('resources/docs/service.md').text, 'sh');
  const start = blocks.find((text) => text.includes('--import')) ?? '';
  const words = start
    .trim()
    .split(/\s+/)
    .slice(start.trim().split(/\s+/).indexOf('--') + 1);
  const folder = tempFolder();
  const args = words.map((word) => (word === 'lab' ? join(folder, 'lab') : word === '4320' ? '0' : word));
  const service = startAgent(args.map((word) => (word.startsWith('resources/') ? join(top, word) : word)));
  const [, url = ''] = await service.waitFor(/Service at (\S+),/);
  await service.waitFor(/21 added/);
  const curls = (blocks.find((text) => text.includes('KEY=')) ?? '').replace('http://127.0.0.1:4320', url);
  const { stdout } = await promisify(execFile)('bash', ['-e', '-c', curls], { cwd: folder });
  expect(stdout).toContain('"channel_name":"chamber","chunk_index":0,"total_points":3');
  expect(stdout).toContain('"relative_time_seconds":[2]');
  expect(stdout).toContain('"raw_name":"MBE-1 by hand"');
  expect(stdout).toContain('chamber,1795000002,2.2e-9,Torr');
  expect(stdout).toContain('{"openapi":"3.1.0"');
});

test('the settings that they show are valid as printed', () => {
  const settings = readPages().flatMap(({ text }) => codeBlocks(text, 'yaml'));
  expect(settings.length).toBeGreaterThan(3);
  for (const text of settings) expect(parseSettings(text, '/lab/epistream.yaml')).toMatchObject({ isValid: true });
});

test('every command that they name has the options that it is given there', async () => {
  const used = new Map<string, Set<string>>();
  for (const { name, options } of readPages().flatMap(({ text }) => namedCommands(text))) {
    used.set(name, new Set([...(used.get(name) ?? []), ...options]));
  }
  expect(used.size).toBeGreaterThanOrEqual(13);
  for (const [name, options] of used) {
    const { code, out } = await runHere([...name.split(' '), '--help']);
    expect(code, name).toBe(0);
    for (const option of options) expect(out, `${name} ${option}`).toMatch(new RegExp(`${option}\\b`));
  }
});
