import { copyFileSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runHere } from '../support/command.ts';
import { readDelivered } from '../support/rigs/delivered.ts';
import { openServiceRig } from '../support/rigs/service-rig.ts';
import { tempFolder } from '../support/temp-folder.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures/drain');
const CTRL = join(FIXTURES, 'ctrl/RecordingSet 2026.11.20-11.59.29.CSV');
const EPIC = join(FIXTURES, 'epic/2026_11_20');
const EPIC_TIME = "dialect: { time: { format: 'dd/MM/yyyy HH:mm:ss.SSS' } }";

/** A service in this process, and a folder whose settings have log sources and name that service. */
async function openDrain(sourcesIn: (folder: string) => readonly string[]) {
  const { service, client } = await openServiceRig();
  const folder = tempFolder();
  const config = join(folder, 'epistream.yaml');
  const lines = sourcesIn(folder).map((one) => `  - { kind: log, backfill: all, ${one} }\n`);
  const head = `version: 1\nservice: { url: '${service.url}' }\ntool: { name: T, time_zone: Europe/Berlin }\nsources:\n`;
  writeFileSync(config, head + lines.join(''));
  const words = ['run', '--config', config, '--data', join(folder, 'data'), '--drain-and-exit'];
  return {
    folder,
    drain: (key = service.apiKey) => runHere(words, { EPISTREAM_API_KEY: key }),
    delivered: () => readDelivered(client),
    /** How many points each channel has there. */
    counts: async () => [...(await readDelivered(client))].map(([name, points]) => [name, points.length]).sort(),
  };
}

/** `Nov-20-2026 12:00:01.806 PM` in Europe/Berlin, which is one hour ahead of UTC in November. */
function ctrlStampMs(text: string): number {
  const [, day, hour, minute, second, ms, half] =
    text.match(/^Nov-(\d\d)-2026 (\d\d):(\d\d):(\d\d)\.(\d{3}) ([AP])M$/) ?? [];
  return Date.UTC(
    2026,
    10,
    Number(day),
    (Number(hour) % 12) + (half === 'P' ? 12 : 0) - 1,
    Number(minute),
    Number(second),
    Number(ms),
  );
}

/** `20/11/2026 00:00:01.734` in Europe/Berlin. */
function epicStampMs(text: string): number {
  const [, day, month, year, hour, minute, second, ms] = (
    text.match(/^(\d\d)\/(\d\d)\/(\d{4}) (\d\d):(\d\d):(\d\d)\.(\d{3})$/) ?? []
  ).map(Number);
  return Date.UTC(
    year as number,
    (month as number) - 1,
    day as number,
    (hour as number) - 1,
    minute as number,
    second as number,
    ms as number,
  );
}

test('a drain that finds nothing to read says so, and does not say that all was delivered', async () => {
  const { folder, drain } = await openDrain((at) => [`id: log, path: '${at}/logs', match: '*.CSV'`]);
  mkdirSync(join(folder, 'logs'));
  const ended = await drain();
  expect(ended).toMatchObject({
    code: 0,
    out: expect.stringContaining('Nothing was read: there is nothing to deliver.'),
  });
  expect(ended.out).not.toContain('was delivered');
});

describe('a file that waits for a person', () => {
  const rows = (from: number, cells: string) =>
    Array.from({ length: 3 }, (_, n) => `2026-11-20 10:15:0${from + n},${cells}\n`).join('');
  const plain = (folder: string) => `id: log, path: '${folder}/plain', match: '*.csv'`;
  const write = (folder: string, name: string, text: string) => {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  };

  test('keeps nothing of the others, and all that is left is named', async () => {
    const { folder, drain, counts } = await openDrain((at) => [
      plain(at),
      `id: open, path: '${at}/open', match: '*.csv'`,
      `id: none, path: '${at}/none', match: '*'`,
    ]);
    write(folder, 'plain/a.csv', `time,a\n${rows(0, '1')}`);
    write(folder, 'open/b.csv', 'time,b\n03/04/2026 10:15:00,1\n03/04/2026 10:15:01,2\n');
    write(folder, 'open/c.csv', `time,c\n${rows(0, '1')}`);
    write(folder, 'open/d.csv', `time,d\n${rows(0, '1')}time,d,flux\n${rows(5, '1,2')}`);
    const ended = await drain();
    expect(ended.code).toBe(1);
    for (const left of ['b.csv', 'd.csv', 'line 5', `${folder}/none`, 'drain.source'])
      expect(ended.err).toContain(left);
    expect(await counts()).toEqual([
      ['a', 3],
      ['c', 3],
      ['d', 3],
    ]);
  });

  test('is named beside what the service does not take, and the drain says that not all was delivered', async () => {
    const { folder, drain } = await openDrain((at) => [plain(at), `id: open, path: '${at}/open', match: '*.csv'`]);
    write(folder, 'plain/a.csv', `time,a\n${rows(0, '1')}`);
    write(folder, 'open/b.csv', 'time,b\n03/04/2026 10:15:00,1\n03/04/2026 10:15:01,2\n');
    const ended = await drain('nobody-knows-this-key-0123456789');
    expect(ended.code).toBe(3);
    for (const text of ['not everything was delivered', 'b.csv']) expect(ended.err).toContain(text);
  });

  test('is read on with its new columns where the settings say so', async () => {
    const { folder, drain, counts } = await openDrain((at) => [
      plain(at),
      `id: wide, path: '${at}/wide', match: '*.csv', columns_change: accept`,
    ]);
    write(folder, 'plain/a.csv', `time,a\n${rows(0, '1')}`);
    write(folder, 'wide/d.csv', `time,d\n${rows(0, '1')}time,d,flux\n${rows(5, '1,2')}`);
    const ended = await drain();
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect(await counts()).toEqual([
      ['a', 3],
      ['d', 6],
      ['flux', 3],
    ]);
  });
});

describe('at the end of a drain', () => {
  const open = () => openDrain((at) => [`id: log, path: '${at}/logs', match: '*.csv'`]);
  const stamped = (n: number) => `2020-01-02 10:15:${String(n).padStart(2, '0')}`;

  test('a last row without a line end is read where its file rests for a day, and named where it does not', async () => {
    const { folder, drain, counts } = await open();
    mkdirSync(join(folder, 'logs'));
    const write = (name: string, changed: Date) => {
      const path = join(folder, 'logs', name);
      writeFileSync(path, `time,${name.charAt(0)}\n${stamped(0)},1\n${stamped(1)},2\n${stamped(2)},3`);
      utimesSync(path, changed, changed);
    };
    write('a.csv', new Date('2020-01-02T09:15:03Z'));
    write('b.csv', new Date());
    const ended = await drain();
    expect(await counts()).toEqual([
      ['a', 3],
      ['b', 2],
    ]);
    expect(ended.out + ended.err).toMatch(/b\.csv.*line end|line end.*b\.csv/);
  });

  test('lines that were refused in number are an error, though all others are delivered', async () => {
    const { folder, drain, delivered } = await open();
    mkdirSync(join(folder, 'logs'));
    const rows = Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? `${stamped(n)},${n}\n` : `${stamped(n)}\n`));
    writeFileSync(join(folder, 'logs/a.csv'), `time,a\n${rows.join('')}`);
    const ended = await drain();
    expect(ended.err).toContain('20 of 40 lines of a.csv do not fit and were refused');
    expect(ended.code).toBe(1);
    expect((await delivered()).get('a')).toHaveLength(20);
  });
});

describe('a drain delivers old logs with settings alone, value by value', () => {
  test('a wide recording with preamble, 12-hour stamps, text columns and an empty one', async () => {
    const { folder, drain, delivered } = await openDrain((at) => [`id: log, path: '${at}/logs', match: '*.CSV'`]);
    const logs = join(folder, 'logs');
    mkdirSync(logs);
    copyFileSync(CTRL, join(logs, 'RecordingSet.CSV'));
    const ended = await drain();
    expect(ended).toMatchObject({ code: 0, err: '' });

    const [header = '', ...rows] = readFileSync(CTRL, 'utf8').trimEnd().split('\n').slice(3);
    const names = header.split(',');
    const text = ['Thickness Active Material', 'PC Source 1 Loaded Target'];
    for (const name of text) expect(ended.out).toContain(name);
    const expected = new Map(
      names.slice(1).map((name, c) => {
        const points = rows
          .map((row) => row.split(','))
          .map((cells) => ({ timeMs: ctrlStampMs(cells[0] as string), value: Number(cells[c + 1]) }));
        return [name, points] as const;
      }),
    );
    for (const name of [...text, 'Process Phase']) expected.delete(name);
    expect(expected.size).toBe(10);
    expect(await delivered()).toEqual(expected);
  });

  test('a folder of one file per parameter with a preamble of two lines and day-first stamps', async () => {
    const { drain, delivered } = await openDrain(() => [`id: log, path: '${EPIC}', match: '*.txt', ${EPIC_TIME}`]);
    const ended = await drain();
    expect(ended).toMatchObject({ code: 0, err: '' });
    const expected = new Map(
      ['Sub.PID.MV', 'GC IG.PG.MV'].map((name) => {
        const rows = readFileSync(join(EPIC, `${name}.txt`), 'utf8')
          .trimEnd()
          .split('\r\n')
          .slice(3);
        const points = rows
          .map((row) => row.split(','))
          .map(([stamp = '', value]) => ({ timeMs: epicStampMs(stamp), value: Number(value) }));
        return [name, points] as const;
      }),
    );
    expect(await delivered()).toEqual(expected);
  });

  test('a second drain finds nothing new and doubles nothing', async () => {
    const { drain, delivered } = await openDrain(() => [`id: log, path: '${EPIC}', match: 'Sub*.txt', ${EPIC_TIME}`]);
    for (let i = 0; i < 2; i++) expect((await drain()).code).toBe(0);
    expect((await delivered()).get('Sub.PID.MV')?.length).toBe(400);
  });
});
