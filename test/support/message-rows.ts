// Writes what a log source remarks of its files, with what to do, into the page for operators: "npx n24
// test/support/message-rows.ts". A test compares both.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REMARKS } from '../../src-main/sources/log/notes/remarks.ts';

const HEADING = '### Of the files of a log source\n';
/** From the heading to the last row of the table below it. */
const TABLE = new RegExp(`(${HEADING}(?:(?!\\|).*\\n)*\\|.*\\n\\|---.*\\n)((?:\\|.*\\n)*)`);

/**
 * Write the remarks into the table of a page.
 *
 * @param page the text of the page.
 * @returns the page with a row for each remark, `…` for what varies.
 */
export function fillMessages(page: string): string {
  const rows = Object.values(REMARKS).map(({ text, hint }) => {
    const cells = [text.replace(/\{\}\.?/, '…'), hint || 'You need to do nothing.'];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
  });
  return page.replace(TABLE, (_, head: string) => head + rows.join(''));
}

if (import.meta.main) {
  const page = join(import.meta.dirname, '../../resources/docs/operating.md');
  writeFileSync(page, fillMessages(readFileSync(page, 'utf8')));
}
