import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { FolderPreview } from '../../../../src-main/contract/source.ts';
import { diskFiles } from '../../../../src-main/platform/files.ts';
import { previewLog } from '../../../../src-main/sources/log/preview.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const look = (folder: string, own: object = {}) =>
  previewLog({ folder, match: '**/*.csv', timeZone: 'Europe/Berlin', timeFormat: '', ...own }, diskFiles);

const HOUR_MS = 3_600_000;

describe('the preview of a folder', () => {
  test('shows the newest readable file, text and values side by side', () => {
    const folder = tempFolder();
    writeFileSync(
      join(folder, 'log.csv'),
      'Zeit,T (°C),p [Torr],note\n2026-11-20 12:00:00,21.5,,a\n2026-11-20 12:00:01,OVER,1e-8,b\n',
    );
    utimesSync(join(folder, 'log.csv'), 1_795_200_000, 1_795_200_000);
    writeFileSync(join(folder, 'newer-but-no-log.csv'), 'Order=1\nCoeff=4.6\n');
    // What only `check` tells is not for the screen.
    const { bytes, oldestMs, newestMs, answers, clock, zoneChange, ...preview } = look(folder);
    expect([answers, clock, zoneChange]).toEqual([[], null, null]);
    expect({ bytes, oldestMs }).toEqual({ bytes: 105, oldestMs: 1_795_200_000_000 });
    expect(newestMs).toBeGreaterThan(oldestMs);
    expect(preview).toEqual({
      files: 2,
      file: 'log.csv',
      rows: [
        { text: '2026-11-20 12:00:00,21.5,,a', timeMs: Date.parse('2026-11-20T11:00:00Z'), values: [21.5, null] },
        { text: '2026-11-20 12:00:01,OVER,1e-8,b', timeMs: Date.parse('2026-11-20T11:00:01Z'), values: [null, 1e-8] },
      ],
      channels: ['T (°C)', 'p (Torr)'],
      leftOut: ['note'],
      dialect: 'auto',
      reasons: [
        'separator comma: 2 lines of 4 cells',
        'time in column 1 as iso8601 (the only way to read it)',
        'header in line 1',
        'stamps that carry no zone are of Europe/Berlin',
        'units °C, Torr',
      ],
      problem: '',
      hint: '',
    });
    expect(FolderPreview.parse(preview)).toEqual(preview);
  });

  test('shows a rotated file that gzip compressed as it is read, looked through to its end', () => {
    const folder = tempFolder();
    const packed = gzipSync('time,v\n2026-11-20 12:00:00,1\n2026-11-20 12:00:01,2\n');
    writeFileSync(join(folder, 'log.csv-20261120.gz'), packed);
    const { problem, file, rows, looked } = look(folder, { match: '*', isThorough: true });
    expect({ problem, file, values: rows.map(({ values }) => values) }).toEqual({
      problem: '',
      file: 'log.csv-20261120.gz',
      values: [[1], [2]],
    });
    expect(looked).toMatchObject({ isWhole: true, stop: null });
  });

  test('says what is ambiguous and is settled by the format that is typed in', () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'log.csv'), 'time,v\n12/06/2026 10:00:00,1\n');
    const open = look(folder);
    expect(open.problem).toContain('dd/MM/yyyy');
    expect(open.rows[1]).toEqual({ text: '12/06/2026 10:00:00,1', timeMs: null, values: [] });
    expect(open.answers.map(({ text }) => text)).toEqual([
      'dialect: { time: { format: dd/MM/yyyy HH:mm:ss.SSS } }',
      'dialect: { time: { format: MM/dd/yyyy HH:mm:ss.SSS } }',
    ]);
    const settled = look(folder, { timeFormat: 'dd/MM/yyyy HH:mm:ss' });
    expect(settled.problem).toBe('');
    expect(settled.rows).toEqual([
      { text: '12/06/2026 10:00:00,1', timeMs: Date.parse('2026-06-12T08:00:00Z'), values: [1] },
    ]);
  });

  test('tells what would be refused, and which lines above the rows are left out', () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'log.csv'), 'Tool 3\nRun 5\ntime,v\n2026-11-20 12:00:00,1.5\n2026-11-20 12:00:01,12h\n');
    const { looked, reasons } = look(folder, { isThorough: true });
    expect(looked).toMatchObject({ refused: 0, cellsRefused: 1, why: [{ reason: 'not a number', text: '12h' }] });
    expect(reasons).toContain('2 other lines above the rows are left out: "Tool 3" ...');
  });

  test('looks as far as it is asked to, and names the line at which reading stops', () => {
    const folder = tempFolder();
    const row = (n: number, cells: string) =>
      `2026-11-20 12:${String(Math.floor(n / 60)).padStart(2, '0')}:${String(n % 60).padStart(2, '0')},${cells}\n`;
    const many = Array.from({ length: 200 }, (_, n) => row(n, `${n}.5`)).join('');
    const other = Array.from({ length: 5 }, (_, n) => row(300 + n, `${n}.5,7`)).join('');
    writeFileSync(join(folder, 'log.csv'), `time,v\n${many}${other}`);
    expect(look(folder).looked).toBeUndefined();
    expect(look(folder, { isThorough: true }).looked).toEqual({
      lines: 201,
      ...{ refused: 0, cellsRefused: 0, why: [] },
      isWhole: false,
      stop: { line: 202, text: '2026-11-20 12:05:00,0.5,7' },
    });
    writeFileSync(join(folder, 'log.csv'), `\uFEFFtime,v\n${many}`, 'utf16le');
    expect(look(folder, { isThorough: true }).looked).toEqual({
      lines: 201,
      ...{ refused: 0, cellsRefused: 0, why: [] },
      isWhole: true,
      stop: null,
    });
  });

  test('never throws: a missing folder, an empty one, a wrong zone and a wrong format are problems with a hint', () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'empty'));
    writeFileSync(join(folder, 'log.csv'), 'time,v\n2026-11-20 12:00:00,1\n');
    const problems = [
      look(join(folder, 'nowhere')),
      look(join(folder, 'empty')),
      look(folder, { timeZone: 'Nowhere/City' }),
      look(folder, { timeFormat: 'QQ' }),
    ];
    for (const { problem, hint } of problems) {
      expect(problem).not.toBe('');
      expect(hint).not.toBe('');
    }
  });
});

describe('another time zone', () => {
  const dayMs = Date.parse('2026-11-20T00:00:00Z');
  const stamp = (at: number) => `2026-11-20 12:00:${String(at).padStart(2, '0')}`;
  const change = (text: string) => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'log.csv'), text, text.includes('ü') ? 'utf16le' : 'utf8');
    const { zoneChange } = look(folder, { oldZone: 'UTC' });
    return zoneChange?.rows.map(({ text, oldMs, timeMs }) => [
      text,
      ...[oldMs, timeMs].map((ms) => ms && (ms - dayMs) / HOUR_MS),
    ]);
  };

  test('shows the last five rows by the old zone and by the new one, also of UTF-16', () => {
    for (const channel of ['T', 'Tür']) {
      const rows = Array.from({ length: 12 }, (_, at) => `${stamp(at)},${at}`);
      const shown = change(`time,${channel}\n${rows.join('\n')}\n`);
      expect(shown).toEqual(rows.slice(-5).map((text, at) => [text, 12 + (7 + at) / 3600, 11 + (7 + at) / 3600]));
    }
  });

  test('changes no stamp that carries its own', () => {
    const [row] = change(`time,T\n2026-11-20T12:00:00Z,1\n`) ?? [];
    expect(row).toEqual(['2026-11-20T12:00:00Z,1', 12, 12]);
  });
});

describe('the newest line against the clock of this PC', () => {
  const written = (stampMs: number, suffix = '') => {
    const folder = tempFolder();
    const line = (timeMs: number, value: number) =>
      `${new Date(timeMs).toISOString().slice(0, 19)}${suffix},${value}\n`;
    writeFileSync(join(folder, 'log.csv'), `time,v\n${[3, 2, 1, 0].map((s) => line(stampMs - s * 1000, s)).join('')}`);
    return folder;
  };

  test('is no question where they agree, or the log rests', () => {
    expect(look(written(Date.now()), { timeZone: 'UTC' }).clock).toBeNull();
    const resting = written(Date.now() - 9 * HOUR_MS);
    const seconds = Date.now() / 1000 - 3600;
    utimesSync(join(resting, 'log.csv'), seconds, seconds);
    expect(look(resting, { timeZone: 'UTC' }).clock).toBeNull();
  });

  test('asks for the zone with those in which it fits, and is settled by one of them', () => {
    const folder = written(Date.now() + 9 * HOUR_MS);
    const { clock, problem } = look(folder, { timeZone: 'UTC' });
    expect(problem).toBe('');
    expect((clock?.stampMs ?? 0) - (clock?.writtenMs ?? 0)).toBeGreaterThan(8.9 * HOUR_MS);
    expect(clock?.zones).toEqual(expect.arrayContaining(['Asia/Tokyo', 'Asia/Seoul']));
    for (const zone of clock?.zones ?? []) expect(look(folder, { timeZone: zone }).clock).toBeNull();
  });

  test('behind the clock by the offset of a zone while it is written, asks too; by other times it rests', () => {
    expect(look(written(Date.now()), { timeZone: 'Asia/Tokyo' }).clock?.zones).toContain('UTC');
    expect(look(written(Date.now() - 40 * 60_000), { timeZone: 'UTC' }).clock).toBeNull();
  });

  test('offers no zone where the stamps carry their own: then a clock is wrong', () => {
    const { clock } = look(written(Date.now() + HOUR_MS, 'Z'), { timeZone: 'UTC' });
    expect(clock).toMatchObject({ zones: [] });
  });
});
