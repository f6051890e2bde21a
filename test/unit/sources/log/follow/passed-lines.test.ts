// What a person lets the reader pass over, and what it must not forget from one look to the next.
import { afterEach, expect, test } from 'vitest';
import type { LogSourceOptions } from '../../../../../src-main/sources/log/log-source.ts';
import { LogReader } from '../../../../support/logs/log-reader.ts';
import { LogWriter } from '../../../../support/logs/log-writer.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

const readers: LogReader[] = [];
afterEach(async () => {
  for (const reader of readers.splice(0)) await reader.kill();
});

function begin(options: Partial<LogSourceOptions> = {}): { writer: LogWriter; reader: LogReader } {
  const folder = tempFolder();
  const reader = new LogReader({ path: folder, match: '*.csv', ...options });
  readers.push(reader);
  return { writer: new LogWriter(folder), reader };
}

test('lines of data above the rows that a person passes over are among those refused, with place and text', async () => {
  const { writer, reader } = begin({ dialect: { preamble: 4, header_line: 1 } });
  const head = 'time,a,b\n1790000001,1\n1790000002,2\n1790000003,3\n';
  await writer.append('log.csv', `${head}1790000004,4,5\n1790000005,6,7\n`);
  await reader.look();
  await reader.kill();
  await reader.look();
  expect(reader.sink.values('b')).toEqual([5, 7]);
  expect(reader.sink.refusedCount).toBe(3);
  expect(reader.sink.refusals).toMatchObject(
    [1, 2, 3].map((n) => ({
      place: 'log.csv',
      line: n + 1,
      byte: head.indexOf(`179000000${n}`),
      text: `179000000${n},${n}`,
      reason: expect.stringContaining('skipped') as unknown,
    })),
  );
});

test('a file of whole numbers is one still after a restart, and a person who answers is believed', async () => {
  const { writer, reader } = begin();
  await writer.append('log.csv', 'time;n\n1790000001;998\n1790000002;999\n');
  await reader.look();
  await reader.kill();
  await writer.append('log.csv', '1790000003;1.000\n1790000004;1.001\n1790000005;1.002\n');
  await reader.look();
  expect(reader.sink.values('n')).toEqual([998, 999]);
  expect(reader.sink.notes.get('log.columns-changed')?.message).toContain('at line 4, "1790000003;1.000"');
  await reader.kill();
  reader.use({ dialect: { decimal: 'point' } });
  await reader.look();
  expect(reader.sink.values('n')).toEqual([998, 999, 1, 1.001, 1.002]);
});
