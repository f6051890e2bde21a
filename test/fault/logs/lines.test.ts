// Fault matrix, rows 47 to 54, 60, 63, 65 to 67: lines, cells, stamps and folders that are not as one hopes,
// on a real file system.
import { Buffer } from 'node:buffer';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Dialect } from '../../../src-main/model/dialect.ts';
import type { LogSourceOptions } from '../../../src-main/sources/log/log-source.ts';
import type { LogReader } from '../../support/logs/log-reader.ts';
import { openLogRig } from '../../support/logs/log-rig.ts';
import { LogWriter } from '../../support/logs/log-writer.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const begin = (options: Partial<LogSourceOptions> = {}) => openLogRig({ match: '*.csv', ...options });

const stamps = (reader: LogReader, channel: string) =>
  reader.sink.points(channel).map(({ timeMs }) => new Date(timeMs).toISOString().slice(0, 19));

describe('rows 47 and 48', () => {
  test('a half line waits for its other half, however often it is looked at', async () => {
    const { writer, reader } = begin();
    const text = 'time,v\n1790000001,1.25\n1790000002,12.5\n1790000003,125\n';
    for (let at = 0; at < text.length; at += 5) {
      await writer.append('log.csv', text.slice(at, at + 5));
      await reader.look();
      if (at % 15 === 0) await reader.kill();
    }
    expect(reader.sink.values('v')).toEqual([1.25, 12.5, 125]);
    expect(reader.sink.refusedCount).toBe(0);
  });

  test('a last line that never ends is not taken, since its number may be cut', async () => {
    const { writer, reader } = begin();
    await writer.append('log.csv', 'time,v\n1790000001,1\n1790000002,2.5');
    await reader.look();
    await reader.look(600_000);
    expect(reader.sink.values('v')).toEqual([1]);
    await writer.append('log.csv', '751\n');
    await reader.look();
    expect(reader.sink.values('v')).toEqual([1, 2.5751]);
  });
});

describe('rows 49 and 50', () => {
  test('UTF-16 with its mark is read when it comes byte by byte, across restarts', async () => {
    const { writer, reader } = begin();
    const bytes = Buffer.from('\uFEFFtime;T [°C]\r\n1790000001;21,5\r\n1790000002;22,25\r\n', 'utf16le');
    for (let at = 0; at < bytes.length; at += 7) {
      const text = bytes.subarray(at, at + 7).toString('latin1');
      await writer.does({ do: 'append', file: 'log.csv', text, encoding: 'latin1' });
      if (at % 3 === 0) await reader.look();
      if (at % 5 === 0) await reader.kill();
    }
    await reader.look();
    expect(reader.sink.values('T')).toEqual([21.5, 22.25]);
    expect(reader.sink.declared.get('T')?.unit).toBe('°C');
  });

  test('byte-order marks at the beginning and in the middle are no part of a line', async () => {
    const { writer, reader } = begin();
    await writer.append(
      'log.csv',
      '\uFEFFtime,v\n1790000001,1\n\uFEFF1790000002,2\n\uFEFF\uFEFFtime,v\n1790000003,3\n',
    );
    await reader.look();
    expect(reader.sink.values('v')).toEqual([1, 2, 3]);
    expect(reader.sink.refusedCount).toBe(0);
  });
});

describe('rows 51 to 53', () => {
  test('what stands for a number and is none is refused with its text and place, never zero', async () => {
    const { writer, reader } = begin();
    const tokens = ['NaN', 'Inf', 'OVER', '---', '9.9E37', '1e5garbage', '1.25 nm', '0x1F', '1e999'];
    const lines = tokens.map((token, i) => `${1_790_000_002 + i},${token},${i}\n`).join('');
    await writer.append('log.csv', `time,p,q\n1790000001,5,-1\n${lines}1790000020,,9\n`);
    await reader.look();
    expect(reader.sink.values('p')).toEqual([5]);
    expect(reader.sink.values('q')).toEqual([-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(reader.sink.refusals.map(({ text }) => text)).toEqual(tokens);
    expect(reader.sink.refusals[0]).toMatchObject({ place: 'log.csv', line: 3, channel: 'p', byte: 36 });
    expect(reader.sink.refusedCount).toBe(tokens.length);
  });

  test('a decimal comma is read as one, and where it may be a thousands mark nothing is', async () => {
    const { writer, reader } = begin();
    await writer.append('log.csv', 'Zeit;p\n2026-11-20 10:00:00;1,25\n2026-11-20 10:00:01;1,5\n');
    await writer.append('other.csv', 'Zeit;n\n2026-11-20 10:00:00;1,250\n2026-11-20 10:00:01;2,500\n');
    await reader.look();
    expect(reader.sink.values('p')).toEqual([1.25, 1.5]);
    expect(reader.sink.channels).toEqual(['p']);
    expect(reader.sink.notes.get('log.decimal-mark-ambiguous')?.message).toContain('other.csv');
  });

  test('signs of an old code page stand right in names and units', async () => {
    const { writer, reader } = begin();
    const text = Buffer.from('time,Substrate [\xb0C],Thickness [\xc5]\n1790000001,1,2\n', 'latin1').toString('latin1');
    await writer.does({ do: 'append', file: 'log.csv', text, encoding: 'latin1' });
    await reader.look();
    expect(reader.sink.declared.get('Substrate')?.unit).toBe('°C');
    expect(reader.sink.declared.get('Thickness')?.unit).toBe('Å');
  });
});

describe('row 54', () => {
  test('columns that change in the middle stop the file with both headers shown; naming them reads on from that byte', async () => {
    const { writer, reader } = begin();
    const before = 'time,a,b\n1790000001,1,2\n1790000002,3,4\n';
    await writer.append('log.csv', `${before}time,b,a\n1790000003,6,5\n`);
    await writer.append('other.csv', 'time,c\n1790000001,9\n');
    await reader.look();
    await reader.kill();
    await reader.look();
    expect(reader.sink.values('a')).toEqual([1, 3]);
    expect(reader.sink.values('c')).toEqual([9]);
    const note = reader.sink.notes.get('log.columns-changed');
    expect(note?.level).toBe('error');
    expect(note?.message).toContain('at line 4: from "time,a,b" to "time,b,a"');
    await reader.kill();
    reader.use({ dialect: { header: ['time', 'b', 'a'], time: { format: 'unix-seconds' } }, match: 'log.csv' });
    await reader.look();
    expect(reader.sink.values('a')).toEqual([1, 3, 5]);
    expect(reader.sink.values('b')).toEqual([2, 4, 6]);
    expect(reader.sink.refusals.map(({ byte }) => byte)).toEqual([before.length]);
  });

  test('the same header again is no change', async () => {
    const { writer, reader } = begin();
    await writer.append('log.csv', 'time,a\n1790000001,1\ntime,a\n1790000002,2\n');
    await reader.look();
    expect(reader.sink.values('a')).toEqual([1, 2]);
    expect(reader.sink.refusedCount).toBe(0);
  });
});

describe('row 60', () => {
  test('a line of 200 MB and a binary file are left out, counted and said, in bounded memory', async () => {
    const { writer, reader } = begin();
    await writer.append('log.csv', 'time,v\n1790000001,1\n');
    await writer.does({ do: 'fill', file: 'log.csv', bytes: 200 * 1024 * 1024, byte: 120 });
    await writer.append('log.csv', '\n1790000002,2\n');
    await writer.does({ do: 'fill', file: 'binary.csv', bytes: 1024 * 1024, byte: 0 });
    const before = process.memoryUsage().rss;
    await reader.look();
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
    expect(reader.sink.values('v')).toEqual([1, 2]);
    expect(reader.sink.refusedCount).toBe(1);
    expect(reader.sink.notes.get('log.line-too-long')?.message).toContain('log.csv');
    expect(reader.sink.notes.get('log.not-text')?.message).toContain('binary.csv');
  });
});

describe('a file that never becomes a log', () => {
  test('without a line end, or without a row in its first MiB, is named; one that may still grow is not', async () => {
    const { writer, reader } = begin();
    await writer.does({ do: 'fill', file: 'endless.csv', bytes: 3 * 1024 * 1024, byte: 120 });
    await writer.append('words.csv', 'these are words and nothing else\n'.repeat(40_000));
    await writer.append('young.csv', 'time,v');
    await reader.look();
    const { notes } = reader.sink;
    expect(notes.get('log.no-line-end')).toMatchObject({ level: 'warning', message: 'Not read as logs: endless.csv.' });
    expect(notes.get('log.no-rows')).toMatchObject({ level: 'warning', message: 'Not read as logs: words.csv.' });
    expect([...notes.values()].map(({ message }) => message).join()).not.toContain('young.csv');
    await writer.append('young.csv', '\n1790000001,1\n');
    await reader.look();
    expect(reader.sink.values('v')).toEqual([1]);
  });
});

describe('row 63', () => {
  test('a link out of the folder is not followed, also when a file turns into one', async () => {
    const outside = tempFolder();
    const { writer, reader } = begin();
    await new LogWriter(outside).append('secret.csv', 'time,v\n1790000001,666\n');
    await writer.append('log.csv', 'time,v\n1790000001,1\n');
    await reader.look();
    await writer.does({ do: 'link', file: 'log.csv', to: join(outside, 'secret.csv') });
    await reader.look();
    expect(reader.sink.values('v')).toEqual([1]);
    expect(reader.sink.notes.get('log.link-refused')?.message).toContain('log.csv (out of the folder)');
  });

  test('a link in a circle, to nothing or to a folder is told as that, and one that is repaired is read', async () => {
    const { writer, reader } = begin();
    await writer.does({ do: 'link', file: 'a.csv', to: 'b.csv' });
    await writer.does({ do: 'link', file: 'b.csv', to: 'a.csv' });
    await writer.does({ do: 'link', file: 'c.csv', to: 'not-here' });
    await writer.does({ do: 'link', file: 'd.csv', to: '.' });
    await reader.look();
    expect(reader.sink.notes.get('log.link-refused')?.message).toBe(
      'Links that are not followed, by where they lead: a.csv (in a circle), b.csv (in a circle), c.csv (to nothing), d.csv (to a folder).',
    );
    await writer.append('not-here', 'time,v\n1790000001,1\n');
    await reader.look();
    expect(reader.sink.values('v')).toEqual([1]);
    expect(reader.sink.notes.get('log.link-refused')?.message).not.toContain('c.csv');
    for (const file of ['a.csv', 'b.csv', 'd.csv']) await writer.does({ do: 'remove', file });
    await reader.look();
    expect(reader.sink.notes.get('log.link-refused')?.message).toBe('Settled.');
  });
});

describe('rows 65 to 67', () => {
  test('the hour that comes twice is settled by the order of lines, also over a restart in its middle', async () => {
    const { writer, reader } = begin({ timeZone: 'Europe/Berlin' });
    const hour = ['02:10:00', '02:40:00', '02:59:59'].map((time, i) => `2026-10-25 ${time},${i}\n`);
    await writer.append('log.csv', `time,v\n2026-10-25 01:59:59,9\n${hour.join('')}`);
    await reader.look();
    await reader.kill();
    await writer.append('log.csv', `${hour.join('')}2026-10-25 03:00:00,9\n`);
    await reader.look();
    expect(stamps(reader, 'v')).toEqual([
      '2026-10-24T23:59:59',
      '2026-10-25T00:10:00',
      '2026-10-25T00:40:00',
      '2026-10-25T00:59:59',
      '2026-10-25T01:10:00',
      '2026-10-25T01:40:00',
      '2026-10-25T01:59:59',
      '2026-10-25T02:00:00',
    ]);
    expect(reader.sink.notes.has('log.clock-change')).toBe(true);
  });

  test('the hour that comes twice is a question where a followed file goes through it once', async () => {
    const { writer, reader } = begin({ timeZone: 'Europe/Berlin' });
    await writer.append('log.csv', 'time,v\n2026-10-25 01:59:57,1\n2026-10-25 01:59:58,2\n2026-10-25 01:59:59,3\n');
    await reader.look();
    await writer.append('log.csv', '2026-10-25 02:59:59,4\n2026-10-25 03:00:00,5\n');
    await reader.look();
    expect(reader.sink.values('v')).toEqual([1, 2, 3]);
    expect(reader.sink.notes.get('log.hour-twice')).toMatchObject({
      level: 'error',
      hint: expect.stringContaining('repeated_hour: second'),
    });
  });

  test('a stamp that does not exist is a question, and flagged where a person has named the zone', async () => {
    const { writer, reader } = begin({ timeZone: 'Europe/Berlin' });
    await writer.append('log.csv', 'time,v\n2026-03-29 01:59:59,0\n');
    await reader.look();
    await writer.append('log.csv', '2026-03-29 02:30:00,1\n');
    await reader.look();
    expect(stamps(reader, 'v')).toEqual(['2026-03-29T00:59:59']);
    expect(reader.sink.notes.get('log.hour-skipped')?.level).toBe('error');

    const named = begin({ timeZone: 'Europe/Berlin', dialect: Dialect.parse({ time: { zone: 'Europe/Berlin' } }) });
    await named.writer.append('log.csv', 'time,v\n2026-03-29 02:30:00,1\n');
    await named.reader.look();
    expect(stamps(named.reader, 'v')).toEqual(['2026-03-29T01:30:00']);
    expect(named.reader.sink.notes.get('log.time-not-existing')?.level).toBe('warning');
  });

  test('nothing is streamed while day and month can be exchanged; a later day settles it and nothing is lost', async () => {
    const { writer, reader } = begin({ timeZone: 'UTC' });
    await writer.append('log.csv', 'time,v\n11/06/2026 23:59:59,1\n12/06/2026 00:00:00,2\n');
    await reader.look();
    expect(reader.sink.rowsRead).toBe(0);
    expect(reader.sink.notes.get('log.date-order-ambiguous')).toMatchObject({
      level: 'error',
      hint: expect.stringContaining('12th'),
    });
    await writer.append('log.csv', '13/06/2026 00:00:00,3\n');
    await reader.look();
    expect(stamps(reader, 'v')).toEqual(['2026-06-11T23:59:59', '2026-06-12T00:00:00', '2026-06-13T00:00:00']);
    expect(reader.sink.notes.get('log.date-order-ambiguous')?.message).toBe('Settled.');
  });

  test('a folder named after its day settles the order', async () => {
    const { writer, reader } = begin({ match: '**/*.csv' });
    mkdirSync(join(writer.folder, '2026_06_12'));
    await writer.append('2026_06_12/log.csv', 'time,v\n12/06/2026 00:00:00,2\n');
    await reader.look();
    expect(stamps(reader, 'v')).toEqual(['2026-06-12T00:00:00']);
  });

  test('years of two digits in the order that only the name of the file tells', async () => {
    const { writer, reader } = begin();
    await writer.append('2026-02-01.csv', 'date,clock,v\n01.02.26,10:00:00,1\n');
    await writer.append('2026-02-03 b.csv', 'date,clock,w\n02/03/26,10:00:00,1\n');
    await reader.look();
    expect(stamps(reader, 'v')).toEqual(['2026-02-01T10:00:00']);
    expect(stamps(reader, 'w')).toEqual(['2026-02-03T10:00:00']);
  });
});

describe('the folder of the tool', () => {
  test('is left as it was: nothing is written, no handle stays open', async () => {
    const { writer, reader } = begin();
    await writer.append('log.csv', 'time,v\n1790000001,1\n');
    // The folder above is everybody's: other tests write there.
    const listing = () =>
      execFileSync('ls', ['-la', '--time-style=full-iso', writer.folder])
        .toString()
        .split('\n')
        .filter((line) => !line.endsWith(' ..'));
    const before = listing();
    await reader.look();
    await reader.look();
    expect(listing()).toEqual(before);
    // A handle that is closed while it is listed makes ls complain; what it lists stands.
    const handles = spawnSync('ls', ['-l', `/proc/${process.pid}/fd`]).stdout.toString();
    expect(handles).not.toContain('log.csv');
  });
});
