// The page for operators quotes messages of the program, `…` for what varies. A message that was reworded and is quoted as it was
// before leads nobody anywhere: each quotation must stand in the code, its parts in order and close together. The remarks of a
// log source are written into the page by `npx n24 test/support/message-rows.ts`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { REMARKS } from '../../src-main/sources/log/notes/remarks.ts';
import { readPage } from '../support/docs.ts';
import { fillMessages } from '../support/message-rows.ts';

const top = join(import.meta.dirname, '../..');
/** Parts of one message stand no farther apart than this, in characters of code. */
const NEAR = 250;

/** The code without comments, with `…` for what is put into a text, and texts in several pieces joined. */
function spokenIn(folder: string): string {
  const files = readdirSync(join(top, folder), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  let text = files
    .map((file) => readFileSync(join(top, folder, file), 'utf8').replace(/^\s*(\/\/|\/?\*).*$/gm, ''))
    .join('\n');
  const putIn: string[] = [];
  // Innermost first, since what is put in may hold texts and braces of its own; those are kept behind the rest.
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replace(/\$\{([^{}`]*)\}/g, (_, inner: string) => {
      if (/['"]/.test(inner)) putIn.push(inner);
      return '…';
    });
  }
  return [text, ...putIn]
    .join('\n')
    .replace(/['`]\s*\+\s*['`]/g, '')
    .replace(/\s+/g, ' ')
    .replaceAll("\\'", "'");
}

const code = spokenIn('src-main');
const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function isSaid(message: string): boolean {
  const parts = message
    .split('…')
    .map((part) => part.trim())
    .filter((part) => part.length > 1);
  return new RegExp(parts.map(literally).join(`.{0,${NEAR}}?`), 'i').test(code);
}

const page = readPage('resources/docs/operating.md').text;
/** First cells of the table that a person writes. */
const quoted = (/\n## Messages\n[^|]*\| message.*\|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(page)?.[1] ?? '')
  .trim()
  .split('\n')
  .map((row) => row.split(' | ')[0]?.replace(/^\| /, '') ?? '');

test('the page has its table of messages, and a message that the program does not print is noticed', () => {
  expect(quoted.length).toBeGreaterThan(7);
  expect(isSaid('The order of day and month is not certain')).toBe(false);
});

test.each([...new Set(quoted)])('"%s" is said by the program', (message) => {
  expect(isSaid(message)).toBe(true);
});

test('the remarks of a log source stand on the page as the program says them', () => {
  expect(page.split('\n')).toEqual(fillMessages(page).split('\n'));
  const { text } = REMARKS['log.clock-change'];
  expect(page).toContain(`\n| ${text.replace('{}.', '…')} | You need to do nothing. |\n`);
});
