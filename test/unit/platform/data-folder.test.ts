import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { announceAgent, findAgent } from '../../../src-main/platform/announce.ts';
import {
  defaultDataFolder,
  findInstance,
  openDataFolder,
  otherFolder,
} from '../../../src-main/platform/data-folder.ts';
import { expectMode, posixTest } from '../../support/posix.ts';
import { tempFolder } from '../../support/temp-folder.ts';

async function open(path: string, nowMs = 1_700_000_000_000) {
  const folder = await openDataFolder(path, nowMs);
  onTestFinished(() => folder.close());
  return folder;
}

const errorOf = (opening: Promise<unknown>) =>
  opening.then(
    () => expect.fail('was opened'),
    (error) => error,
  );
const NOTE = { address: 'http://127.0.0.1:4311', token: 't'.repeat(43) };

test('makes the folder, with those above it, for this user alone', async () => {
  const path = join(tempFolder(), 'a', 'b');
  await open(path);
  expectMode(path, 0o700);
  expectMode(join(path, 'instances'), 0o700);
});

posixTest('writes through no link that lies in the folder', async () => {
  for (const place of ['queue.db', 'logs/agent.log']) {
    const path = tempFolder();
    const target = join(tempFolder('elsewhere'), 'file');
    mkdirSync(join(path, 'logs'));
    symlinkSync(target, join(path, place));
    const error = await errorOf(openDataFolder(path));
    expect(error).toMatchObject({ code: 'data.link', message: expect.stringContaining(join(path, place)) });
    expect(existsSync(target)).toBe(false);
  }
});

posixTest('closes to others a folder that was open to them', async () => {
  const path = tempFolder();
  chmodSync(path, 0o755);
  await open(path);
  expectMode(path, 0o700);
});

test('a second agent is told who runs there and since when', async () => {
  const path = tempFolder();
  await open(path);
  const error = await errorOf(openDataFolder(path));
  expect(error).toMatchObject({ code: 'data.in-use', context: { pid: process.pid, sinceMs: 1_700_000_000_000 } });
  expect(error.message).toContain(`process ${process.pid}, since 2023-11-14T22:13:20.000Z`);
});

test('is free again once closed', async () => {
  const path = tempFolder();
  const folder = await open(path);
  expect((await findInstance(path))?.pid).toBe(process.pid);
  await folder.close();
  expect(await findInstance(path)).toBeNull();
  await open(path);
});

test('refuses a synchronized folder, names a local one, and makes nothing there', async () => {
  const path = join(tempFolder(), 'Dropbox');
  mkdirSync(path);
  const error = await errorOf(openDataFolder(join(path, 'data')));
  expect(error).toMatchObject({ code: 'data.not-local' });
  expect(error.hint).toContain(defaultDataFolder());
  expect(readdirSync(path)).toEqual([]);
});

test('refuses what is no folder', async () => {
  const file = join(tempFolder(), 'file');
  writeFileSync(file, 'mine');
  expect(await errorOf(openDataFolder(file))).toMatchObject({ code: 'data.unusable' });
  expect(await errorOf(openDataFolder(join(file, 'sub')))).toMatchObject({ code: 'data.unusable' });
});

posixTest('refuses, also to the administrator, what another user has recorded, and leaves nothing there', async () => {
  const isRoot = process.geteuid?.() === 0;
  const path = isRoot ? tempFolder() : '/usr';
  if (isRoot) chownSync(path, 54_321, 54_321);
  const before = readdirSync(path);
  const error = await errorOf(openDataFolder(path));
  expect(error).toMatchObject({ code: 'data.of-another-user', context: { uid: isRoot ? 54_321 : 0 } });
  expect(readdirSync(path)).toEqual(before);
  if (!isRoot) return;
  // Who has recorded in a folder of others until now goes on with what is his own.
  writeFileSync(join(path, 'queue.db'), '');
  await open(path);
});

test('a hint never offers the folder that was refused', () => {
  expect(otherFolder('/refused')).toContain(defaultDataFolder());
  expect(otherFolder(defaultDataFolder())).toBe('another folder with --data');
});

test('lies by default on this PC, in a folder of our name', () => {
  expect(defaultDataFolder()).toMatch(/epistream/);
});

test('a running agent is found by its note, which only its user can read', async () => {
  const path = tempFolder();
  const folder = await open(path);
  const withdraw = await announceAgent(folder, NOTE);
  expect(await findAgent(path)).toEqual({ ...NOTE, ...folder.instance });
  expectMode(join(path, 'agent.json'), 0o600);
  await withdraw();
  expect(await findAgent(path)).toBeNull();
  expect(readdirSync(path)).toEqual(['instances']);
});

test('a note and a claim that are removed are left again', async () => {
  const path = tempFolder();
  const folder = await open(path);
  const withdraw = await announceAgent(folder, NOTE);
  rmSync(join(path, 'agent.json'));
  rmSync(join(path, 'instances'), { recursive: true });
  await expect.poll(() => findAgent(path), { timeout: 60_000 }).toEqual({ ...NOTE, ...folder.instance });
  await withdraw();
});

test('a note that the disk did not take at first is left as soon as it does; a folder that is away is not made', async () => {
  const path = tempFolder();
  const folder = await open(path);
  renameSync(path, `${path}.away`);
  const withdraw = await announceAgent(folder, NOTE);
  expect(existsSync(path)).toBe(false);
  renameSync(`${path}.away`, path);
  await expect.poll(() => findAgent(path), { timeout: 60_000 }).toEqual({ ...NOTE, ...folder.instance });
  await withdraw();
});

test('a folder that was let go is not claimed again', async () => {
  const path = tempFolder();
  const folder = await openDataFolder(path);
  await folder.close();
  await folder.keep();
  expect(await findInstance(path)).toBeNull();
});

test('the note of an agent that was killed is not believed, since its port may be a stranger by now', async () => {
  const path = tempFolder();
  const killed = await open(path);
  await announceAgent(killed, NOTE);
  await killed.close(); // Without taking the note away.
  expect(await findAgent(path)).toBeNull();
  await open(path);
  expect(await findAgent(path)).toBeNull();
});

test('an agent that ends late leaves the note of its successor alone', async () => {
  const path = tempFolder();
  const first = await open(path);
  const withdraw = await announceAgent(first, NOTE);
  await first.close();
  const second = await open(path);
  await announceAgent(second, { ...NOTE, address: 'http://127.0.0.1:4312' });
  await withdraw();
  expect((await findAgent(path))?.address).toBe('http://127.0.0.1:4312');
});

test.each(['', '{', '[]', '{"address":"http://evil.example"}'])('a note that says %j is nobody', async (text) => {
  const path = tempFolder();
  await open(path);
  writeFileSync(join(path, 'agent.json'), text);
  expect(await findAgent(path)).toBeNull();
});

test('a note that points elsewhere than to this PC is not followed', async () => {
  const path = tempFolder();
  const folder = await open(path);
  for (const address of [
    'http://10.0.0.1:80',
    'https://127.0.0.1:1',
    'http://127.0.0.1:1@evil.example',
    'http://localhost:1',
  ]) {
    await announceAgent(folder, { ...NOTE, address });
    expect(await findAgent(path)).toBeNull();
  }
});
