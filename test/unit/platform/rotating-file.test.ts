import { chmodSync, mkdirSync, readdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RotatingFile } from '../../../src-main/platform/rotating-file.ts';
import { expectMode, posixTest } from '../../support/posix.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const read = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8');

test('keeps lines in order, through reopening', async () => {
  const path = join(tempFolder(), 'log');
  for (const part of [0, 1]) {
    const file = new RotatingFile({ path });
    for (let line = 0; line < 100; line++) file.write(`${part * 100 + line}\n`);
    await file.flush();
  }
  expect(readFileSync(path, 'utf8').trim().split('\n').map(Number)).toEqual(Array.from({ length: 200 }, (_, i) => i));
});

test('never holds more files or bytes than allowed, and keeps the newest lines', async () => {
  const folder = tempFolder();
  const file = new RotatingFile({ path: join(folder, 'log'), fileBytes: 1000, files: 3 });
  for (let line = 0; line < 1000; line++) {
    file.write(`line ${line}\n`);
    if (line % 7 === 0) await file.flush();
  }
  await file.flush();
  expect(readdirSync(folder).sort()).toEqual(['log', 'log.1', 'log.2']);
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(1000);
  const lines = `${read(folder, 'log.2')}${read(folder, 'log.1')}${read(folder, 'log')}`.trim().split('\n');
  expect(lines.at(-1)).toBe('line 999');
  expect(lines).toEqual(Array.from({ length: lines.length }, (_, i) => `line ${1000 - lines.length + i}`));
});

test('cuts a line that is longer than a file', async () => {
  const folder = tempFolder();
  const file = new RotatingFile({ path: join(folder, 'log'), fileBytes: 1000, files: 2 });
  file.write(`${'ü'.repeat(5000)}\n`);
  file.write('after\n');
  await file.flush();
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(1000);
  expect(read(folder, 'log')).toMatch(/ü…\nafter\n$/);
});

test('lines that the disk refuses are dropped, and counted when it takes them again', async () => {
  const folder = tempFolder();
  const path = join(folder, 'log');
  mkdirSync(path); // A folder stands where the file should.
  const file = new RotatingFile({ path });
  for (let line = 0; line < 3; line++) {
    file.write(`lost ${line}\n`);
    await file.flush();
  }
  rmdirSync(path);
  file.write('kept\n');
  await file.flush();
  expect(readFileSync(path, 'utf8')).toBe('{"level":"warning","msg":"3 log lines were dropped"}\nkept\n');
});

test('holds a bounded amount for a disk that hangs and says how much was dropped', async () => {
  const path = join(tempFolder(), 'log');
  const file = new RotatingFile({ path });
  const line = `${'x'.repeat(1023)}\n`;
  for (let count = 0; count < 3000; count++) file.write(line); // 3 MB before the disk gets its turn.
  await file.flush();
  const kept = readFileSync(path, 'utf8').split(line).length - 1;
  file.write('after\n');
  await file.flush();
  expect(kept).toBe(1024);
  expect(readFileSync(path, 'utf8')).toContain(`${3000 - 1024} log lines were dropped`);
});

test('writes what is held at once when the process ends', () => {
  const path = join(tempFolder(), 'log');
  const file = new RotatingFile({ path });
  file.write('last words\n');
  file.flushNow();
  expect(readFileSync(path, 'utf8')).toBe('last words\n');
});

posixTest('can be read by this user alone, also when it was not before', async () => {
  const path = join(tempFolder(), 'logs', 'log');
  mkdirSync(join(path, '..'));
  writeFileSync(path, '');
  chmodSync(path, 0o644);
  const file = new RotatingFile({ path });
  file.write('x\n');
  await file.flush();
  expectMode(path, 0o600);
});
