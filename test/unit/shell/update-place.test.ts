import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { checkFile, compareVersions, feedNameOf, readFeed } from '../../../src-main/shell/update-feed.ts';
import { readPackedKey, replaceAppImage, whyNoUpdates } from '../../../src-main/shell/update-place.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const run = promisify(execFile);
const script = join(import.meta.dirname, '../../../resources/scripts/sign-update.ts');

test('only an installation that can exchange itself does', () => {
  expect(whyNoUpdates(true, 'win32', undefined)).toBe('');
  const folder = tempFolder('installed');
  expect(whyNoUpdates(true, 'linux', join(folder, 'Epistream.AppImage'))).toBe('');
  expect(whyNoUpdates(true, 'linux', join(folder, 'gone/Epistream.AppImage'))).toContain('cannot be written');
  expect(whyNoUpdates(true, 'linux', undefined)).toContain('package of the system');
  expect(whyNoUpdates(true, 'darwin', undefined)).toContain('signed by its vendor');
  expect(whyNoUpdates(false, 'win32', undefined)).toContain('sources');
});

test('knows the key that is packed in, or that there is none', () => {
  const resources = tempFolder('resources');
  expect(readPackedKey(resources)).toBeNull();
  mkdirSync(join(resources, 'update'));
  expect(readPackedKey(resources)).toBeNull();
  writeFileSync(join(resources, 'update/public-key.pem'), 'key');
  expect(readPackedKey(resources)).toBe('key');
});

test('puts a new AppImage in the place of the former, under its name, to be run', () => {
  const folder = tempFolder('appimage');
  const [from, place] = [join(folder, 'cached-0.3.0.AppImage'), join(folder, 'Epistream-0.2.0.AppImage')];
  writeFileSync(from, 'new');
  writeFileSync(place, 'former', { mode: 0o755 });
  replaceAppImage(from, place);
  expect(readFileSync(place, 'utf8')).toBe('new');
  expect(statSync(place).mode & 0o111).toBe(0o111);
  expect(readdirSync(folder).sort()).toEqual(['Epistream-0.2.0.AppImage', 'cached-0.3.0.AppImage']);
});

test('leaves the former AppImage where the new one cannot be put', () => {
  const folder = tempFolder('appimage');
  const place = join(folder, 'Epistream.AppImage');
  writeFileSync(place, 'former');
  expect(() => replaceAppImage(join(folder, 'gone'), place)).toThrow('ENOENT');
  expect(readFileSync(place, 'utf8')).toBe('former');
  expect(readdirSync(folder)).toEqual(['Epistream.AppImage']);
});

test('orders versions by their numbers', () => {
  expect(compareVersions('0.10.0', '0.9.9')).toBeGreaterThan(0);
  expect(compareVersions('1.0.0', '0.9.9')).toBeGreaterThan(0);
  expect(compareVersions('0.9.9', '0.10.0')).toBeLessThan(0);
  expect(compareVersions('0.2.0', '0.2.0')).toBe(0);
  expect(compareVersions('0.2.0', '0.2.0-beta.1')).toBeGreaterThan(0);
  expect(compareVersions('0.1.0', '0.2.0-beta.1')).toBeLessThan(0);
});

test('what "npm run sign-update" makes is read, and its key is never written over', async () => {
  const folder = tempFolder('signed');
  const [secret, publicKey] = [join(folder, 'private.pem'), join(folder, 'public.pem')];
  const sign = (...words: string[]) => run(process.execPath, [script, '--public-key', publicKey, ...words]);
  await sign('--new-key', secret);
  expect(statSync(secret).mode & 0o077).toBe(0);
  await expect(sign('--new-key', secret)).rejects.toThrow('EEXIST');
  // Both halves or none.
  await expect(sign('--new-key', join(folder, 'second.pem'))).rejects.toThrow('EEXIST');
  await expect(sign('--new-key', secret, '--public-key', join(folder, 'second.pub'))).rejects.toThrow('EEXIST');
  expect(readdirSync(folder).sort()).toEqual(['private.pem', 'public.pem']);
  const files = ['Epistream-9.0.0.AppImage', 'Epistream-Setup-9.0.0.exe'];
  for (const file of files) writeFileSync(join(folder, file), `content of ${file}`);
  await sign('--key', secret, '--version', '9.0.0', ...files.map((file) => join(folder, file)));
  writeFileSync(join(folder, 'a b.exe'), 'a name that the program refuses');
  await expect(sign('--key', secret, join(folder, 'a b.exe'))).rejects.toThrow('files.0.url');
  for (const [at, platform] of (['linux', 'win32'] as const).entries()) {
    const name = feedNameOf(platform, 'x64');
    const feed = readFileSync(join(folder, name));
    const signature = readFileSync(join(folder, `${name}.sig`), 'utf8');
    const update = readFeed({ name, feed, signature }, readFileSync(publicKey, 'utf8'));
    expect(update).toMatchObject({ version: '9.0.0', file: { url: files[at] } });
    await checkFile(join(folder, update.file.url), update);
  }
});
