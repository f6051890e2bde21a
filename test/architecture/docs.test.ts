// The pages for people: short enough, all reached from the README, without dead links, commands, paths or banned words.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { runHere } from '../support/command.ts';
import { type DocPage, namedCommands, readPage, readPages } from '../support/docs.ts';
import { ELSEWHERE, fillMatrix } from '../support/faults/fault-rows.ts';

const top = join(import.meta.dirname, '../..');
const pages = readPages();

/** Words at which a native engineer stops, with what to write instead. */
const BANNED: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\bmend(s|ed|ing)?\b/i, 'repaired, fixed'],
  [/\banew\b/i, 'again, from scratch'],
  [/\bin words\b/i, 'as text, or what the text says'],
  [/\btold of\b/i, 'notified, reported'],
  [/\bwhoever\b/i, 'the part or person by name'],
  [/\bhangs on\b/i, 'depends on'],
  [/\bpassed over\b/i, 'skipped'],
  [/\bheld against\b/i, 'compared with'],
  [/\bcounted back\b/i, 'confirmed'],
  [/\bwhole paths?\b/i, 'absolute path'],
  [/\btimes? of change\b/i, 'modification time'],
  [/\breckon(s|ed|ing)?\b/i, 'count, compute, assume'],
  [/\bknock(s|ed|ing)?\b/i, 'connect, request'],
  [/\*\*(takes|gives|errors)\*\*/i, 'the tags @param, @returns, @throws'],
];

/** Folders whose comments and texts the list holds for, beside the pages. */
const COVERED = ['src-main', 'src-renderer', 'resources', 'test'];

/** Files below them that the list does not hold for, each with the reason. */
const NOT_COVERED: readonly (readonly [path: RegExp, reason: string])[] = [
  [/^test\/fixtures\//, 'recorded data of tools and instruments'],
  [/^test\/architecture\/docs\.test\.ts$/, 'the list itself'],
  [/^resources\/third-party-notices\.md$/, 'licences of others, generated'],
  [/^resources\/epistream\.schema\.json$/, 'generated from the settings in src-main'],
  [/\.(png|ico|icns)$/, 'binary'],
];

const prose = (text: string) => text.replace(/```.*?```/gs, '');

/** Targets of links and pictures of a page: below the top, without what leads elsewhere. */
function linksOf({ path, text }: DocPage): { target: string; anchor: string }[] {
  return [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [file = '', anchor = ''] = link.split('#');
      return { target: file === '' ? path : posix.join(dirname(path), file), anchor };
    });
}

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(text: string): string[] {
  return [...prose(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('the README has at most 130 lines, CONTRIBUTING at most 100', () => {
  expect(readPage('README.md').text.split('\n').length - 1).toBeLessThanOrEqual(130);
  expect(readPage('.github/CONTRIBUTING.md').text.split('\n').length - 1).toBeLessThanOrEqual(100);
});

test('prose has at most 900 lines, tables, code and the changelog aside', () => {
  const lines = pages
    .filter(({ path }) => !path.endsWith('changelog.md'))
    .flatMap(({ text }) => prose(text).split('\n'))
    .filter((line) => line.trim() !== '' && !line.startsWith('|'));
  expect(lines.length).toBeLessThanOrEqual(900);
});

test('every page is reached from the README', () => {
  const reached = new Set(['README.md']);
  for (const path of reached) {
    const page = pages.find((one) => one.path === path);
    for (const { target } of page ? linksOf(page) : []) reached.add(target);
  }
  expect(pages.map(({ path }) => path).filter((path) => !reached.has(path))).toEqual([]);
});

test('an anchor is made as GitHub makes it, and a link is told apart from an address', () => {
  expect(anchorsOf('# A\n\n## First run, in a minute\n```sh\n# no heading\n```\n### `a_b` & c')).toEqual([
    'a',
    'first-run-in-a-minute',
    'a_b--c',
  ]);
  expect(linksOf({ path: 'a/b.md', text: '[x](../c.md#d) [y](#e) [z](https://f.g/h)' })).toEqual([
    { target: 'c.md', anchor: 'd' },
    { target: 'a/b.md', anchor: 'e' },
  ]);
});

test.each(pages)('$path: every link and anchor leads somewhere', (page) => {
  const dead = linksOf(page).filter(({ target, anchor }) => {
    if (!existsSync(join(top, target))) return true;
    return anchor !== '' && !(target.endsWith('.md') && anchorsOf(readPage(target).text).includes(anchor));
  });
  expect(dead).toEqual([]);
});

test('the pictures in resources/screenshots are those that a page shows', () => {
  const shown = pages.flatMap(linksOf).map(({ target }) => target);
  const pictures = new Set(shown.filter((target) => posix.dirname(target) === 'resources/screenshots'));
  const kept = readdirSync(join(top, 'resources/screenshots')).map((name) => `resources/screenshots/${name}`);
  expect(kept.sort()).toEqual([...pictures].sort());
});

test.each(pages)('$path: every file, folder and script that it names exists', ({ text }) => {
  const quoted = [...text.matchAll(/[` ]((?:src-main|src-renderer|test|resources)\/[\w./-]*\w)[` :.;,)\n]/g)];
  const inCommands = [...text.matchAll(/vitest run --project \w+ ([\w./-]*\w)/g)];
  // A person makes these files while following the page; a test may be named without its ending.
  const isToBeMade = (path: string) => /my-gauge|my-tool|NNNN/.test(path);
  const isThere = (path: string) =>
    ['', '.test.ts', '-sets.test.ts'].some((end) => existsSync(join(top, `${path}${end}`)));
  const paths = [...quoted, ...inCommands].map(([, path = '']) => path);
  expect(paths.filter((path) => !isToBeMade(path) && !isThere(path))).toEqual([]);
  const scripts = [...text.matchAll(/npm run ([a-z][a-z:-]*[a-z])/g)].map(([, name = '']) => name);
  expect(scripts.filter((name) => !Object.hasOwn(manifest.scripts, name))).toEqual([]);
});

test('every command of Epistream that a page names exists', async () => {
  const { out } = await runHere(['--help']);
  const known = [...out.matchAll(/^ {2}([a-z]+) /gm)].map(([, name = '']) => name);
  const named = pages.flatMap(({ path, text }) => namedCommands(text).map(({ name }) => `${path}: ${name}`));
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((one) => !known.includes(one.replace(/^.*: (\w+).*$/, '$1')))).toEqual([]);
  expect(known.filter((name) => !named.some((one) => one.endsWith(`: ${name}`)))).toEqual([]);
});

describe('banned words', () => {
  /** Banned words in a text, each with its line and what to write instead. */
  const bannedIn = (path: string, text: string) =>
    text.split('\n').flatMap((line, at) =>
      BANNED.flatMap(([word, instead]) => {
        const [found] = word.exec(line) ?? [];
        return found === undefined ? [] : [`${path}:${at + 1}: "${found}"; write: ${instead}`];
      }),
    );
  const below = (folder: string) =>
    readdirSync(join(top, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .filter((path) => statSync(join(top, path)).isFile());
  const isCovered = (path: string) => !NOT_COVERED.some(([left]) => left.test(path));

  test('a banned word is found with its line', () => {
    expect(bannedIn('a.md', 'fine\nIt was mended Anew')).toEqual([
      'a.md:2: "mended"; write: repaired, fixed',
      'a.md:2: "Anew"; write: again, from scratch',
    ]);
  });

  test('every exception stands for a file', () => {
    const paths = COVERED.flatMap(below);
    expect(NOT_COVERED.filter(([left]) => !paths.some((path) => left.test(path)))).toEqual([]);
  });

  test.each(pages.filter(({ path }) => !path.startsWith('resources/')))('$path has none', ({ path, text }) => {
    expect(bannedIn(path, text)).toEqual([]);
  });

  test.each(COVERED)('comments and texts of %s have none', (folder) => {
    const paths = below(folder).filter(isCovered);
    expect(paths.flatMap((path) => bannedIn(path, readFileSync(join(top, path), 'utf8')))).toEqual([]);
  });
});

test('the fault matrix has each row once, with the files of its tests', () => {
  const { path, text } = readPage('resources/docs/fault-matrix.md');
  const rows = [...text.slice(text.indexOf('\n## A.')).matchAll(/^\| (\d+)(?: ★)? \| .* \| (.*) \|$/gm)];
  expect(rows.map(([, row]) => Number(row))).toEqual(Array.from({ length: 130 }, (_, at) => at + 1));
  // "node resources/dev-node/n24.mjs test/support/faults/fault-rows.ts test resources/docs/fault-matrix.md" writes them again.
  expect(text, path).toBe(fillMatrix(text, join(top, 'test')));
  expect(rows.filter(([, , cell = '']) => !cell.startsWith('`')).map(([, row]) => Number(row))).toEqual([
    ...ELSEWHERE.keys(),
  ]);
});
