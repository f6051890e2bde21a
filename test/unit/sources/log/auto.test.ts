// What `auto` does not read: each of these tables can be cut into rows, and would be wrong. More of them, with what answers
// the question, stand in recognise/answers.test.ts.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Dialect } from '../../../../src-main/model/dialect.ts';
import { diskFiles } from '../../../../src-main/platform/files.ts';
import { readLayout } from '../../../../src-main/sources/log/follow/file-reader.ts';
import { parse as parseBlock, recognise, recognised, rows, stamped } from '../../../support/logs/text-log.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

describe('auto asks', () => {
  test.each<[string, string, string, string?]>([
    ['a spectrum', 'log.no-time', `Date: 2026-11-20 10:15:00\nWavelength (nm)\tCounts\n${rows(9, (n) => `${n}\t1\n`)}`],
    [
      'a calibration',
      'log.no-time',
      `Start: 2026-11-20 10:15:00\nExposure time (s),Counts\n${rows(9, (n) => `${n},1\n`)}`,
    ],
    ['seconds with only a date', 'log.no-start', `Date: 11/20/2026\nTime (s),p\n${rows(9, (n) => `${n},1\n`)}`],
    ['seconds and when it was exported', 'log.no-start', `Exported: 2026-11-20 10:15:00\nTime (s),p\n0,1\n1,2\n`],
    ['times of day without a date', 'log.no-start', 'Time,p\n10:15:00,1\n10:15:01,2\n'],
    [
      'groups of columns, each with its time, written in two ways',
      'log.several-times',
      `Time\tH2\tTime\tN2\n${stamped(5, (n) => `\t1\t20.11.2026 10:16:0${n}\t2`)}`,
    ],
    [
      'a row a channel with several numbers in it',
      'log.long-table',
      `PV,timestamp,one,other\n${rows(6, (n) => `${n % 2 ? 'IG' : 'PYRO'},2026-11-20 10:15:0${n},1,2\n`)}`,
    ],
    [
      'a row a channel whose unit changes to and fro',
      'log.long-table',
      `Time;Tag;Value;Unit\n${stamped(6, (n) => `;IG;1.5;${n % 2 ? 'Pa' : 'mbar'}`)}${rows(3, (n) => `2026-11-20 10:16:0${n};T;1.5;K\n`)}`,
    ],
    ['JSON without a time', 'log.json-lines', rows(5, (n) => `{"n":"a","p":${n}}\n`)],
    [
      'a row a channel with its unit and no header',
      'log.long-table',
      stamped(8, (n) => `;${n % 2 ? 'Druck' : 'Temp'};1.5;${n % 2 ? 'mbar' : 'K'};ok`),
    ],
    ['what .NET counts', 'log.time-unread', `Ticks,P\n${rows(5, (n) => `63919246500${n}000000,1.5\n`)}`],
    [
      'names that each stand for a value and its status',
      'log.header-mismatch',
      `Panel 5\n\tT1\tT2\tT3\n${rows(5, (n) => `2026/11/28_14:08:0${n}\t1.5\t2.5\t3.5\t-\t-\t-\n`)}`,
    ],
    [
      'numbers with names that are told in a sentence',
      'log.named-values',
      stamped(5, (n) => `;step ${n} of oven 2: temp=60${n}.5;1.5`),
    ],
    [
      'a word over each number, below a label that says nothing',
      'log.header-unclear',
      `Panel:,IG1,TC2\n${stamped(5, () => ',1.5,2.5')}`,
    ],
    ['readings in sentences', 'log.values-unclear', stamped(5, (n) => ` IG: 1.${n}E-07 Torr; CG1: 2${n}.5 Torr`)],
    [
      'one stamp in all rows beside a count',
      'log.time-doubtful',
      `Run start,Elapsed [s],T\n${rows(5, (n) => `2026-11-20 10:15:00,${n},1.5\n`)}`,
    ],
    ['a column of the zone by its name', 'log.zone-unclear', `Time,Zone,T\n${stamped(5, () => ',EST,1.5')}`],
    [
      'a day that is of the software',
      'log.no-start',
      `Firmware 2026-11-18\nTime;T\n${rows(5, (n) => `10:15:0${n};1.5\n`)}`,
    ],
    [
      'XML',
      'log.form-unread',
      `<?xml version="1.0"?>\n<log>\n${rows(5, (n) => `  <row t="2026-11-20 10:15:0${n}" p="1"/>\n`)}</log>\n`,
    ],
    [
      'JSON of many lines',
      'log.form-unread',
      `[\n${rows(5, (n) => `  {\n  "time": "2026-11-20 10:15:0${n}",\n  "p": 1\n  },\n`)}`,
    ],
    ['an Igor text file', 'log.igor-text', `IGOR\nWAVES/D\ttime, p\nBEGIN\n${rows(5, (n) => `\t387801450${n}\t1\n`)}`],
    [
      'minutes and seconds since a start, or hours and minutes of a day',
      'log.start-ambiguous',
      `Start: 20-Nov-26 10:15:00\nTime\tP\n${rows(5, (n) => `00:0${n}\t1.5\n`)}`,
    ],
    ['values behind a zone that can be several', 'log.no-time', `Time,P\n${stamped(5, () => ' IST,1.5')}`],
  ])('about %s', (_, code, text, path) => {
    const found = recognise(text, { path });
    expect('layout' in found ? found.reasons : found.code).toBe(code);
    if (!('layout' in found)) expect(found.hint).not.toBe('');
  });
});

describe('auto reads', () => {
  test('sentences of as many words each as events, and no number out of them', () => {
    const found = recognised(stamped(5, (n) => ` Connected to Eurotherm 3504 on COM${n}`));
    expect(found.layout.eventText).toEqual([]);
    expect(found.kinds).not.toContain('number');
  });

  test.each([
    'Time;p;T\n',
    'Started: 2026-11-20 10:15:00\nOperator\t5\nTime (s)\tp\tT\n',
    '# Date: 2026-11-20\n# gain, 1.5\n# Time, p\n',
  ])('a head without a row yet as one, and says nothing against it: %j', (text) => {
    expect(recognise(text)).toMatchObject({ code: 'log.no-rows-yet', isWaiting: true });
  });

  test.each([
    ['a set point of 1000', '1000', 'number'],
    ['bits with a zero in front', '0011', 'text'],
  ])('%s as what it is', (_, cell, kind) => {
    const { kinds } = recognised(`Time,v,p\n${stamped(5, () => `,${cell},1.5`)}`);
    expect(kinds[1]).toBe(kind);
  });

  test('lines up to a header that changes, so that reading stops there and skips no line above', () => {
    const late = rows(40, (n) => `2026-11-20 11:15:${10 + n},1,2,3\n`);
    const found = recognised(`Time,a,b\n${stamped(3, () => ',1,2')}Time,a,b,c\n${late}`);
    expect(found.layout.columns.map(({ name }) => name)).toEqual(['Time', 'a', 'b']);
    expect(found.dataLine).toBe(1);
  });

  test('0:00:00 as time since the start, where a start with a time of day is far from it', () => {
    const text = 'Time,p\n0:00:00,1\n0:00:01,2\n';
    expect(recognised(text, { path: '2026-11-20 10-15-00.csv' }).layout.timeFormat).toBe('relative-time');
  });

  test.each([
    ['.', undefined],
    [',', undefined],
    [
      '.',
      { time: { column: 1, format: 'relative-seconds', start: { from: 'header', format: 'yyyy/MM/dd HH:mm:ss' } } },
    ],
  ])('a start with 19 digits behind "%s", none of them dropped', (mark, dialect) => {
    const text = `Start: 2026/11/20 09:47:02${mark}1010842303223302656\nTime [s]\tp\n0\t1\n1\t2\n`;
    const found = recognise(text, { dialect: Dialect.parse(dialect ?? {}) });
    expect('layout' in found ? found.layout.startMs : found).toBe(
      Date.UTC(2026, 10, 20, 8, 47, 2) + 101.084_230_322_330_27,
    );
  });

  test.each([
    ['image_2026-11-20___10-15-00.878.txt', 878],
    ['20261120101500.125000.txt', 125],
    ['20.11.2026_10-15-00,250.txt', 250],
    ['run 2026-11-20 10-15-00.txt.1', 0],
    ['run_20261120_101500.1', 0],
  ])('a start in the name %s with its fraction, which no number of a rotated file is', (path, ms) => {
    const startMs = Date.UTC(2026, 10, 20, 9, 15) + ms;
    const found = recognise('Time [s]\tp\n0\t1\n1\t2\n', { path });
    expect('layout' in found ? found.layout.startMs : found).toBe(startMs);
    const format = path.startsWith('run_')
      ? 'yyyyMMdd_HHmmss'
      : path.startsWith('image')
        ? 'yyyy-MM-dd___HH-mm-ss'
        : null;
    if (format === null) return;
    const time = { column: 1, format: 'relative-seconds', start: { from: 'name' as const, format } };
    const told = recognise('Time [s]\tp\n0\t1\n1\t2\n', { path, dialect: Dialect.parse({ time }) });
    expect('layout' in told ? told.layout.startMs : told).toBe(startMs);
  });

  test('times of day as such, where the start is just before them', () => {
    const found = recognised('Started: 2026-11-20 10:14:58\nTime,p\n10:15:00,1\n10:15:01,2\n');
    expect(found.layout).toMatchObject({ timeFormat: 'HH:mm:ss.SSS', dayMs: Date.UTC(2026, 10, 20), startMs: null });
  });

  test('a count without a unit as seconds where the last change of the file confirms it, and says so', () => {
    const changedMs = Date.UTC(2026, 10, 20, 9, 15, 2);
    const found = recognised('Started: 2026-11-20 10:15:00\nTime,p\n0,1\n1,2\n', { modifiedMs: changedMs });
    expect(found.assumed).toEqual({ start: true, seconds: true });
    const told = recognised('Started: 2026-11-20 10:15:00\nTime (ms),p\n0,1\n1,2\n');
    expect(told.layout.timeFormat).toBe('relative-ms');
    expect(told.assumed).toEqual({ start: true, seconds: false });
  });

  test('a table whose preamble is longer than what there is of it', () => {
    const text = `${rows(30, (n) => `key ${n},${n}\n`)}Time,a,b\n2026-11-20 10:15:00,1,2\n`;
    expect(recognised(text).layout.columns.map(({ name }) => name)).toEqual(['Time', 'a', 'b']);
  });

  test('a word of bits as a remark, not as the number that it looks like', () => {
    const text = 'Time,Valves,n\n2026-11-20 10:15:00,00011010,0101\n2026-11-20 10:15:01,0001 1011,0102\n';
    expect(recognised(text).kinds).toEqual(['time', 'text', 'whole']);
  });

  test('whole seconds without any header, in steps that differ, from the start in the name', () => {
    const path = '26042026_1630-SrTiO3.dlog';
    const found = recognised('0\t7.0\n2\t7.1\n5\t7.2\n', { path, modifiedMs: Date.UTC(2026, 3, 26, 14, 30, 6) });
    expect(found.layout).toMatchObject({ timeFormat: 'relative-seconds', startMs: Date.UTC(2026, 3, 26, 14, 30) });
    expect(found.assumed).toEqual({ start: true, seconds: true });
    const even = recognise('0\t7.0\n2\t7.1\n4\t7.2\n', { path });
    expect('code' in even && even.code).toBe('log.no-time');
  });

  test('a file that looks like that of a known tool and is written otherwise', () => {
    const folder = { path: tempFolder(), files: diskFiles };
    writeFileSync(
      join(folder.path, 'log.txt'),
      '# Date: x\n# Time: y\nTime,p\n2026-11-20 10:15:00,1\n2026-11-20 10:15:01,2\n',
    );
    const known = [Dialect.parse({ name: 'known', signs: ['# Date:', '# Time:'], delimiter: 'tab' })];
    const opened = readLayout(folder, { path: 'log.txt', seen: null }, Dialect.parse({}), 'UTC', null, known);
    expect(opened).toMatchObject({ dialect: 'auto', layout: { delimiter: ',' } });
  });

  test('a state that lasts as a remark, not as the name of a channel', () => {
    const text = `Time,Mode,p\n${stamped(8, (n) => `,${n < 5 ? 'Idle' : 'Growth'},1`)}`;
    expect(recognised(text).kinds).toEqual(['time', 'text', 'whole']);
  });
});

describe('a time that counts from a start', () => {
  const head = 'Started: 2026-11-20 10:15:00\nTime (s),p\n';
  const found = recognised(`${head}0,1\n1,2\n`);
  const parse = (text: string, formerMs: number) => parseBlock(found, text, '', formerMs);
  const startMs = Date.UTC(2026, 10, 20, 9, 15);

  test.each([
    ['behind its header that comes again', '500,1\nTime (s),p\n0,2\n'],
    ['where it goes back', '500,1\n0,2\n1,3\n'],
  ])('is not read on %s: from where it counts then nobody knows', (_, text) => {
    const parsed = parse(text, Number.NaN);
    expect([...parsed.timesMs]).toEqual([startMs + 500_000]);
    expect(parsed).toMatchObject({ stoppedAt: 6, rowsRead: 1, lines: 1 });
  });

  test('may go back a little: rows are not always in order', () => {
    const parsed = parse('500,1\n499,2\n501,3\n', Number.NaN);
    expect([...parsed.timesMs]).toEqual([500, 499, 501].map((second) => startMs + second * 1000));
    expect(parsed.stoppedAt).toBeNull();
  });

  test('goes back from the block before, too', () => {
    expect(parse('0,2\n', startMs + 500_000)).toMatchObject({ stoppedAt: 0, rowsRead: 0 });
  });
});
