// Each question of the reader ends with what answers it: pasted into the source, the log is read. What no setting can answer
// says so here.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { Dialect, type DialectInput } from '../../../../../src-main/model/dialect.ts';
import { parseSettings } from '../../../../../src-main/settings/parse-settings.ts';
import { resolveDialect } from '../../../../../src-main/sources/log/log-source.ts';
import { withAnswers } from '../../../../../src-main/sources/log/recognise/answers.ts';
import { completeDialect, shippedDialects } from '../../../../../src-main/sources/log/recognise/dialect-library.ts';
import { recognise as recogniseText, rows, stamp, stamped } from '../../../../support/logs/text-log.ts';

const SOURCES = join(import.meta.dirname, '../../../../../src-main/sources/log');
const CHANGED_MS = Date.UTC(2026, 10, 20, 9, 15, 9);

interface Asked {
  text: string;
  /** UTF-8 where it is not told. */
  encoding?: string;
  path?: string;
  modifiedMs?: number;
  answers: number;
}

/** A log about which the question is asked, and how many answers it offers. */
const ASKED: Record<string, readonly Asked[]> = {
  'log.decimal-mark-ambiguous': [
    { text: `Zeit;Drehzahl\n${rows(5, (n) => `20.11.2026 10:15:0${n};1.23${n}\n`)}`, answers: 1 },
    { text: `Zeit;Drehzahl\n${stamped(5, (n) => `;1,23${n}`)}`, answers: 1 },
    { text: stamped(5, (n) => `,1,0${n},20,3${n}`), answers: 1 },
  ],
  'log.values-unclear': [
    { text: `Flow;Code;Remark\n${stamped(9, (n) => ` XYZT;0.0${n};192;GaAs buffer, step 2`)}`, answers: 1 },
    { text: stamped(5, (n) => ` Layer ${n} started`), answers: 2 },
  ],
  'log.time-unread': [
    { text: `Time;T\n${stamped(5, (n) => `:${n * 9};60${n}`)}`, answers: 2 },
    { text: `Date;Time;T\n${rows(5, (n) => `20.11.2026;10:15:0${n}:${n * 9};60${n}\n`)}`, answers: 2 },
    { text: `Time;T\n${rows(5, (n) => `2026-11-20 9:15:0${n}a;60${n}\n`)}`, answers: 1 },
    { text: `Time;T\n${rows(5, (n) => `6391551210${n}0000000;60${n}\n`)}`, answers: 1 },
    { text: `Time;T\n${rows(5, (n) => `2026-324T10:15:0${n}.5;60${n}\n`)}`, answers: 1 },
    { text: `Year,Day,Time,T\n${rows(5, (n) => `2026,324,10:15:0${n},60${n}\n`)}`, answers: 1 },
  ],
  'log.factors-unclear': [
    { text: `Time;T;p\n;°C;mbar\n;x10;x0.1\n${stamped(5, (n) => `;60${n};1.5`)}`, answers: 2 },
    { text: `Time;T;p\n;°C;mbar\nFactor;1;0.1\n${stamped(5, (n) => `;60${n};1.5`)}`, answers: 2 },
    { text: `Time;T;p\n;°C;mbar\nFactor;-1;1\n${stamped(5, (n) => `;60${n};1.5`)}`, answers: 2 },
    { text: `Time;T;T;p\n;°C;K;mbar\nFactor;1;10;1\n${stamped(5, (n) => `;60${n};7;1.5`)}`, answers: 1 },
  ],
  'log.no-start': [{ text: `Time (s),p\n${rows(9, (n) => `${n},1\n`)}`, answers: 1 }],
  'log.start-ambiguous': [
    { text: 'Started 03/04/2026 10:15:00\nTime (s),p\n0,1\n1,2\n', answers: 2 },
    { text: 'Run start 2026-11-20 10:15:00\nBegin 2026-11-20 10:20:00\nTime (s),p\n0,1\n1,2\n', answers: 2 },
    { text: 'Time,p\n0:00:00,1\n0:00:01,2\n', path: '2026-11-20.csv', answers: 1 },
    {
      text: 'Started: 2026-11-20 10:15:00\nTime,p\n00:00,1\n00:05,2\n',
      modifiedMs: Date.UTC(2026, 10, 22),
      answers: 2,
    },
    { text: 'Time,p\n00:00,1\n00:05,2\n', path: '2026-11-20.csv', answers: 1 },
    { text: 'Time,p\n00:00:00,1\n00:00:05,2\n', path: '2026-11-20.csv', answers: 2 },
    { text: 'Time,p\n04:00:00,1\n04:00:01,2\n', path: 'run 2026-11-20 10-15.csv', answers: 2 },
    { text: 'Time (s),p\n0,1\n1,2\n', path: '03042026_1015.csv', answers: 2 },
  ],
  'log.date-order-ambiguous': [{ text: rows(5, (n) => `03/04/2026 10:15:0${n} AM\t1\n`), answers: 2 }],
  'log.stamp-doubtful': [
    { text: `Time,p\n${rows(5, (n) => `385106344${n}.6,1.5\n`)}`, modifiedMs: Date.UTC(2026, 5, 1), answers: 2 },
    { text: `Time,p\n${rows(5, (n) => `2144-01-01 10:15:0${n},1\n`)}`, answers: 1 },
    { text: `Start: 2144-01-01 10:15:00\nTime [s],p\n${rows(5, (n) => `${n},1\n`)}`, answers: 1 },
    { text: `Recorded: 2024-05-01\nTime,p\n${stamped(5, () => ',1')}`, modifiedMs: Date.UTC(2026, 10, 22), answers: 1 },
  ],
  'log.time-unit-unclear': [
    { text: 'Started: 2026-11-20 10:15:00\nTime,p\n0,1\n1,2\n', modifiedMs: Date.UTC(2026, 10, 22), answers: 4 },
  ],
  'log.rows-differ': [
    { text: `Time;a;b\n${stamped(3, () => ';1')}${rows(6, (n) => `2026-11-20 10:16:0${n};1;2\n`)}`, answers: 1 },
    { text: `${stamped(3, () => ';1')}${rows(6, (n) => `2026-11-20 10:16:0${n};1;2\n`)}`, answers: 1 },
    {
      text: `Date       Time      P1        T1      F1\n${stamped(8, (n) => `  ${n % 3 ? '        ' : '1.20E-08'}  600.1   20.1`)}`,
      answers: 1,
    },
  ],
  'log.header-mismatch': [{ text: `Time;a;b\n${stamped(5, () => ';1;2;3;4')}`, answers: 1 }],
  'log.header-unclear': [
    { text: `Time;T;p\ns;°C;mbar\n;K;Pa\n${stamped(5, (n) => `;60${n};1.5`)}`, answers: 2 },
    { text: `Time\tp\n\tflow\n${stamped(5, () => '\t1.5')}`, answers: 2 },
    { text: `Growth log of\n${rows(5, (n) => `1795166${n}00  1.5  2.5\n`)}`, answers: 2 },
  ],
  'log.decimal-mark-mixed': [{ text: `Zeit;a;b;c\n${stamped(5, () => ';1.25;2.5;3,75')}`, answers: 2 }],
  'log.several-times': [
    {
      text: `n\tTime\tH2\tTime\tN2\n${rows(5, (n) => `${n}\t${stamp(n)}\t1\t2026-11-20 10:16:0${n}\t2\n`)}`,
      answers: 1,
    },
    { text: `T1_TIME;T1;P1_TIME;P1\n${stamped(5, (n) => `;1;2026-11-20 10:16:0${n};2`)}`, answers: 1 },
  ],
  'log.long-table': [
    { text: stamped(8, (n) => `.123,${n === 3 || n === 7 ? 'P1' : 'T1'},${n}.5`), answers: 2 },
    {
      text: `Time\tUnit\tT [°C]\tp [mbar]\n${stamped(8, (n) => `\t${n % 2 ? 'MBE (1)' : 'MBE (2)'}\t60${n}\t1.${n}`)}`,
      answers: 2,
    },
  ],
  'log.time-doubtful': [
    {
      text: `Cycle,Dose Time [s],Thickness\n${rows(5, (n) => `${n},0.${n},1.5\n`)}`,
      path: '2026-11-20_101500.csv',
      answers: 1,
    },
  ],
  'log.named-values': [{ text: stamped(5, (n) => `,${n}.5,step ${n} T=60${n} P=1`), answers: 1 }],
  'log.units-mixed': [
    { text: `Time,p,unit\n${stamped(6, (n) => `,1.${n}e-8,${n > 2 ? 'Torr' : 'mbar'}`)}`, answers: 2 },
    { text: `Time,p\n${stamped(6, (n) => `,1.${n}e-8 ${n > 2 ? 'Torr' : 'mbar'}`)}`, answers: 1 },
  ],
  'log.numbers-unread': [
    { text: `Zeit;n;Rate\n${stamped(5, (n) => `;1.20${n};12.34${n},5`)}`, answers: 1 },
    { text: `Time;p;T\n${stamped(5, (n) => `;1.2${n}D-08;60${n}`)}`, answers: 1 },
  ],
  'log.encoding-unclear': [
    { text: `日付,温度(℃)\n${stamped(5, (n) => `,60${n}`)}`, encoding: 'shift_jis', answers: 6 },
    { text: `Zeit,Temp (°C),Größe\n${stamped(5, (n) => `,60${n},1`)}`, encoding: 'cp850', answers: 6 },
  ],
  'log.zero-unclear': [
    { text: `Time,T\n${rows(5, (n) => `387801450${n}.5,60${n}\n`)}`, modifiedMs: Date.UTC(2026, 10, 22), answers: 2 },
  ],
  'log.hours-unclear': [
    { text: `Date;Time;T\n${rows(4, (n) => `2026-11-20;${n < 2 ? '12:59' : '01:00'}:0${n};60${n}\n`)}`, answers: 1 },
  ],
  'log.count-doubtful': [
    {
      text: `TIME,T\n${rows(5, (n) => `10150${n},60${n}\n`)}`,
      path: 'run_2026-11-20_10-15-00.csv',
      modifiedMs: Date.UTC(2026, 10, 22),
      answers: 1,
    },
  ],
  'log.day-unclear': [
    { text: `Day,Time,T\n${rows(5, (n) => `Fri,10:15:0${n},60${n}\n`)}`, path: 'log_2026-11-20.csv', answers: 1 },
  ],
  'log.quality-unclear': [
    { text: `Time,T,Quality\n${stamped(5, (n) => `,60${n}.5,0`)}`, answers: 2 },
    { text: `Time,T,Quality\n${stamped(5, (n) => `,60${n}.5,${n % 2 ? 'A' : 'C'}`)}`, answers: 3 },
  ],
  'log.second-part-unclear': [
    { text: `Time,us,T\n${stamped(5, (n) => `,12345678,60${n}.5`)}`, answers: 2 },
    { text: `Time,T\n${stamped(5, (n) => `.${n * 20},60${n}.5`)}`, answers: 2 },
    { text: `Time,T\n${stamped(5, (n) => `.${n * 20}+01:00,60${n}.5`)}`.replaceAll('20 1', '20T1'), answers: 2 },
    { text: `Time;T\n${rows(5, (n) => `20.11.2026 10:15:0${n},${n * 20};60${n}\n`)}`, answers: 2 },
  ],
  'log.hour-twice': [
    {
      text: `Time,T\n${rows(5, (n) => `2026-10-25 02:10:0${n},60${n}.5\n`)}`,
      modifiedMs: Date.UTC(2026, 10, 22),
      answers: 2,
    },
  ],
  'log.hour-skipped': [
    {
      text: `Time,T\n${rows(5, (n) => `2026-03-29 02:10:0${n},60${n}.5\n`)}`,
      modifiedMs: Date.UTC(2026, 2, 29),
      answers: 2,
    },
  ],
  'log.seconds-lost': [
    {
      text: `Time;T\n${rows(6, (n) => `2026-11-20 10:1${n % 2}:00;60${n}\n`)}`.replaceAll(/10:1./g, '10:15'),
      answers: 1,
    },
  ],
  'log.zone-unclear': [
    { text: `Time (IST),p\n${stamped(5, () => ',1')}`, answers: 2 },
    { text: `Start: 2026-11-20T08:00:00-07:00\nTime,p\n${stamped(5, () => ',1')}`, answers: 2 },
    { text: `Time zone: Mountain Standard Time\nTime,p\n${stamped(5, () => ',1')}`, answers: 2 },
    { text: `Time,UTC offset,p\n${stamped(5, () => ',-7,1')}`, answers: 2 },
  ],
};

/** What no setting answers, and why. */
const NO_ANSWER: Record<string, string> = {
  'log.not-text': 'it is no text: only a narrower match leaves it out',
  'log.line-ends': 'its lines have no line feed: the tool must write it',
  'log.no-line-end': 'it has no lines',
  'log.no-rows': 'no more of its head is looked at: the tool must write less above its rows',
  'log.igor-text': 'its waves have no one time: the tool must write a table',
  'log.influx-lines': 'a line pattern of the settings reads them, and only its writer knows which fields are channels',
  'log.form-unread': 'it is no table: the tool must write one',
  'log.json-lines': 'it holds no time',
  'log.no-time': 'it holds no time',
  'log.no-rows-yet': 'it settles itself with the first row',
  'log.lvm-unclear': 'a measurement file says itself how it is written: its head is torn',
  'log.scope-unclear': 'an export says itself how it is written: its head is torn',
  'log.starts-contradict': 'answered on the page of the source, for one file',
  'log.columns-changed': 'answered on the page of the source, at one place of one file',
  'log.time-again': 'the start of the second run stands nowhere',
  'log.new-channel': 'it is taken up by itself',
};

function recognise(
  { text, encoding = 'utf-8', path, modifiedMs = CHANGED_MS }: Omit<Asked, 'answers'>,
  dialect: string | DialectInput,
) {
  return recogniseText(iconv.encode(text, encoding), { path, modifiedMs, dialect: resolveDialect(dialect) });
}

/** The answers at the end of a hint, each the YAML of a source. */
function answersIn(hint: string): (string | DialectInput)[] {
  const text = hint.slice(hint.indexOf('dialect: {'));
  return text.split(/ or (?=dialect: \{)/).map((one) => (parse(one) as { dialect: DialectInput }).dialect);
}

describe('a question', () => {
  test('has an example here, or a reason why no setting answers it', () => {
    const codes = new Set<string>();
    for (const file of readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts') || file.endsWith('log-notes.ts')) continue;
      const text = readFileSync(join(SOURCES, file), 'utf8');
      for (const [, code] of text.matchAll(/undecided\(\s*'(log\.[a-z-]+)'/g)) codes.add(code as string);
    }
    expect(codes.size).toBeGreaterThan(10);
    const known = new Set([...Object.keys(ASKED), ...Object.keys(NO_ANSWER)]);
    expect([...codes].filter((code) => !known.has(code))).toEqual([]);
  });

  const all = Object.entries(ASKED).flatMap(([code, logs]) => logs.map((log, n) => [code, n, log] as const));
  test.each(all)('%s (%i) ends with answers that work when they are pasted', (code, _, log) => {
    const asked = recognise(log, 'auto');
    expect('code' in asked ? asked.code : asked.reasons).toBe(code);
    if (!('code' in asked)) return;
    const answers = answersIn(asked.hint);
    expect(answers.length, asked.hint).toBe(log.answers);
    for (const answer of answers) {
      const found = recognise(log, answer);
      expect('layout' in found ? 'read' : `${found.code}: ${found.message}`, JSON.stringify(answer)).toBe('read');
    }
  });

  test('keeps what the settings say already', () => {
    const asked = recognise({ text: rows(5, (n) => `03/04/2026 10:15:0${n} AM\t1\n`) }, { time: { zone: 'UTC' } });
    if (!('code' in asked)) throw new Error('not asked');
    expect(answersIn(asked.hint)[0]).toMatchObject({ time: { zone: 'UTC', format: 'dd/MM/yyyy hh:mm:ss.SSS a' } });
  });
});

test('a hint that names a setting of the source names one that the settings take', () => {
  const named = new Set<string>();
  for (const file of readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    const text = readFileSync(join(SOURCES, file), 'utf8');
    for (const [, setting = ''] of text.matchAll(/\b([a-z_]+: [a-z]+) at the source\b/g)) named.add(setting);
  }
  expect([...named]).toContain('columns_change: accept');
  for (const setting of named) {
    const source = `{ id: a, kind: log, path: '/logs', match: '*', backfill: all, ${setting} }`;
    const parsed = parseSettings(`version: 1\ntool: { name: x, time_zone: UTC }\nsources: [${source}]`, '/lab/e.yaml');
    expect([setting, parsed.isValid]).toEqual([setting, true]);
  }
});

test('a paste keeps what the settings add to a shipped dialect', () => {
  const own = { leave_out: ['P1'], time: { column: ['Date', 'Time'], format: 'yyyy-MM-dd HH:mm:ss' } };
  const given = completeDialect(Dialect.parse({ like: 'generic-semicolon', ...own }), shippedDialects());
  const { hint } = withAnswers({ hint: 'Say which.', answers: [{ time: { zone: '+01:00' } }] }, given);
  const [, pasted = ''] = /To paste into the source: (dialect: .*)$/.exec(hint) ?? [];
  expect(parse(pasted)).toEqual({
    dialect: { like: 'generic-semicolon', leave_out: ['P1'], time: { ...own.time, zone: '+01:00' } },
  });
});

describe('answers one after the other', () => {
  const flagged = (first: string, second: string) =>
    `Time;T1;${first};P1;${second}\n${stamped(9, (n) => `;60${n}.5;${n % 2};1.${n};${n % 2}`)}`;

  test.each([
    ['quality', 'T1_Flag', 'P1_Flag'],
    ['leave_out', 'T1_Flag', 'P1_Flag'],
    ['numeric', 'Gauge_Flag', 'Pump_Flag'],
  ] as const)('each question comes once, and %s keeps both answers', (field, first, second) => {
    const text = flagged(first, second);
    let dialect: string | DialectInput = 'auto';
    for (const header of [first, second]) {
      const found = recognise({ text }, dialect);
      if (!('code' in found)) throw new Error('not asked');
      expect([found.code, found.message]).toEqual(['log.quality-unclear', expect.stringContaining(header)]);
      const { [field]: before } = resolveDialect(dialect);
      const answers = answersIn(found.hint);
      dialect = answers.find((one) => resolveDialect(one)[field].length > before.length) ?? 'auto';
    }
    expect('layout' in recognise({ text }, dialect)).toBe(true);
    const columns = resolveDialect(dialect)[field].map((one) => (typeof one === 'object' ? one.column : one));
    expect(columns).toEqual([3, 5]);
  });

  test('a new answer about a column replaces the former one, and what is one statement is replaced as a whole', () => {
    const given = Dialect.parse({
      quality: [{ column: 3, good: ['0'] }],
      leave_out: [2, 'P1'],
      units: { p: 'Pa', T: 'K' },
      header: ['Time', 'a'],
    });
    const answer = {
      quality: [{ column: 3, good: ['1'] }],
      leave_out: [2, 4],
      units: { p: 'mbar' },
      header: ['t', 'b'],
    };
    expect(withAnswers({ hint: '', answers: [answer] }, given).answers).toEqual([
      { ...answer, leave_out: ['P1', 2, 4], units: { p: 'mbar', T: 'K' } },
    ]);
  });

  test('a list of a shipped dialect stays as well: the one that is pasted stands in its place', () => {
    const model = shippedDialects().find(({ leave_out }) => leave_out.length > 0);
    if (model === undefined) throw new Error('no shipped dialect leaves a column out');
    const given = completeDialect(Dialect.parse({ like: model.name }), shippedDialects());
    const { answers } = withAnswers({ hint: '', answers: [{ leave_out: [5] }] }, given);
    expect(answers).toEqual([{ like: model.name, leave_out: [...model.leave_out, 5] }]);
  });
});
