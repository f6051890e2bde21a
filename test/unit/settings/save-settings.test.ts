import { fork } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readSettings } from '../../../src-main/settings/read-settings.ts';
import { saveSettings } from '../../../src-main/settings/save-settings.ts';
import type { SettingsInput } from '../../../src-main/settings/schema.ts';
import { expectMode, posixTest } from '../../support/posix.ts';
import { amount, walks } from '../../support/run/effort.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const TEXT = `# made by Ada, ask before changing
version: 1
service:
  url: embedded # until the key comes
  # repeat is right for the embedded service
  resend: repeat

tool:
  name: MBE-1
  time_zone: Europe/Berlin

sources:
  # the chamber
  - id: chamber-log
    kind: log
    path: 'C:\\MBE\\Logs' # written by the tool
    match: '**/*.csv'

# end
`;

const SHORT: SettingsInput = { version: 1, tool: { name: 'MBE-1' } };

function fileWith(content: string): string {
  const file = join(tempFolder(), 'epistream.yaml');
  writeFileSync(file, content);
  return file;
}

const read = (file: string) => readFileSync(file, 'utf8');
const errorOf = (saving: Promise<unknown>) =>
  saving.then(
    () => expect.fail('was saved'),
    (error) => error,
  );

/** What is there is expected to be there. */
function present<T>(value: T | null | undefined): T {
  if (value == null) throw new Error('nothing there');
  return value;
}

test('a change touches its own line and no other', async () => {
  const file = fileWith(TEXT);
  const settings = await saveSettings(file, (current) => ({
    ...present(current),
    service: { ...current?.service, url: 'https://api.example.org/' },
  }));
  expect(settings.service.url).toBe('https://api.example.org');
  expect(read(file)).toBe(TEXT.replace('embedded # until', 'https://api.example.org/ # until'));
  expect(await readSettings(file)).toEqual(settings);
});

test('what a person has lined up stays lined up when values change', async () => {
  const neat = `version:   1


service:
    url:      embedded        # or https
    resend:   repeat          # see the manual
tool: {name: "MBE-1",   synth_source_id: 7 }   # the tool
sources:
- {id: a, kind: simulator, seed: 1,     speed: 2.50}
`;
  const file = fileWith(neat);
  await saveSettings(file, (current) => ({
    ...present(current),
    service: { ...current?.service, url: 'https://h' },
    tool: { name: 'O\'Brien: "2", [x]', synth_source_id: null },
    sources: [{ id: 'a', kind: 'simulator', seed: 12, speed: 2.5 }],
  }));
  expect(read(file)).toBe(
    neat
      .replace('embedded ', 'https://h ')
      .replace('"MBE-1"', '"O\'Brien: \\"2\\", [x]"')
      .replace(': 7 }', ': null }')
      .replace('seed: 1,', 'seed: 12,'),
  );
});

test('adds and removes sources and leaves the comments of the others', async () => {
  const file = fileWith(TEXT);
  await saveSettings(file, (current) => ({
    ...present(current),
    sources: [...present(current?.sources), { id: 'try', kind: 'simulator', interval: '250ms' }],
  }));
  expect(read(file)).toContain("path: 'C:\\MBE\\Logs' # written by the tool");
  expect((await readSettings(file)).sources.map(({ id }) => id)).toEqual(['chamber-log', 'try']);
  await saveSettings(file, (current) => ({ ...present(current), sources: present(current?.sources).slice(1) }));
  expect((await readSettings(file)).sources.map(({ id }) => id)).toEqual(['try']);
  expect(read(file)).toContain('# made by Ada');
});

test('a change that changes nothing leaves the file byte for byte, and its time', async () => {
  const odd = TEXT.replace('url: embedded', 'url:      embedded');
  const file = fileWith(odd);
  const before = statSync(file).mtimeMs;
  await saveSettings(file, (current) => present(current));
  expect([read(file), statSync(file).mtimeMs]).toEqual([odd, before]);
});

test('keeps CRLF line ends and the byte-order mark of a file made on Windows', async () => {
  const file = fileWith(`\uFEFF${TEXT.replaceAll('\n', '\r\n')}`);
  await saveSettings(file, (current) => ({ ...present(current), tool: { name: 'MBE-2', time_zone: 'UTC' } }));
  const wanted = TEXT.replace('MBE-1', 'MBE-2').replace('Europe/Berlin', 'UTC');
  expect(read(file)).toBe(`\uFEFF${wanted.replaceAll('\n', '\r\n')}`);
});

test('makes a file that is not there, with its folder, for this user alone', async () => {
  const file = join(tempFolder(), 'new', 'epistream.yaml');
  const settings = await saveSettings(file, (current) => {
    expect(current).toBeNull();
    return SHORT;
  });
  expect(await readSettings(file)).toEqual(settings);
  expect(read(file)).toMatch(/^# Settings of an Epistream agent/);
  expectMode(file, 0o600);
  expectMode(join(file, '..'), 0o700);
});

posixTest('takes from others what they could read before', async () => {
  const file = fileWith(TEXT);
  chmodSync(file, 0o644);
  await saveSettings(file, (current) => ({ ...present(current), tool: { name: 'x' } }));
  expectMode(file, 0o600);
});

posixTest('follows a link instead of replacing it', async () => {
  const file = fileWith(TEXT);
  const link = join(tempFolder(), 'link.yaml');
  symlinkSync(file, link);
  await saveSettings(link, (current) => ({ ...present(current), tool: { name: 'MBE-9' } }));
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(read(file)).toContain('MBE-9');
});

test('never writes what it would refuse to read', async () => {
  const file = fileWith(TEXT);
  const wrong = [
    { ...SHORT, service: { url: 'http://10.0.0.7' } },
    { ...SHORT, tool: { name: 'a\nb' } },
    { ...SHORT, service: { api_key: 'x' } },
    { ...SHORT, sources: [{ id: 'a', kind: 'log' }] },
    { version: 2 },
    {},
    { ...SHORT, stream_defaults: { points_per_chunk: Number.NaN } },
  ] as unknown as SettingsInput[];
  for (const input of wrong) {
    expect(await errorOf(saveSettings(file, () => input))).toMatchObject({ code: 'settings.invalid' });
    expect(read(file)).toBe(TEXT);
    expect(readdirSync(join(file, '..'))).toEqual(['epistream.yaml']);
  }
});

test('does not touch a file whose content it cannot understand', async () => {
  const broken = `${TEXT}sources: [`;
  const file = fileWith(broken);
  expect(await errorOf(saveSettings(file, () => SHORT))).toMatchObject({ code: 'settings.invalid' });
  expect(read(file)).toBe(broken);
});

test('says that it could not write, and leaves nothing behind', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'plain'), '');
  const error = await errorOf(saveSettings(join(folder, 'plain', 'sub', 'epistream.yaml'), () => SHORT));
  expect(error.code).toMatch(/^settings\.(unwritable|missing|unreadable)$/);
  mkdirSync(join(folder, 'taken.yaml'));
  expect((await errorOf(saveSettings(join(folder, 'taken.yaml'), () => SHORT))).code).toBe('settings.unreadable');
  expect(readdirSync(folder).sort()).toEqual(['plain', 'taken.yaml']);
});

test('whatever name and path is saved comes back the same', async () => {
  const file = fileWith(TEXT);
  const text = fc
    .string({ minLength: 1, maxLength: 40, unit: 'binary' })
    .filter((word) => !/\p{Cc}|\p{Cs}/u.test(word) && word.trim() !== '');
  await fc.assert(
    fc.asyncProperty(text, text, async (name, folder) => {
      const path = `C:\\${folder}`;
      await saveSettings(file, () => ({ ...SHORT, tool: { name }, sources: [{ id: 'a', kind: 'log', path }] }));
      const settings = await readSettings(file);
      expect([settings.tool.name, settings.sources[0]]).toMatchObject([name, { path }]);
    }),
    walks(60),
  );
});

/** How often each writer is killed. */
const ROUNDS = amount(2, 8, 200);

/** Kills a writer of the file, round after round, and says which settings it found each time. */
async function killWriters(file: string, rounds: number): Promise<string[]> {
  const found: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const writer = fork(join(import.meta.dirname, 'save-forever.ts'), [file], { stdio: 'ignore' });
    const ended = once(writer, 'exit');
    await once(writer, 'message'); // It has saved once and goes on as fast as it can.
    await sleep(Math.random() * 80);
    writer.kill('SIGKILL');
    await ended;
    const { tool, sources } = await readSettings(file);
    const isWhole =
      tool.name === 'small' ? sources.length === 1 : sources.length === 200 && sources[199]?.id === 's199';
    found.push(isWhole ? tool.name : `torn: ${tool.name} with ${sources.length}`);
  }
  return found;
}

test('a writer killed at any moment leaves the old settings or the new ones, whole', { timeout: 300_000 }, async () => {
  const files = [fileWith(TEXT), fileWith(TEXT)];
  const found = await Promise.all(files.map((file) => killWriters(file, ROUNDS)));
  expect(found.flat().filter((name) => name !== 'large' && name !== 'small')).toEqual([]);
  for (const file of files) {
    // What killed writers left behind is bounded by their number, carries no settings name and is private.
    const left = readdirSync(join(file, '..')).filter((name) => name !== 'epistream.yaml');
    expect(left.length).toBeLessThanOrEqual(ROUNDS);
    for (const name of left) {
      expect(name).toMatch(/^\.epistream\.yaml\..*\.tmp$/);
      expect(statSync(join(file, '..', name)).mode & 0o077).toBe(0);
    }
  }
});
