// Code, tests and pages cite decisions by number: each cited one stands in a file of its own.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPage } from '../support/docs.ts';

const top = join(import.meta.dirname, '../..');
const FOLDER = 'resources/docs/decisions';
/** What may cite a decision; what a build or a packager makes may not. */
const CITING = ['src-main', 'src-renderer', 'test', 'resources', '.github'];
const TEXT = /\.(ts|tsx|mjs|css|md|yaml|yml|cmd|service)$/;
const CITED = /\bdecisions? (\d+(?:(?:, | and )\d+)*)/gi;

const names = readdirSync(join(top, FOLDER)).filter((name) => /^\d{4}-/.test(name));
const decisions = names.map((name) => {
  const { text } = readPage(`${FOLDER}/${name}`);
  return { name, text, number: Number(name.slice(0, 4)) };
});

/** The numbers of decisions that a text cites: "decision 80", "decisions 241 and 243". */
function citedIn(text: string): number[] {
  return [...text.matchAll(CITED)].flatMap(([, list = '']) => list.split(/, | and /).map(Number));
}

test('a citation is found in all its forms', () => {
  expect(citedIn('see decision 80; decisions 241 and 243, Decisions 1, 2 and 3; decision tables of 5')).toEqual([
    80, 241, 243, 1, 2, 3,
  ]);
});

test('every number means one decision', () => {
  const numbers = decisions.map(({ number }) => number);
  expect(numbers.length).toBeGreaterThan(8);
  expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([]);
});

test.each(decisions)('$name has its number, a context, a decision and a consequence', ({ text, number }) => {
  expect(text).toMatch(new RegExp(`^# ${number}\\. .+\n\n- \\*\\*Context\\.\\*\\* `));
  expect(text).toMatch(/\n- \*\*Decision\.\*\* .+\n- \*\*Consequence\.\*\* /s);
});

test('the index names each file once, by its title', () => {
  const { text } = readPage(`${FOLDER}/index.md`);
  const listed = [...text.matchAll(/^- (\d+)\. \[(.+)\]\((.+)\)$/gm)].map(([, number, title, file]) =>
    [file, `# ${number}. ${title}`].join(' '),
  );
  expect(listed.toSorted()).toEqual(
    decisions.map(({ name, text: page }) => `${name} ${page.split('\n')[0]}`).toSorted(),
  );
});

test('every decision that is cited exists', () => {
  const known = new Set(decisions.map(({ number }) => number));
  const files = CITING.flatMap((folder) =>
    readdirSync(join(top, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => TEXT.test(name))
      .map((name) => join(folder, name)),
  );
  const missing = [...files, 'README.md']
    .filter((file) => !file.endsWith('decisions.test.ts'))
    .flatMap((file) => citedIn(readFileSync(join(top, file), 'utf8')).map((number) => ({ file, number })))
    .filter(({ number }) => !known.has(number));
  expect(missing).toEqual([]);
});
