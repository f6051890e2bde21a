import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeNewFile } from '../../../src-main/platform/new-file.ts';
import { expectMode } from '../../support/posix.ts';
import { tempFolder } from '../../support/temp-folder.ts';

async function* pieces(texts: readonly string[], between: () => void = () => {}): AsyncGenerator<string> {
  for (const text of texts) {
    yield text;
    between();
  }
}
const exists = expect.objectContaining({ code: 'file.exists' });

test('makes the file from all pieces, for this user alone, and leaves nothing beside it', async () => {
  const folder = tempFolder();
  await writeNewFile(join(folder, 'a.csv'), pieces(['one\n', 'two\n', '°C\n']));
  expect(readFileSync(join(folder, 'a.csv'), 'utf8')).toBe('one\ntwo\n°C\n');
  expectMode(join(folder, 'a.csv'), 0o600);
  expect(readdirSync(folder)).toEqual(['a.csv']);
});

test('the file is not there before its last piece is', async () => {
  const path = join(tempFolder(), 'a.csv');
  const seen: boolean[] = [];
  await writeNewFile(
    path,
    pieces(['one', 'two'], () => seen.push(existsSync(path))),
  );
  expect(seen).toEqual([false, false]);
});

test('never touches a file that exists, or that came to be while the pieces were written', async () => {
  const folder = tempFolder();
  const path = join(folder, 'a.csv');
  const theirs = () => writeFileSync(path, 'theirs');
  await expect(writeNewFile(path, pieces(['ours', 'more'], theirs))).rejects.toEqual(exists);
  expect(readFileSync(path, 'utf8')).toBe('theirs');
  await expect(writeNewFile(path, pieces(['ours']))).rejects.toEqual(exists);
  expect(readFileSync(path, 'utf8')).toBe('theirs');
  expect(readdirSync(folder)).toEqual(['a.csv']);
});

test('leaves nothing behind when the pieces end with a fault, or the folder is not there', async () => {
  const folder = tempFolder();
  const broken = pieces(['one', 'two'], () => {
    throw new Error('store gone');
  });
  await expect(writeNewFile(join(folder, 'a.csv'), broken)).rejects.toThrow('store gone');
  await expect(writeNewFile(join(folder, 'no', 'a.csv'), pieces(['x']))).rejects.toThrow('ENOENT');
  expect(readdirSync(folder)).toEqual([]);
});

test('says what the file system refuses, and calls nothing taken that is not', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'file'), '');
  for (const path of [join(folder, 'no', 'a.csv'), join(folder, 'file', 'a.csv'), join(folder, 'a'.repeat(300))]) {
    const said = await writeNewFile(path, pieces(['x'])).then(
      () => expect.fail('was made'),
      (thrown: unknown) => thrown,
    );
    expect(said).toMatchObject({ code: 'file.not-made', retry: 'after-human' });
    expect((said as Error).message).toContain(path);
  }
  expect(readdirSync(folder)).toEqual(['file']);
});
