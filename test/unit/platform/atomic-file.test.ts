import { chmodSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeFileAtomic } from '../../../src-main/platform/atomic-file.ts';
import { expectMode, isPosix, posixTest } from '../../support/posix.ts';
import { tempFolder } from '../../support/temp-folder.ts';

test('replaces the content and leaves nothing else behind', async () => {
  const folder = tempFolder();
  const file = join(folder, 'a.txt');
  await writeFileAtomic(file, 'one');
  await writeFileAtomic(file, Buffer.from('two'));
  expect(readFileSync(file, 'utf8')).toBe('two');
  expect(readdirSync(folder)).toEqual(['a.txt']);
});

posixTest('gives mode 0600, whatever the umask and the former mode', async () => {
  const file = join(tempFolder(), 'a');
  writeFileSync(file, '');
  chmodSync(file, 0o666);
  const former = process.umask(0o277);
  onTestFinished(() => void process.umask(former));
  await writeFileAtomic(file, 'x');
  expectMode(file, 0o600);
});

test('forces the content to disk before the file takes its name, and the folder after', async () => {
  const file = join(tempFolder(), 'a.txt');
  writeFileSync(file, 'old');
  const handle = await open(file);
  const prototype = Object.getPrototypeOf(handle) as { sync(): Promise<void> };
  await handle.close();
  const { sync } = prototype;
  onTestFinished(() => {
    prototype.sync = sync;
  });
  const seen: string[] = [];
  prototype.sync = async function (this: typeof handle) {
    seen.push(`${(await this.stat()).isDirectory() ? 'folder' : 'content'}: ${readFileSync(file, 'utf8')}`);
    await sync.call(this);
  };
  await writeFileAtomic(file, 'new');
  // Windows forces no folder: NTFS notes names in a journal of its own.
  expect(seen).toEqual(isPosix ? ['content: old', 'folder: new'] : ['content: old']);
});

test('a write that fails leaves the old content and no temporary file', async () => {
  const folder = tempFolder();
  mkdirSync(join(folder, 'taken'));
  await expect(writeFileAtomic(join(folder, 'taken'), 'x')).rejects.toMatchObject({
    code: isPosix ? 'EISDIR' : 'EPERM',
  });
  await expect(writeFileAtomic(join(folder, 'none', 'x'), 'x')).rejects.toMatchObject({ code: 'ENOENT' });
  expect(readdirSync(folder)).toEqual(['taken']);
});

test('many writers at once leave one content, whole', async () => {
  const folder = tempFolder();
  const file = join(folder, 'a');
  const contents = Array.from({ length: 20 }, (_, index) => String(index).repeat(50_000));
  await Promise.all(contents.map((content) => writeFileAtomic(file, content)));
  expect(contents).toContain(readFileSync(file, 'utf8'));
  expect(readdirSync(folder)).toEqual(['a']);
});

test('removes what killed writers left long ago, and nothing of others', async () => {
  const folder = tempFolder();
  const names = ['.a.1-00.tmp', '.a.2-00.tmp', '.b.1-00.tmp', 'a.tmp'];
  for (const name of names) writeFileSync(join(folder, name), '');
  for (const name of names.filter((name) => !name.includes('2-00'))) utimesSync(join(folder, name), 1, 1);
  await writeFileAtomic(join(folder, 'a'), 'x');
  expect(readdirSync(folder).sort()).toEqual(['.a.2-00.tmp', '.b.1-00.tmp', 'a', 'a.tmp']);
});
