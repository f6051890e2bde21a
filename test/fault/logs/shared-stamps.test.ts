// Rows that come faster than their stamps tell (equal stamps: fault matrix, row 71). No time is made up; the person is told, once.
import { expect, test } from 'vitest';
import type { LogReader } from '../../support/logs/log-reader.ts';
import { openLogRig } from '../../support/logs/log-rig.ts';
import { rows, two } from '../../support/logs/text-log.ts';

/** Write a log in two pieces, the second one row by row, and read it as it grows. */
async function follow(header: string, row: (n: number) => string): Promise<LogReader> {
  const { reader, writer } = openLogRig();
  await writer.append('log.csv', header + rows(40, row));
  await reader.look();
  for (let n = 40; n < 48; n++) {
    await writer.append('log.csv', row(n));
    await reader.look();
  }
  return reader;
}

test('rows of one second keep their stamp and their order, and the source says so', async () => {
  const reader = await follow('Time;p\n', (n) => `2026-11-20 10:15:${two(Math.floor(n / 4))};${n}.5\n`);
  const points = reader.sink.points('p');
  expect(points.map(({ value }) => value)).toEqual(Array.from({ length: 48 }, (_, n) => n + 0.5));
  const first = Date.UTC(2026, 10, 20, 10, 15);
  expect(points.map(({ timeMs }) => timeMs)).toEqual(points.map((_, n) => first + Math.floor(n / 4) * 1000));
  expect(reader.sink.notes.get('log.stamps-shared')).toMatchObject({ level: 'warning' });
  expect(reader.sink.notes.get('log.stamps-shared')?.message).toContain('log.csv');
});

test.each([
  ['a second that two rows fell into by chance', (n: number) => `2026-11-20 10:15:${two(n === 7 ? 6 : n)};${n}.5\n`],
  [
    'rows of one second that fill columns of their own',
    (n: number) => `2026-11-20 10:15:${two(Math.floor(n / 2))};${n % 2 ? `${n}.5;` : `;${n}.5`}\n`,
  ],
])('%s is not worth a word', async (_, row) => {
  const reader = await follow(row(0).split(';').length > 2 ? 'Time;p;q\n' : 'Time;p\n', row);
  expect(reader.sink.points('p').length).toBeGreaterThan(20);
  expect(reader.sink.notes.has('log.stamps-shared')).toBe(false);
});
