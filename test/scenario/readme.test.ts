// What the README prints is run as printed, but for the port and the folder.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parseSettings } from '../../src-main/settings/parse-settings.ts';
import { startAgent } from '../support/agent-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const top = join(import.meta.dirname, '../..');
const readme = readFileSync(join(top, 'README.md'), 'utf8');
const blocks = (language: string) =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(([, text]) => text as string);

test('the curl examples work as printed against the service started as printed', async () => {
  const start = blocks('sh').find((text) => text.includes('--import')) ?? '';
  const words = start
    .trim()
    .split(/\s+/)
    .slice(start.trim().split(/\s+/).indexOf('--') + 1);
  const folder = tempFolder();
  const args = words.map((word) => (word === 'lab' ? join(folder, 'lab') : word === '4320' ? '0' : word));
  const service = startAgent(args.map((word) => (word.startsWith('resources/') ? join(top, word) : word)));
  const [, url = ''] = await service.waitFor(/Service at (\S+),/);
  await service.waitFor(/21 added/);
  const curls = (blocks('sh').find((text) => text.includes('KEY=')) ?? '').replace('http://127.0.0.1:4320', url);
  const { stdout } = await promisify(execFile)('bash', ['-e', '-c', curls], { cwd: folder });
  expect(stdout).toContain('"channel_name":"chamber","chunk_index":0,"total_points":3');
  expect(stdout).toContain('"relative_time_seconds":[2]');
  expect(stdout).toContain('"raw_name":"MBE-1 by hand"');
  expect(stdout).toContain('chamber,1795000002,2.2e-9,Torr');
  expect(stdout).toContain('{"openapi":"3.1.0"');
});

test('the settings that it shows are valid as printed', () => {
  const settings = blocks('yaml');
  expect(settings.length).toBeGreaterThan(0);
  for (const text of settings) expect(parseSettings(text, '/lab/epistream.yaml')).toMatchObject({ isValid: true });
});
