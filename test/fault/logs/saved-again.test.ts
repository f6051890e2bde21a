// Logs that a person edits and saves while they are followed: other bytes, the same rows. None of them goes out a second time.
import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLogRig } from '../../support/logs/log-rig.ts';

const HEADER = 'time,T (°C),p (mbar)\n';
const two = (n: number) => String(n).padStart(2, '0');
const row = (n: number) => `2026-11-20 10:${two(Math.floor(n / 60))}:${two(n % 60)},${600 + n}.5,3.2E-09\n`;
const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => row(from + n)).join('');
const numbers = (to: number) => Array.from({ length: to }, (_, n) => 600.5 + n);

type Save = (text: string) => string | Buffer;
const SAVES: readonly (readonly [string, Save])[] = [
  ['with other line ends', (text) => text.replaceAll('\n', '\r\n')],
  ['with one other line end', (text) => text.replace(/\n$/, '\r\n')],
  ['with a byte order mark', (text) => `\ufeff${text}`],
  ['with a remark above', (text) => `# opened by AB\n${text}`],
  ['with one blank more', (text) => text.replace(',610.5', ', 610.5')],
  ['with another separator', (text) => text.replaceAll(',', ';')],
  ['as UTF-16', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['with a value that was changed', (text) => text.replace('605.5', '999.5')],
  ['without its first rows', (text) => HEADER + text.split('\n').slice(9).join('\n')],
];

function start() {
  const { folder, reader } = openLogRig({ match: 'log.csv' });
  const log = join(folder, 'log.csv');
  writeFileSync(log, HEADER + rows(0, 24));
  const save = (how: Save) => {
    writeFileSync(`${log}.tmp`, how(readFileSync(log, 'utf8')));
    renameSync(`${log}.tmp`, log);
  };
  return { log, reader, save };
}

test.each(SAVES)('a log that is saved %s is read on behind what was read', async (name, how) => {
  const { log, reader, save } = start();
  await reader.look();
  save(how);
  await reader.look(3000);
  await reader.look(3000);
  const isWide = name === 'as UTF-16';
  const more = how(rows(24, 30))
    .toString(isWide ? 'utf16le' : 'utf8')
    .replace(/^\ufeff|^# .*\n/, '');
  if (name !== 'without its first rows') appendFileSync(log, more, isWide ? 'utf16le' : 'utf8');
  await reader.look(3000);
  await reader.look(3000);
  expect(reader.sink.values('T')).toEqual(numbers(name === 'without its first rows' ? 24 : 30));
  expect(reader.sink.notes.get('log.saved-again')?.message).toContain('log.csv');
});

test.each(SAVES)(
  'and so it is where it was saved %s while nobody looked, with rows that nobody read',
  async (_, how) => {
    const { log, reader, save } = start();
    await reader.look();
    await reader.kill();
    appendFileSync(log, rows(24, 27));
    save(how);
    await reader.look(3000);
    await reader.look(3000);
    expect(reader.sink.values('T')).toEqual(numbers(27));
  },
);

test('saved twice, killed in between', async () => {
  const { log, reader, save } = start();
  await reader.look();
  save((text) => text.replaceAll('\n', '\r\n'));
  await reader.look(3000);
  await reader.kill();
  save((text) => text.replaceAll('\r\n', '\n'));
  appendFileSync(log, rows(24, 26));
  await reader.look(3000);
  await reader.look(3000);
  expect(reader.sink.values('T')).toEqual(numbers(26));
});

test('a log that begins again is read whole, also where its clock was set back into the time that was read', async () => {
  const { log, reader } = start();
  await reader.look();
  writeFileSync(log, HEADER + rows(5, 9).replaceAll(',6', ',7'));
  await reader.look(3000);
  await reader.look(3000);
  expect(reader.sink.values('T')).toEqual([...numbers(24), 705.5, 706.5, 707.5, 708.5]);
  expect(reader.sink.notes.has('log.saved-again')).toBe(false);
});
