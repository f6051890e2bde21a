// What a checkout of this repository on Windows must be: the same bytes as elsewhere, started by a command that PowerShell runs.
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPage } from '../support/docs.ts';
import { tempFolder } from '../support/temp-folder.ts';

const top = join(import.meta.dirname, '../..');

test('git changes no line end, also where it is set to do so, as its installer for Windows does', () => {
  const folder = tempFolder('checkout');
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@localhost', '-c', 'commit.gpgsign=false'];
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'core.autocrlf=true', ...who, ...words], { cwd: folder, stdio: 'pipe' });
  const texts = { 'unix.csv': 'a,b\n1,2\n', 'windows.csv': 'a,b\r\n1,2\r\n', 'mixed.csv': 'a,b\r\n1,2\n' };
  cpSync(join(top, '.gitattributes'), join(folder, '.gitattributes'));
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'a');
  for (const name of Object.keys(texts)) rmSync(join(folder, name));
  git('checkout', '--', '.');
  for (const [name, text] of Object.entries(texts)) expect(readFileSync(join(folder, name), 'utf8'), name).toBe(text);
});

test('the README says what to write where PowerShell does not run npm: its scripts are switched off on Windows as it comes', () => {
  const { text } = readPage('README.md');
  const [, start = ''] = /\n## Start it\n(.*?)\n## /s.exec(text) ?? [];
  expect(start).toContain('npm ci\n');
  expect(start).toMatch(/PowerShell[^.]*`npm\.cmd`/);
});
