// The pages for people and the page Help quote the messages of the program, `…` for what varies. A message that was reworded and is quoted
// as it was before leads nobody anywhere: each quotation must stand in the code, its parts in order and close together.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { REMARK_CODES, remarkOf } from '../../src-main/sources/log/notes/remarks.ts';
import { messages } from '../../src-renderer/features/help/messages.ts';
import { readPages } from '../support/docs.ts';

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

/** First cells of their tables of messages. */
const quoted = readPages()
  .flatMap(({ text }) => [...text.matchAll(/\n\| message.*\|\n\|---\|---\|\n((?:\|.*\n)+)/g)])
  .flatMap(([, rows = '']) => rows.trim().split('\n'))
  .map((row) => row.split(' | ')[0]?.replace(/^\| /, '') ?? '');

test('the pages have their tables of messages, and a message that nobody says is noticed', () => {
  expect(quoted.length).toBeGreaterThan(30);
  expect(isSaid('The order of day and month is not certain')).toBe(false);
});

test.each([...new Set(quoted)])('pages: "%s" is said by the program', (message) => {
  expect(isSaid(message)).toBe(true);
});

test.each(messages.map(({ message }) => message))('Help: "%s" is said by the program', (message) => {
  expect(isSaid(message)).toBe(true);
});

test.each(REMARK_CODES)('pages: what a source tells under %s has a line', (code) => {
  const said = remarkOf(code).say('');
  const isQuoted = quoted.some((message) => {
    const parts = message.split('…').map((part) => part.trim().replace(/:$/, ''));
    return parts[0] !== '' && new RegExp(`^${parts.map(literally).join('.*')}`).test(said);
  });
  expect(isQuoted, said).toBe(true);
});
