// Which tests show which rows of the fault matrix, read off the titles. A title begins with its rows: "12: ...",
// "19 and 22: ...", "rows 51 to 53"; tests without rows of their own belong to those of the group that they stand in.
// Run with a folder of tests ("node test/support/fault-rows.ts test"), it prints a line a row and title, so that two states of
// the project can be compared.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

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

/** **Takes**: the folder of the tests. **Gives**: the titles with rows in `fault/` and `long/`, by row. */
export function listRows(tests: string): RowTitle[] {
  const folders = ['fault', 'long'].filter((folder) => existsSync(join(tests, folder)));
  const files = folders.flatMap((folder) =>
    readdirSync(join(tests, folder))
      .filter((name) => name.endsWith('.test.ts') && name !== 'rows.test.ts')
      .map((name) => `${folder}/${name}`),
  );
  return files
    .flatMap((file) => titlesOf(file, readFileSync(join(tests, file), 'utf8')))
    .toSorted((a, b) => a.row - b.row);
}

if (import.meta.main) {
  for (const { row, file, title } of listRows(process.argv[2] ?? 'test')) console.log(`${row}\t${file}: ${title}`);
}
