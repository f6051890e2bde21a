// What a line holds and was once lost or mixed up without a word: channels that are numbered, names that come twice, lists,
// numbers of many digits, dates with the signs of year, month and day.
import { describe, expect, test } from 'vitest';
import { Dialect } from '../../../../src-main/model/dialect.ts';
import { codeOf, read, recognise, rows, stamp, stamped, two } from '../../../support/logs/text-log.ts';

const namesOf = (text: string) => read(text).columns.map((column) => column?.name);
const finite = (text: string) => [...read(text).values].filter((value) => !Number.isNaN(value));

describe('one row a channel, with the number of the channel', () => {
  test.each([
    ['Timestamp,Channel,Value', [1, 2]],
    ['Timestamp,Tag,Value', [101, 102]],
    ['Timestamp,TagIndex,Value', [0, 1]],
    ['Timestamp,Sensor No,Reading', [7, 3]],
    ['Timestamp,Channel ID,Value', [1, 2]],
  ])('%s', (header, numbers) => {
    const text = `${header}\n${rows(12, (n) => `${stamp(n >> 1)},${numbers[n % 2]},${n % 2 ? 600 + n : n}.5\n`)}`;
    expect(namesOf(text)).toEqual(numbers.map(String));
    const { values, columns } = read(text);
    const first = [...values].filter((value, at) => at % columns.length === 0 && !Number.isNaN(value));
    expect(first).toEqual([0.5, 2.5, 4.5, 6.5, 8.5, 10.5]);
  });

  test('without a column that is called value is a question', () => {
    const text = `Time,Channel,T,P\n${rows(12, (n) => `${stamp(n >> 1)},${1 + (n % 2)},${n}.5,${n}.25\n`)}`;
    expect(codeOf(recognise(text))).toBe('log.long-table');
  });

  test('a channel that is measured stays one', () => {
    const text = `Time,Channel,Value\n${stamped(12, (n) => `,${1 + (n >> 2)},${n}.5`)}`;
    expect(namesOf(text)).toEqual(['Channel', 'Value']);
  });
});

describe('what a line names is sent, or told', () => {
  const json = (own: (n: number) => string) => rows(6, (n) => `{"time":"2026-11-20T10:15:0${n}Z",${own(n)}}\n`);

  test('a list by its places; a long one by its name', () => {
    expect(namesOf(json((n) => `"p":1.5,"temps":[${n},${n + 10}]`))).toEqual(['p', 'temps.0', 'temps.1']);
    const found = recognise(json((n) => `"p":1.5,"curve":[${Array.from({ length: 99 }, () => n)}]`));
    if ('code' in found) throw new Error(found.message);
    expect(found.layout.columns.map(({ name }, column) => [name, found.kinds[column]])).toContainEqual([
      'curve',
      'text',
    ]);
  });

  test.each(['id', 'name', 'Channel', 'tag', 'sensor'])(
    'a list whose members have a name (%s) by these, in any order',
    (key) => {
      const member = (name: string, value: number) => `{"${key}":"${name}","v":${value}}`;
      const list = (n: number) => [member('T', 600 + n), member('P', n)];
      const text = json((n) => `"readings":[${n % 2 ? list(n) : list(n).toReversed()}]`);
      const { columns, values } = read(text);
      expect(columns.map((column) => column?.name).sort()).toEqual(['readings.P.v', 'readings.T.v']);
      const ofT = columns.findIndex((column) => column?.name === 'readings.T.v');
      const found = [...values].filter((_, at) => at % columns.length === ofT);
      expect(found).toEqual([600, 601, 602, 603, 604, 605]);
    },
  );

  test('a unit beside a value that changes on the way is a question', () => {
    const text = json((n) => `"p":{"value":${n}.5,"unit":"${n < 4 ? 'mbar' : 'Torr'}"}`);
    expect(codeOf(recognise(text))).toBe('log.units-mixed');
  });

  test('no value counts of a list in which a name comes twice', () => {
    const text = json((n) => `"readings":[{"id":"T","v":${n}.5,"v":${n}.7},{"id":"P","v":${n}}],"q":${n}.5`);
    expect(namesOf(text)).toEqual(['q']);
  });

  test('a name that comes twice on a line with another value gives none', () => {
    const pairs = stamped(6, (n) => ` T=${n} p=1.5${n === 3 ? ' T=100' : ''}`);
    expect(read(pairs).refusals.map(({ text }) => text)).toEqual(['3 (not good: named again with 100)']);
    const text = json((n) => `"p":${n},"at":{"T":1.5},"say":"a \\"b\\": c"${n === 3 ? ',"p":100' : ''}`);
    expect(read(text).refusals.map(({ text: cell }) => cell)).toEqual(['100 (not good: named twice)']);
    const inner = json((n) => `"p":${n},"at":{"T":1.5${n === 3 ? ',"T":2.5' : ''}}`);
    expect(read(inner).refusals.map(({ channel }) => channel)).toEqual(['at.T']);
    const outer = json((n) => `"p":${n},"at":{"T":1.5}${n === 3 ? ',"at":{"T":2.5}' : ''}`);
    expect(read(outer).refusals.map(({ channel }) => channel)).toEqual(['at.T']);
    const path = json((n) => `"p":${n},"at.T":1.5${n === 3 ? ',"at":{"T":2.5}' : ''}`);
    expect(read(path).refusals.map(({ channel }) => channel)).toEqual(['at.T']);
  });

  const long = (n: number) => (n === 3 ? '9007199254740993' : n);
  test.each([
    ['JSON', json((n) => `"p":${long(n)}`)],
    ['pairs', stamped(6, (n) => ` p=${long(n)} T=1.5`)],
    ['a table', `Time,p\n${stamped(6, (n) => `,${long(n)}`)}`],
    ['a table with units in its cells', `Time,p\n${stamped(6, (n) => `,${long(n)} mbar`)}`],
  ])('a whole number of more digits than a value holds is refused: %s', (_, text) => {
    const [refusal, ...others] = read(text).refusals;
    expect(refusal?.text.slice(0, 16)).toBe('9007199254740993');
    expect(others).toEqual([]);
    expect(finite(text).filter((value) => value !== 1.5)).toEqual([0, 1, 2, 4, 5]);
  });

  test.each(['9007199254740993', '-9999', '9.9e37'])(
    'and many of these one after the other stop nothing: %s',
    (none) => {
      const dialect = Dialect.parse({ refused: ['-9999', '9.9e37'] });
      const cell = (n: number) => (n > 30 && n < 40 ? none : `${n}`);
      const found = read(`Time,p,T\n${stamped(60, (n) => `,${cell(n)},${n}.5`)}`, { dialect });
      expect([found.isMisfit, found.timesMs.length, found.refusedCount]).toEqual([false, 60, 9]);
    },
  );

  test.each(['9007199254740992', '3200000000000000000', '-123456789012345680000', String(BigInt(1.23e22))])(
    'but one is sent that a program writes for a value: %s',
    (text) => {
      expect(finite(json((n) => `"p":${n === 3 ? text : n}`))).toContain(Number(text));
      expect(finite(`Time,p\n${stamped(6, (n) => `,${n === 3 ? text : n}`)}`)).toContain(Number(text));
    },
  );
});

test.each([
  ['日時,p', (n: number) => `2026年11月20日 10時15分${two(n)}秒`],
  ['日時,p', (n: number) => `2026年11月20日10時15分${n}秒`],
  ['时间,p', (n: number) => `2026年11月20日 10:15:${two(n)}`],
  ['日時,p', (n: number) => `2026年11月20日 10時15分${two(n)}.500秒`],
  ['Time,p', (n: number) => `2026년 11월 20일 10시 15분 ${n}초`],
])('stamps with the signs of year, month and day: %s', (header, time) => {
  const { firstAt, values } = read(`${header}\n${rows(6, (n) => `${time(n)},${n}.5\n`)}`);
  expect(firstAt.slice(0, 19)).toBe('2026-11-20T09:15:00');
  expect(values).toHaveLength(6);
});

test('stamps with these signs that are not understood are asked about', () => {
  expect(codeOf(recognise(`日時,p\n${rows(6, (n) => `2026年11月20日 午前10時15分${n}秒,${n}.5\n`)}`))).toBe(
    'log.no-time',
  );
});

describe('a table whose lines are of several things is read by the pattern of the answer', () => {
  const byAnswer = (text: string) => {
    const found = recognise(text);
    const [answer] = 'code' in found ? (found.answers ?? []) : [];
    const { columns, values, timesMs } = read(text, { dialect: Dialect.parse(answer) });
    const named = columns.map((column) => `${column?.name} [${column?.unit}]`);
    const first = [...values].slice(0, 2 * named.length).map((value) => (Number.isNaN(value) ? null : value));
    return { code: codeOf(found), named, first, rows: timesMs.length };
  };

  test('two devices in turn', () => {
    const row = (n: number) => `${stamp(n >> 1)};${n % 2 ? 'MBE 2' : 'MBE 1'};60${n},5;1,${n}\n`;
    expect(byAnswer(`Time;Device;T [°C];p [mbar]\n${rows(8, row)}`)).toEqual({
      code: 'log.long-table',
      named: ['MBE_1_T [°C]', 'MBE_1_p [mbar]', 'MBE_2_T [°C]', 'MBE_2_p [mbar]'],
      first: [600.5, 1, null, null, null, null, 601.5, 1.1],
      rows: 8,
    });
  });

  test('a unit that changes', () => {
    const row = (n: number) => `2026-11-20;10:15:0${n};1.${n};${n > 0 ? 'Pa' : 'mbar'};60${n}\n`;
    expect(byAnswer(`Date;Time;p;Unit;T [°C]\n${rows(8, row)}`)).toEqual({
      code: 'log.units-mixed',
      named: ['p_mbar [mbar]', 'p_Pa [Pa]', 'T [°C]'],
      first: [1, null, 600, null, 1.1, 601],
      rows: 8,
    });
  });
});

describe('a line pattern is offered only where it reads the lines as the table says them', () => {
  const patternsOf = (text: string) => {
    const found = recognise(text);
    if (!('code' in found)) throw new Error('not asked');
    return { code: found.code, lines: (found.answers ?? []).flatMap(({ line }) => (line ? [line] : [])) };
  };
  const device = (n: number) => `MBE ${1 + (n % 2)}`;

  test.each([
    ['T_Q', (n: number) => (n === 5 ? 'Bad' : 'Good')],
    ['Flag', (n: number) => (n === 5 ? 'Bad' : 'Good')],
    ['Status', (n: number) => (n === 5 ? 'Sensor error' : 'OK')],
    ['T_Valid', (n: number) => (n === 5 ? '0' : '1')],
  ])('a value that the column %s calls bad goes out by no answer', (header, word) => {
    const text = `Time;Device;T;${header}\n${stamped(12, (n) => `;${device(n)};${n === 5 ? 999 : 600 + n}.5;${word(n)}`)}`;
    const found = recognise(text);
    if (!('code' in found)) throw new Error('not asked');
    expect(found.code).toBe('log.long-table');
    expect(found.answers?.length).toBeGreaterThan(0);
    for (const answer of found.answers ?? []) {
      const { values, refusals } = read(text, { dialect: Dialect.parse(answer) });
      expect(values, JSON.stringify(answer)).not.toContain(999.5);
      expect(refusals.map((one) => one.text)).toEqual([word(5)]);
    }
  });

  test.each([
    ['that is empty so far', 'Quality', ''],
    ['of numbers with their unit', 'p', '1.5 V'],
    ['of a unit, which may change', 'unit', 'K'],
  ])('none where it would drop a column %s', (_, header, cell) => {
    const text = `Time;Device;T;${header}\n${stamped(12, (n) => `;${device(n)};60${n}.5;${cell}`)}`;
    expect(patternsOf(text)).toEqual({ code: 'log.long-table', lines: [] });
  });

  test('none where a person has left a column out, by its number among the columns of the table', () => {
    const text = `Time;Device;T;p\n${stamped(12, (n) => `;${device(n)};60${n}.5;1.5`)}`;
    const found = recognise(text, { dialect: Dialect.parse({ leave_out: [3] }) });
    if (!('code' in found)) throw new Error('not asked');
    expect([found.code, found.answers?.filter(({ line }) => line)]).toEqual(['log.long-table', []]);
  });

  test.each([
    ['names with blanks around', (n: number) => `${stamp(n)}; ${device(n)} ;60${n}.5;1.5`],
    ['names in quotes', (n: number) => `${stamp(n)};"${device(n)}";60${n}.5;1.5`],
    ['values in quotes', (n: number) => `${stamp(n)};${device(n)};"60${n}.5";1.5`],
    ['a separator within quotes', (n: number) => `${stamp(n)};${device(n)};60${n}.5;1.5;"a;b"`],
  ])('none for %s', (_, line) => {
    const header = line(0).includes('"a;b"') ? 'Time;Device;T;p;Remark' : 'Time;Device;T;p';
    const found = patternsOf(`${header}\n${rows(12, (n) => `${line(n)}\n`)}`);
    expect(found).toEqual({ code: 'log.long-table', lines: [] });
  });

  test('none where a unit is missing on a line', () => {
    const unit = (n: number) => (n === 4 ? '' : n > 5 ? 'Pa' : 'mbar');
    const text = `Time;p;Unit\n${stamped(12, (n) => `;1.${n};${unit(n)}`)}`;
    expect(patternsOf(text)).toEqual({ code: 'log.units-mixed', lines: [] });
  });
});

describe('a text of two words between blanks makes no room for itself under the names of a stamp', () => {
  const parts = '2026 11 20 10 15';
  test.each([
    ['Date Time p Remark', (n: number) => `2026-11-20 10:15:${two(n)} ${n}.5 Phase 1`],
    ['Date Time Remark p', (n: number) => `2026-11-20 10:15:${two(n)} Phase 1 ${n}.5`],
    ['Date Time p Remark', (n: number) => `11/20/2026 10:15:${two(n)} AM ${n}.5 Phase 1`],
    ['Date Time p Remark', (n: number) => `Fri Nov 20 10:15:${two(n)} 2026 ${n}.5 Phase 1`],
    ['Year Month Day Hour Minute Second p Remark', (n: number) => `${parts} ${n}.0 ${n}.5 Phase 1`],
    ['Year Month Day Hour Minute p Remark', (n: number) => `${parts} ${n}.5 Phase 1`],
    ['Time T p', (n: number) => `2026-11-20 10:15:${two(n)} ${n}.5 °C ${n}.5e-6 mbar`],
    ['Date Time AM/PM p Remark', (n: number) => `11/20/2026 10:15:${two(n)} AM ${n}.5 Phase 1`],
    ['Time p Date Remark', (n: number) => `10:15:${two(n)} ${n}.5 20.11.2026 Phase 1`],
    ['# Date Time p Remark', (n: number) => `2026-11-20 10:15:${two(n)} ${n}.5 Phase 1`],
  ] as const)('%s', (header, row) => {
    expect(codeOf(recognise(`${header}\n${rows(12, (n) => `${row(n)}\n`)}`))).toBe('log.header-mismatch');
  });

  test.each([
    ['Timestamp p Remark', (n: number) => `2026-11-20 10:15:${two(n)} ${n}.5 growth`],
    ['Timestamp Exposure_time Remark', (n: number) => `2026-11-20 10:15:${two(n)} ${n}.5 growth`],
    ['Date Time p Remark', (n: number) => `11/20/2026 10:15:${two(n)} AM ${n}.5 growth`],
    ['# Timestamp p Remark', (n: number) => `2026-11-20 10:15:${two(n)} ${n}.5 growth`],
    ['Step Time p Remark', (n: number) => `2026-11-20 10:15:${two(n)} ${n}.5 growth`],
    ['Date Time Zone p', (n: number) => `2026-11-20 10:15:${two(n)} +0100 ${n}.5`],
  ] as const)('where it stands under fewer names it is read: %s', (header, row) => {
    expect(finite(`${header}\n${rows(5, (n) => `${row(n)}\n`)}`)).toEqual([0.5, 1.5, 2.5, 3.5, 4.5]);
  });

  test.each([
    ['Time Sub Temp', (n: number) => `2026-11-20 10:15:${two(n)} ${n}.5`],
    ['Time of day Temp', (n: number) => `2026-11-20 10:15:${two(n)} ${n}.5 ${n}.25`],
    ['Timestamp p mbar Remark', (n: number) => `2026-11-20 10:15:${two(n)} ${n}.5 growth`],
    ['Date;Time;T;p', (n: number) => `2026-11-20 10:15:${two(n)};${n}.5;${n}.25;`],
  ] as const)('as many names as cells by chance are asked about: %s', (header, row) => {
    const text = `${header}\n${rows(12, (n) => `${row(n)}\n`)}`;
    expect(codeOf(recognise(text))).toBe('log.header-unclear');
  });

  test('and the names of the answer tell which cells are of the stamp', () => {
    const text = `Year Month Day Hour Minute p Remark\n${rows(12, (n) => `2026 11 20 10 ${n} ${n}.5 Phase 1\n`)}`;
    const given = (header: string[]) => read(text, { dialect: Dialect.parse({ header }) });
    const named = given(['Year', 'Month', 'Day', 'Hour', 'Minute', 'p', 'Remark', 'step']);
    expect(named.columns.map((column) => column?.name)).toEqual(['p', 'step']);
    expect([...named.values].slice(0, 4)).toEqual([0.5, 1, 1.5, 1]);
  });

  test('and wide blanks cut below names of which one is a number', () => {
    const header = 'Year   Month   Day   Hour   Minute   Second   18   28   Remark';
    const row = (n: number) => `2026   11   20   10   15   ${n}.0   ${n}.5   ${n}.25   Phase 1\n`;
    const text = `${header}\n${rows(5, row)}`;
    expect(namesOf(text)).toEqual(['18', '28']);
    expect(finite(text).slice(0, 4)).toEqual([0.5, 0.25, 1.5, 1.25]);
  });
});

describe('a word in brackets behind a stamp is no unit of a name', () => {
  const stampOf = (n: number) => `2026-11-20 10:15:${two(n)},${n}50`;

  test('lines of a logging library with values are read as they will be cut', () => {
    const line = (n: number) => `[main] Furnace - T: ${600 + n}.5 C, p: ${n}.5e-6 mbar`;
    const text = rows(8, (n) => `${stampOf(n)} INFO ${line(n)}\n`);
    expect(finite(text).slice(0, 4)).toEqual([600.5, 0.5e-6, 601.5, 1.5e-6]);
  });

  test('and the stamp of an event keeps its milliseconds', () => {
    const text = rows(8, (n) => `${stampOf(n)} [WARN] Heater ${n} reached ${600 + n} degrees\n`);
    expect(codeOf(recognise(text))).toMatch(/^an event log.*time in column 1 and 2/);
  });
});
