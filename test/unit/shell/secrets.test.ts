import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { openDesktopKeys } from '../../../src-main/shell/secrets.ts';
import { fake, resetFake } from '../../fakes/electron.ts';
import { expectMode } from '../../support/posix.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const canary = 'canary-key-7f3q';
beforeEach(resetFake);

const nothing = () => undefined;

test('keeps a key across sessions, sealed, in a file of this user alone', async () => {
  const file = join(tempFolder(), 'keys', 'api-key.bin');
  let changes = 0;
  const keys = await openDesktopKeys(file, () => {
    changes += 1;
  });
  expect(keys.read()).toBeNull();
  await keys.keep(canary);
  expect(changes).toBe(1);
  expect(keys.warning).toBe('');
  expect(readFileSync(file, 'utf8')).not.toContain(canary);
  expectMode(file, 0o600);
  expect((await openDesktopKeys(file, nothing)).read()).toBe(canary);
});

test('writes nothing where there is no key store, keeps the key for this session, and says so', async () => {
  fake.keyStore = 'none';
  const folder = tempFolder();
  const keys = await openDesktopKeys(join(folder, 'api-key.bin'), nothing);
  await keys.keep(canary);
  expect(keys.read()).toBe(canary);
  expect(keys.warning).toContain('this session only');
  expect(readdirSync(folder)).toEqual([]);
});

test('leaves a key that cannot be opened here alone, and says so', async () => {
  const file = join(tempFolder(), 'api-key.bin');
  writeFileSync(file, 'sealed by somebody else');
  fake.keyStore = 'broken';
  const keys = await openDesktopKeys(file, nothing);
  expect(keys.read()).toBeNull();
  expect(keys.warning).toContain('Type it in again');
  expect(readFileSync(file, 'utf8')).toBe('sealed by somebody else');
});

test('encrypts a key again when the system asks for it', async () => {
  const file = join(tempFolder(), 'api-key.bin');
  await (await openDesktopKeys(file, nothing)).keep(canary);
  const before = statSync(file).ino;
  fake.keyStore = 'rotated';
  expect((await openDesktopKeys(file, nothing)).read()).toBe(canary);
  expect(statSync(file).ino).not.toBe(before);
  expect(existsSync(`${file}.new`)).toBe(false);
});
