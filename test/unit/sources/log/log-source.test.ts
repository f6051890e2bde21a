import { Buffer } from 'node:buffer';
import { appendFileSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { diskFiles, type Files } from '../../../../src-main/platform/files.ts';
import { type LogSourceOptions, openLogSource } from '../../../../src-main/sources/log/log-source.ts';
import { fastClock } from '../../../support/fast-clock.ts';
import { LogReader } from '../../../support/logs/log-reader.ts';
import { MemorySink, runToEnd } from '../../../support/logs/log-sink.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const HEADER = 'time,v\n';
const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `${1_790_000_000 + from + i},${from + i}\n`).join('');
const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);

/** A clock on which a drain waits for a last line in no time. */
const quick = (): Partial<LogSourceOptions> => ({ clock: fastClock(100) });

const readers: LogReader[] = [];
afterEach(async () => {
  for (const reader of readers.splice(0)) await reader.kill();
});

function readerOf(path: string, options: Partial<LogSourceOptions> = {}): LogReader {
  const reader = new LogReader({ path, match: '**/*.csv', ...options });
  readers.push(reader);
  return reader;
}

function drain(path: string, sink: MemorySink, options: Partial<LogSourceOptions> = {}): Promise<void> {
  const base = {
    id: 'log',
    match: '**/*.csv',
    dialect: 'auto',
    timeZone: 'UTC',
    backfill: 'all',
    isDrain: true,
  } as const;
  return runToEnd(openLogSource({ ...base, path, ...options }), sink);
}

describe('backfill', () => {
  test('from-now takes up what is written after the first look, header of the old file and whole new files included', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'log.csv'), `${HEADER}${lines(1, 3)}17900`);
    const reader = readerOf(folder, { backfill: 'from-now' });
    await reader.look();
    expect(reader.sink.rowsRead).toBe(0);
    await reader.kill();
    appendFileSync(join(folder, 'log.csv'), `00004,4\n${lines(5, 6)}`);
    writeFileSync(join(folder, 'next.csv'), 'time,w\n1790000001,7\n');
    await reader.look();
    expect(reader.sink.values('v')).toEqual([4, 5, 6]);
    expect(reader.sink.values('w')).toEqual([7]);
  });

  test('a date leaves out files last changed before it, and older lines of the others, in the zone of the tool', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'old.csv'), 'time,old\n2026-11-01 12:00:00,1\n');
    utimesSync(join(folder, 'old.csv'), 1_790_000_000, 1_790_000_000);
    writeFileSync(join(folder, 'new.csv'), 'time,new\n2026-10-31 23:59:59,1\n2026-11-01 00:00:00,2\n');
    utimesSync(join(folder, 'new.csv'), 1_795_000_000, 1_795_000_000);
    const sink = new MemorySink();
    await drain(folder, sink, { backfill: { fromDate: '2026-11-01' }, timeZone: 'America/New_York' });
    expect(sink.channels).toEqual(['new']);
    expect(sink.points('new')).toEqual([{ timeMs: Date.parse('2026-11-01T04:00:00Z'), value: 2 }]);
    expect(sink.rowsRead).toBe(1);
  });

  test('marks what was there at the start as backfill and what comes later as live', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'log.csv'), HEADER + lines(1, 3));
    const reader = readerOf(folder);
    await reader.look();
    appendFileSync(join(folder, 'log.csv'), lines(4, 5));
    await reader.look();
    const origins = reader.sink.captures.filter(({ rowsRead }) => rowsRead > 0).map(({ origin }) => origin);
    expect(origins).toEqual(['backfill', 'live']);
  });
});

describe('a drain', () => {
  test('reads a large folder to the end it has, oldest file of a family first, in captures of bounded size', async () => {
    const folder = tempFolder();
    const perFile = 40_000;
    for (const day of [2, 1, 3]) {
      writeFileSync(join(folder, `log-2026-09-2${day}.csv`), HEADER + lines(1 + (day - 1) * perFile, day * perFile));
    }
    const sink = new MemorySink();
    await drain(folder, sink);
    expect(sink.values('v')).toEqual(upTo(3 * perFile));
    expect(sink.captures.length).toBeGreaterThan(2);
    for (const { blocks } of sink.captures) {
      expect(blocks.reduce((sum, { values }) => sum + values.length, 0)).toBeLessThan(100_000);
    }
  });

  test('hands over the bytes of the file as they stand in it, every byte once', async () => {
    const folder = tempFolder();
    const text = HEADER + lines(1, 250_000);
    writeFileSync(join(folder, 'log.csv'), text);
    const sink = new MemorySink();
    sink.isKeepingBytes = true;
    await drain(folder, sink);
    const spans = sink.captures.flatMap(({ sourceBytes = [] }) => sourceBytes);
    expect(spans.length).toBeGreaterThan(3);
    let next = 0;
    for (const { fromByte, bytes, file, place } of spans) {
      expect({ fromByte, file, place }).toEqual({ fromByte: next, file: 'log.csv@1', place: 'log.csv' });
      next += bytes.length;
    }
    expect(Buffer.concat(spans.map(({ bytes }) => bytes)).toString()).toBe(text);
  });

  test('read again hands nothing over', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'log.csv'), HEADER + lines(1, 9));
    const sink = new MemorySink();
    await drain(folder, sink);
    await drain(folder, sink);
    expect(sink.values('v')).toEqual(upTo(9));
  });

  test('that meets an ambiguous date order reads the rest, then fails and says what would settle it', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'a.csv'), 'time,a\n01/02/2026 10:00:00,1\n');
    mkdirSync(join(folder, 'other'));
    writeFileSync(join(folder, 'other/b.csv'), 'time,b\n1790000001,2\n');
    const sink = new MemorySink();
    await expect(drain(folder, sink)).rejects.toMatchObject({ code: 'log.date-order-ambiguous', retry: 'after-human' });
    expect(sink.values('b')).toEqual([2]);
  });
});

describe('the store and the settings', () => {
  test('a capture that was not stored is read again, once, and none is handed over beyond it', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'log.csv'), HEADER + lines(1, 60_000));
    const sink = new MemorySink();
    let calls = 0;
    sink.beforeCapture = () => {
      calls += 1;
      if (calls === 3) throw new Error('disk full');
    };
    await expect(drain(folder, sink)).rejects.toThrow('disk full');
    expect(calls).toBe(3);
    await drain(folder, sink);
    expect(sink.values('v')).toEqual(upTo(60_000));
  });

  test('a zone that was set right later holds from the next line on, and nothing is read twice', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'log.csv'), 'time,v\n2026-07-01 12:00:00,1\n');
    const sink = new MemorySink();
    await drain(folder, sink, { timeZone: 'UTC' });
    appendFileSync(join(folder, 'log.csv'), '2026-07-01 12:00:01,2\n');
    await drain(folder, sink, { timeZone: 'Europe/Berlin' });
    expect(sink.points('v')).toEqual([
      { timeMs: Date.parse('2026-07-01T12:00:00Z'), value: 1 },
      { timeMs: Date.parse('2026-07-01T10:00:01Z'), value: 2 },
    ]);
  });

  test('columns keep their meaning over a restart, whatever the first line seen then looks like', async () => {
    const folder = tempFolder();
    const file = join(folder, 'log.csv');
    writeFileSync(file, 'time,target,p,phase\n1790000001,Ba,1,\n');
    const reader = readerOf(folder);
    await reader.look();
    await reader.kill();
    appendFileSync(file, '1790000002,7,OVER,\n1790000003,Zr,3,5\n');
    await reader.look();
    expect(reader.sink.values('p')).toEqual([1, 3]);
    expect(reader.sink.values('phase')).toEqual([5]);
    expect(reader.sink.channels).toEqual(['p', 'phase']);
    expect(reader.sink.refusals.map(({ channel, text }) => `${channel} ${text}`)).toEqual(['target 7', 'p OVER']);
    expect(reader.sink.notes.get('log.number-in-text-column')?.message).toContain('target');
  });

  test.each([
    [{ dialect: 'no-such' }, 'log.dialect-unknown'],
    [{ timeZone: 'Mars/Olympus' }, 'log.zone-unknown'],
    [{ dialect: { time: { format: 'QQ' } } }, 'log.time-format-unknown'],
  ])('settings that cannot be used are refused at once: %j', (options, code) => {
    const base = { id: 'x', path: '/', match: '*', dialect: 'auto', timeZone: 'UTC', backfill: 'all' } as const;
    expect(() => openLogSource({ ...base, ...options })).toThrowError(
      expect.objectContaining({ code, retry: 'after-human' }),
    );
  });
});

describe('a drain that leaves something unread', () => {
  /** Files of the disk, of which some cannot be opened; they are looked into `opens` times before. */
  const heldFiles = (name: string, opens: number): Files => {
    let opened = 0;
    const open = (path: string) => {
      if (basename(path) === name && ++opened > opens) throw Object.assign(new Error('held'), { code: 'EBUSY' });
      return diskFiles.open(path);
    };
    return { ...diskFiles, open };
  };

  test.each([
    ['never opened', 0],
    ['opened, and held when it is read', 1],
  ])('fails by the name of the file, %s, and has read all others', async (_, opens) => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'held.csv'), `time,v\n${lines(1, 3)}`);
    writeFileSync(join(folder, 'free.csv'), `time,w\n${lines(1, 2)}`);
    const sink = new MemorySink();
    const drained = drain(folder, sink, { files: heldFiles('held.csv', opens) });
    await expect(drained).rejects.toMatchObject({
      code: 'log.not-read-whole',
      retry: 'later',
      message: expect.stringContaining('held.csv'),
      context: { files: ['held.csv'] },
    });
    expect(sink.values('w')).toEqual([1, 2]);
    expect(sink.notes.has('log.line-pending')).toBe(false);
    await drain(folder, sink);
    expect(sink.values('v')).toEqual([1, 2, 3]);
  });

  test('names each file where none can be read', async () => {
    const folder = tempFolder();
    for (const name of ['a.csv', 'b.csv']) writeFileSync(join(folder, name), 'a,b\n1.5,2.5\n1.75,2.5\n1.5,2.25\n');
    await expect(drain(folder, new MemorySink())).rejects.toMatchObject({ context: { files: ['a.csv', 'b.csv'] } });
  });

  test('fails where it is a rotated file of a log that does not unpack, and not for an archive of something else', async () => {
    const folder = tempFolder();
    const log = HEADER + Array.from({ length: 300 }, (_, i) => lines(i, i)).join('');
    writeFileSync(join(folder, 'log.csv'), `${HEADER}${lines(400, 402)}`);
    const torn = gzipSync(log).subarray(0, 500);
    const add = (name: string) => {
      writeFileSync(join(folder, name), torn);
      utimesSync(join(folder, name), 1_790_000_000, 1_790_000_000);
    };
    add('firmware.bin.gz');
    const sink = new MemorySink();
    await drain(folder, sink, { match: '*' });
    add('log.csv.1.gz');
    await expect(drain(folder, sink, { match: '*' })).rejects.toMatchObject({
      message: expect.stringContaining('log.csv.1.gz'),
    });
    expect(sink.values('v')).toEqual([400, 401, 402]);
  });
});

describe('a last line without its end', () => {
  const file = (folder: string) => join(folder, 'log.csv');
  const write = (folder: string, text: string, ageDays: number) => {
    writeFileSync(file(folder), text);
    const s = Date.now() / 1000 - ageDays * 86_400;
    utimesSync(file(folder), s, s);
  };
  const text = `${HEADER}${lines(1, 3)}`.trimEnd();

  test.each([
    ['utf-8', text],
    ['utf-16', Buffer.from(`\uFEFF${text}`, 'utf16le')],
  ])('is taken when the file has not changed for a day: %s', async (_, written) => {
    const folder = tempFolder();
    writeFileSync(file(folder), written);
    utimesSync(file(folder), 1_790_000_000, 1_790_000_000);
    const sink = new MemorySink();
    await drain(folder, sink, quick());
    await drain(folder, sink, quick());
    expect(sink.values('v')).toEqual([1, 2, 3]);
    expect(sink.notes.has('log.line-pending')).toBe(false);
  });

  test('is taken also where it is the only row', async () => {
    const folder = tempFolder();
    write(folder, `${HEADER}1790000001,7`, 2);
    const sink = new MemorySink();
    await drain(folder, sink, quick());
    expect(sink.values('v')).toEqual([7]);
  });

  test('is told where it is the only row and young, as any file of which nothing is read', async () => {
    const folder = tempFolder();
    write(folder, `${HEADER}1790000001,7`, 0);
    const sink = new MemorySink();
    await drain(folder, sink, quick());
    expect(sink.values('v')).toEqual([]);
    expect(sink.notes.get('log.nothing-read')?.message).toContain('log.csv');
  });

  test('is told as not delivered before', async () => {
    const folder = tempFolder();
    write(folder, text, 0.5);
    const sink = new MemorySink();
    await drain(folder, sink, quick());
    expect(sink.values('v')).toEqual([1, 2]);
    expect(sink.notes.get('log.line-pending')).toMatchObject({
      level: 'warning',
      message: expect.stringContaining('log.csv'),
    });
  });

  test.each([
    ['its end alone', '\n', [1, 2, 3, 4], 0],
    ['its end, of two bytes', '\r\n', [1, 2, 3, 4], 0],
    ['more of it, which is told', '7\n', [1, 2, 3, 4], 1],
  ])('that was taken may get %s, and what follows is read as it stands', async (_, rest, values, refused) => {
    const folder = tempFolder();
    write(folder, text, 2);
    const reader = readerOf(folder);
    await reader.look();
    reader.clock.advance(10_000);
    await reader.look();
    expect(reader.sink.values('v')).toEqual([1, 2, 3]);
    await reader.kill();
    appendFileSync(file(folder), rest);
    await reader.look();
    appendFileSync(file(folder), lines(4, 4));
    await reader.look();
    expect(reader.sink.values('v')).toEqual(values);
    expect(reader.sink.refusedCount).toBe(refused);
    expect(reader.sink.notes.has('log.line-grown')).toBe(refused > 0);
  });

  test('is taken once it is a day old, also while the agent runs', async () => {
    const folder = tempFolder();
    write(folder, text, 0);
    const reader = readerOf(folder);
    await reader.look();
    expect(reader.sink.values('v')).toEqual([1, 2]);
    reader.clock.offsetMs += 2 * 86_400_000;
    await reader.look();
    reader.clock.advance(10_000);
    await reader.look();
    expect(reader.sink.values('v')).toEqual([1, 2, 3]);
  });

  test('is not taken while the tool still writes, by a clock that is a day ahead', async () => {
    const folder = tempFolder();
    write(folder, `${HEADER}${lines(1, 99)}17900001`, 0);
    const reader = readerOf(folder);
    reader.clock.offsetMs += 2 * 86_400_000;
    for (let row = 100; row < 110; row += 1) {
      await reader.look();
      reader.clock.advance(5000);
      await reader.look();
      // Half of the next line each time.
      appendFileSync(file(folder), `${String(row).padStart(2, '0').slice(-2)},${row}\n17900001`);
    }
    // It may flush the other half only much later.
    for (let times = 0; times < 3; times += 1) {
      await reader.look();
      reader.clock.advance(60_000);
    }
    expect(reader.sink.values('v')).toEqual(upTo(109));
    expect(reader.sink.refusedCount).toBe(0);
  });
});

describe('a folder that is away', () => {
  test('is an error to try again later, and reading goes on where it stood when it is back', async () => {
    const parent = tempFolder();
    const folder = join(parent, 'share');
    const reader = readerOf(folder);
    await expect(reader.look()).rejects.toMatchObject({ code: 'log.folder-missing', retry: 'later' });
    mkdirSync(folder);
    writeFileSync(join(folder, 'log.csv'), HEADER + lines(1, 3));
    await reader.look();
    renameSync(folder, `${folder}-away`);
    await expect(reader.look()).rejects.toMatchObject({ code: 'log.folder-missing' });
    appendFileSync(join(`${folder}-away`, 'log.csv'), lines(4, 5));
    renameSync(`${folder}-away`, folder);
    await reader.look();
    expect(reader.sink.values('v')).toEqual(upTo(5));
    expect(reader.sink.gaps).toEqual([]);
  });
});

test('a running source reads a new line within a second and ends when told to', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'log.csv'), HEADER + lines(1, 2));
  const sink = new MemorySink();
  const abort = new AbortController();
  const base = { id: 'log', match: '*.csv', dialect: 'auto', timeZone: 'UTC', backfill: 'all' } as const;
  const running = openLogSource({ ...base, path: folder }).run(sink, abort.signal);
  await sink.until(() => sink.rowsRead === 2);
  appendFileSync(join(folder, 'log.csv'), lines(3, 3));
  await sink.until(() => sink.rowsRead === 3);
  abort.abort();
  await running;
  rmSync(join(folder, 'log.csv'));
  expect(sink.values('v')).toEqual([1, 2, 3]);
});
