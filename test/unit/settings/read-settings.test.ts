import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSettings, SETTINGS_SIZE_MAX } from '../../../src-main/settings/read-settings.ts';
import { posixTest } from '../../support/posix.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const TEXT = 'version: 1\ntool: { name: MBE-1 }\n';

function fileWith(content: string | Uint8Array): string {
  const file = join(tempFolder(), 'epistream.yaml');
  writeFileSync(file, content);
  return file;
}

const errorOf = (file: string) =>
  readSettings(file).then(
    () => expect.fail('was read'),
    (error) => error,
  );

test('reads a file with byte-order mark and CRLF line ends', async () => {
  const settings = await readSettings(fileWith(`\uFEFF${TEXT.replaceAll('\n', '\r\n')}`));
  expect(settings.tool.name).toBe('MBE-1');
});

test('counts the columns of the first line without the byte-order mark', async () => {
  expect((await errorOf(fileWith('\uFEFFversion: 2\ntool: { name: x }'))).message).toMatch(
    /^epistream\.yaml:1:10 version/,
  );
});

test('names every fault in its message and as values', async () => {
  const error = await errorOf(fileWith('version: 1\nsources: 5\n'));
  expect(error).toMatchObject({ code: 'settings.invalid', retry: 'after-human' });
  expect(error.message).toContain('epistream.yaml:1:1 tool: is missing');
  expect(error.message).toContain('epistream.yaml:2:10 sources: 5 is not a list');
  expect(error.context.faults).toHaveLength(2);
});

test('a file that is not there is missing, not broken', async () => {
  const folder = tempFolder();
  for (const file of [
    join(folder, 'epistream.yaml'),
    join(folder, 'no', 'such', 'folder.yaml'),
    join(fileWith(TEXT), 'x'),
  ]) {
    expect(await errorOf(file)).toMatchObject({ code: 'settings.missing', hint: expect.stringContaining('--config') });
  }
});

test('a folder, a pipe and a device are no settings file', async () => {
  const folder = tempFolder();
  mkdirSync(join(folder, 'a.yaml'));
  expect(await errorOf(join(folder, 'a.yaml'))).toMatchObject({ code: 'settings.unreadable' });
  expect(await errorOf('/dev/zero')).toMatchObject({ code: 'settings.unreadable' });
});

posixTest('a pipe nobody writes to is refused instead of waited for', async () => {
  const pipe = join(tempFolder(), 'pipe.yaml');
  execFileSync('mkfifo', [pipe]);
  expect(await errorOf(pipe)).toMatchObject({ code: 'settings.unreadable' });
});

test('a file beyond the limit is not read', async () => {
  const error = await errorOf(fileWith('#'.repeat(SETTINGS_SIZE_MAX + 1)));
  expect(error).toMatchObject({
    code: 'settings.unreadable',
    message: expect.stringContaining(`${SETTINGS_SIZE_MAX + 1}`),
  });
  await expect(readSettings(fileWith(TEXT + '#'.repeat(SETTINGS_SIZE_MAX - TEXT.length)))).resolves.toBeTruthy();
});

test('bytes that are not UTF-8 are named with their line, UTF-16 by its name', async () => {
  const latin = Buffer.from(`${TEXT}# 20 \xb0C\n`, 'latin1');
  expect((await errorOf(fileWith(latin))).message).toContain('line 3 holds bytes that are not UTF-8');
  expect((await errorOf(fileWith(Buffer.from(`\uFEFF${TEXT}`, 'utf16le')))).message).toContain('UTF-16');
});
