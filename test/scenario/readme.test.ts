// What the README prints is run as printed, but for the port and the folder.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parseSettings } from '../../src-main/settings/parse-settings.ts';
import { startAgent } from '../support/agent-process.ts';
import { runHere } from '../support/command.ts';
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

test('every script, file and picture that it names is there', () => {
  const { scripts } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const named = [...readme.matchAll(/npm run ([a-z][a-z-]*)/g)].map(([, name]) => name as string);
  expect(named.length).toBeGreaterThan(20);
  expect(Object.keys({ ...scripts, start: '', test: '' })).toEqual(expect.arrayContaining([...new Set(named)]));
  const links = [...readme.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path]) => path as string);
  const quoted = [...readme.matchAll(/[` ]((?:src-main|src-renderer|test|resources)\/[\w./-]*\w)[` :.;,)\n]/g)].map(
    ([, path]) => path as string,
  );
  const inCommands = [...readme.matchAll(/vitest run --project \w+ ([\w./-]*\w)/g)].map(([, path]) => path as string);
  expect(inCommands.length).toBeGreaterThanOrEqual(5);
  // What a reader is to make has these names; a test may be named without its ending.
  const isToBeMade = (path: string) => /my-gauge|my-tool/.test(path);
  const isThere = (path: string) =>
    ['', '.test.ts', '-sets.test.ts'].some((end) => existsSync(join(top, `${path}${end}`)));
  expect([...links, ...quoted, ...inCommands].filter((path) => !isToBeMade(path) && !isThere(path))).toEqual([]);
});

test('every command that it names has the options that it is given there', async () => {
  const used = new Map<string, Set<string>>();
  // A command ends where its code does; in tables `|` is written with a backslash.
  for (const [, line = ''] of readme.matchAll(/npm run agent -- ((?:[^`\n]|\n(?! *[`\n#|]))*)/g)) {
    // Who may use the service is asked by words of their own: `service user add`. Where it reads org|user|key, one stands for all.
    const [name = ''] =
      /^service (org|user|key) (add|list)|^\S+/.exec(line.replace('org|user|key add|list', 'key add')) ?? [];
    const options = line.match(/--[a-z][a-z-]*/g) ?? [];
    used.set(name, new Set([...(used.get(name) ?? []), ...options]));
  }
  expect(used.size).toBeGreaterThanOrEqual(10);
  for (const [name, options] of used) {
    const { code, out } = await runHere([...name.split(' '), '--help']);
    expect(code, name).toBe(0);
    for (const option of options) expect(out, `${name} ${option}`).toMatch(new RegExp(`${option}\\b`));
  }
});
