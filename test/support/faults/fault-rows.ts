// Which tests show which rows of the fault matrix, read off the titles. A title begins with its rows: "12: ...",
// "19 and 22: ...", "rows 51 to 53"; tests without rows of their own belong to those of the group that they stand in.
// Run with a folder of tests ("node test/support/faults/fault-rows.ts test"), it prints a line a row and title, so that two states of
// the project can be compared; with the fault matrix behind it, it writes the files of the tests into that page.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';

/** Rows without a test, each with its reason. */
export const ELSEWHERE: ReadonlyMap<number, string> = new Map([
  [74, 'the throttling of a hidden window needs the real Electron'],
  [117, 'no archive is ever unpacked: what comes in is logs, replies and answers, each bounded'],
  [119, 'settings are not imported: their file is read, checked and never carries a key'],
]);

/** Rows that are tested beside what they hold: the file, and the beginning of the test's title. */
export const BESIDE: ReadonlyMap<number, readonly [file: string, title: string]> = new Map([
  [26, ['unit/shell/shell.test.ts', 'reloads a page that died']],
  [27, ['unit/shell/shell.test.ts', '27: ']],
  [105, ['e2e/page.test.ts', 'shows markup, right-to-left marks, emoji']],
  [106, ['unit/shell/shell.test.ts', 'denies every permission, navigation, new window']],
  [107, ['unit/shell/shell.test.ts', 'refuses every call from another page']],
  [108, ['unit/shell/shell.test.ts', 'denies every permission']],
  [110, ['unit/shell/secrets.test.ts', 'writes nothing where there is no key store']],
  [111, ['unit/delivery/client/client.test.ts', 'follows no redirect and does not carry the key']],
  [112, ['unit/delivery/client/download.test.ts', 'is fetched without the key']],
  [113, ['unit/delivery/client/base-url.test.ts', 'checkBaseUrl']],
  [114, ['unit/web/web-screen.test.ts', 'answers no request with a foreign Host']],
  [115, ['unit/delivery/client/safe-file-name.test.ts', 'keeps every name within its folder']],
  [116, ['unit/delivery/receipt/csv.test.ts', 'come back whole from a reader of CSV']],
  [118, ['unit/contract/dispatch.test.ts', 'answers every hostile name']],
  [120, ['e2e/packaged.test.ts', 'holds the built program']],
  [121, ['unit/shell/updates.test.ts', '121: ']],
  [123, ['e2e/built-bundle.test.ts', 'second-instance']],
  [124, ['unit/web/web-screen.test.ts', 'reports that the port is taken']],
  [125, ['unit/dependencies.test.ts', '125: ']],
  [126, ['unit/dependencies.test.ts', '126: ']],
]);

/** A title: the first text in the brackets of a call, of `test`, `describe` or their tables. */
const TITLE = /\(\s*['"`](?:rows? )?(\d+)(?: (and|to) (\d+))?(?::|['"`])/g;
/** A call of `test`, `describe` or of what their tables gave, with its title. */
const CALL = /^( *)(?=\S).*?(?:\btest|\bdescribe|\)|`)\(\s*(['"`])((?:\\.|(?!\2).)*)\2\s*,/gm;

/** Rows that the titles in a text name, one after the other. */
export function rowsOf(text: string): number[] {
  return [...text.matchAll(TITLE)].flatMap(([, from = '', word, until = from]) => {
    const [first, last] = [Number(from), Number(until)];
    if (word === 'to') return Array.from({ length: last - first + 1 }, (_, n) => first + n);
    return word === 'and' ? [first, last] : [first];
  });
}

export interface RowTitle {
  readonly row: number;
  /** Below the folder of tests. */
  readonly file: string;
  /** With the titles of its groups before it. */
  readonly title: string;
}

/** Titles of one file with their rows. Groups are told by how far their titles stand in from the left. */
function titlesOf(file: string, text: string): RowTitle[] {
  const groups: { readonly indent: number; readonly title: string; readonly rows: readonly number[] }[] = [];
  const found = [...text.matchAll(CALL)].map(([, indent = '', , title = '']) => ({ indent: indent.length, title }));
  return found.flatMap(({ indent, title }, at) => {
    while ((groups.at(-1)?.indent ?? -1) >= indent) groups.pop();
    const own = rowsOf(`('${title.replaceAll("'", '’')}'`);
    const rows = own.length > 0 ? own : (groups.at(-1)?.rows ?? []);
    const path = [...groups.map((group) => group.title), title].join(' > ');
    const isGroup = (found[at + 1]?.indent ?? -1) > indent;
    if (isGroup) groups.push({ indent, title, rows });
    return isGroup ? [] : rows.map((row) => ({ row, file, title: path }));
  });
}

/**
 * @param tests - the folder of the tests.
 * @returns the titles with rows in `fault/` and `long/`, by row.
 */
export function listRows(tests: string): RowTitle[] {
  const folders = ['fault', 'long'].filter((folder) => existsSync(join(tests, folder)));
  const files = folders.flatMap((folder) =>
    readdirSync(join(tests, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts') && name !== 'rows.test.ts')
      .map((name) => `${folder}/${name.replaceAll(sep, '/')}`),
  );
  return files
    .flatMap((file) => titlesOf(file, readFileSync(join(tests, file), 'utf8')))
    .toSorted((a, b) => a.row - b.row);
}

/**
 * Write the files of its tests into the last cell of each row of the fault matrix.
 *
 * @param page the text of the page
 * @param tests the folder of the tests
 * @returns the page; rows without a test keep their reason
 */
export function fillMatrix(page: string, tests: string): string {
  const titles = listRows(tests);
  const from = page.indexOf('\n## A.');
  const filled = page.slice(from).replace(/^(\| (\d+)(?: ★)? \| .* \| )(.*)( \|)$/gm, (line, begin, row, _, end) => {
    const files = new Set(titles.filter((one) => one.row === Number(row)).map(({ file }) => file));
    const beside = BESIDE.get(Number(row));
    if (files.size === 0 && beside) files.add(beside[0]);
    return files.size === 0 ? line : `${begin}${[...files].map((file) => `\`${file}\``).join(', ')}${end}`;
  });
  return page.slice(0, from) + filled;
}

if (import.meta.main) {
  const [tests = 'test', page] = process.argv.slice(2);
  if (page === undefined) for (const { row, file, title } of listRows(tests)) console.log(`${row}\t${file}: ${title}`);
  else writeFileSync(page, fillMatrix(readFileSync(page, 'utf8'), tests));
}
