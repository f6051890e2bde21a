// What stands beside a value and changes what it means: its unit, its flag, its tags, the date of its block. And values that no
// number holds.
import { describe, expect, test } from 'vitest';
import { Dialect } from '../../../../src-main/model/dialect.ts';
import { codeOf, read, recognise, rows, stamp, stamped, two } from '../../../support/logs/text-log.ts';

const units = (text: string) => read(text).columns.map((column) => `${column?.name} [${column?.unit}]`);
const answersOf = (text: string) => {
  const found = recognise(text);
  return 'code' in found ? (found.answers ?? []) : [];
};

describe('a unit in a cell or key of its own', () => {
  const json = (key: string, unit: (n: number) => string) =>
    rows(8, (n) => `{"t":"${stamp(n)}","v":1.${n},"${key}":"${unit(n)}"}\n`);
  const changing = (n: number) => (n > 4 ? 'Pa' : 'mbar');

  test.each([
    ['u', json('u', changing)],
    ['uom', json('uom', changing)],
    ['a key of two letters', json('eu', changing)],
    ['nested', rows(8, (n) => `{"t":"${stamp(n)}","p":{"u":"${changing(n)}","v":1.${n}}}\n`)],
    ['pairs', stamped(8, (n) => ` p=1.${n} u=${changing(n)}`)],
    ['a column called u', `Time,T,u\n${stamped(8, (n) => `,1.${n},${n > 4 ? 'K' : 'C'}`)}`],
    ['in front of the value', `Time,u,p\n${stamped(8, (n) => `,${changing(n)},1.${n}`)}`],
  ])('is asked about where it changes: %s', (_, text) => {
    expect(codeOf(recognise(text))).toBe('log.units-mixed');
  });

  test('is that of its value, and stops the reading where it changes later', () => {
    expect(units(json('u', () => 'mbar'))).toEqual(['v [mbar]']);
    const text = json('u', () => 'mbar') + json('u', () => 'Pa').replaceAll('10:15', '10:16');
    const { layout, kinds } = recognise(json('u', () => 'mbar')) as Extract<
      ReturnType<typeof recognise>,
      { layout: unknown }
    >;
    expect(kinds).toContain('status');
    expect(layout.columns[1]?.unit).toBe('mbar');
    expect(codeOf(recognise(text))).toBe('log.units-mixed');
  });

  test('but a word that happens to be one is none', () => {
    const text = `Time,Phase,T\n${stamped(8, (n) => `,${n > 4 ? 'C' : 'A'},1.${n}`)}`;
    expect(units(text)).toEqual(['T []']);
  });

  test('under a header that says something else is watched, and names no unit', () => {
    const log = (unit: (n: number) => string) => `Time,p,Range,T\n${stamped(8, (n) => `,1.${n},${unit(n)},60${n}`)}`;
    expect(codeOf(recognise(log(changing)))).toBe('log.units-mixed');
    expect(units(log(() => 'mbar'))).toEqual(['p []', 'T []']);
    const found = recognise(log(() => 'mbar'));
    expect('layout' in found ? found.layout.statuses : null).toEqual([{ column: 2, of: 1, good: ['mbar'] }]);
    expect(codeOf(recognise(json('Range', changing)))).toBe('log.units-mixed');
  });

  test.each([
    ['Messbereich', 'min'],
    ['PressureUnits', 'count'],
    ['p interval', 'sample'],
    ['Mode', 'mbar'],
    ['Mode', 'bar'],
  ])('is watched where its header or the unit itself says that it is one: %s, %s', (header, unit) => {
    const found = recognise(`Time,p,${header},T\n${stamped(8, (n) => `,1.${n},${unit},60${n}`)}`);
    expect('layout' in found ? found.layout.statuses : null).toEqual([{ column: 2, of: 1, good: [unit] }]);
  });

  test.each([
    ['Stage', 'in', 'out'],
    ['Mode', 'sample', 'purge'],
    ['Mode', 'cal', 'sample'],
    ['Mode', 'min', 'max'],
    ['M', 'sample', 'purge'],
    ['Direction', 'rev', 'fwd'],
    ['Half', 'am', 'pm'],
    ['Weekday', 'Sa', 'So'],
    ['Valve', 'V1', 'V2'],
    ['Line', 'A', 'mix'],
  ])('that is as well the word of a state refuses no value: %s, %s and then %s', (header, first, then) => {
    const log = (from: number, word: string) =>
      rows(8, (n) => `2026-11-20 10:15:${two(from + n)},1.${n},${word},60${n}\n`);
    const head = `Time,p,${header},T\n${log(0, first)}`;
    expect(recognise(head)).toMatchObject({ kinds: ['time', 'number', 'text', 'number'] });
    const { timesMs, refusals, columns } = read(head + log(10, then));
    expect([timesMs.length, refusals, columns.map((column) => column?.unit)]).toEqual([16, [], ['', '']]);
  });

  test('is one again where another stands there that is no word', () => {
    const text = `Time,p,Mode\n${stamped(8, (n) => `,1.${n},${n > 4 ? 'mV' : 'V'}`)}`;
    expect(codeOf(recognise(text))).toBe('log.units-mixed');
  });

  test('of a channel that has several in one column is read on with the first, and nothing is left out', () => {
    const text = `Time,Tag,Value,Unit\n${stamped(12, (n) => `,${n % 2 ? 'P1' : 'T1'},${n}.5,${n % 2 ? (n > 6 ? 'Pa' : 'mbar') : 'C'}`)}`;
    const { timesMs, stoppedAt } = read(text);
    expect([timesMs.length, text.slice(text.indexOf('\n') + 1 + (stoppedAt ?? 0)).slice(0, 27)]).toEqual([
      7,
      '2026-11-20 10:15:07,P1,7.5,',
    ]);
  });
});

describe('a flag beside a value whose header names its unit', () => {
  const log = (header: string, flag: (n: number) => string) =>
    `Time,T_C,${header},P_mbar\n${stamped(8, (n) => `,60${n}.5,${flag(n)},1.${n}`)}`;
  const odd = (usual: string, other: string) => (n: number) => (n === 5 ? other : usual);

  test.each([
    ['T_Flag', odd('0', '1')],
    ['T_Status', odd('0', '4')],
    ['T_Q', odd('0', '3')],
    ['T_Flag', odd('', 'E')],
    ['T_flg', odd('0', '2')],
    ['Flag_T', odd('0', '1')],
  ])('is asked about, and the answer refuses what is not usual: %s', (header, flag) => {
    const text = log(header, flag);
    expect(codeOf(recognise(text))).toBe('log.quality-unclear');
    for (const answer of answersOf(text)) {
      const { columns } = read(text, { dialect: Dialect.parse(answer) });
      expect(columns.map((column) => column?.name)).toEqual(['T_C', 'P_mbar']);
    }
  });

  test.each([
    ['numbers', 'Gauge_Flag', odd('0', '4')],
    ['one number so far', 'Gauge_Flag', odd('0', '0')],
    ['a flag alone', 'Flag', odd('0', '1')],
    ['joined', 'GaugeFlag', odd('0', '4')],
    ['joined, of the value itself', 'PressureFlag', odd('0', '4')],
    ['joined, several', 'Ion1Flags', odd('0', '4')],
    ['joined, words', 'GaugeFlags', odd('', 'E')],
    ['words', 'Gauge Flag', odd('', 'E')],
    ['letters', 'QA flag', odd('A', 'X')],
  ])('is asked about also where it is called otherwise: %s', (_, header, flag) => {
    const text = log(header, flag);
    expect(codeOf(recognise(text))).toBe('log.quality-unclear');
    const answers = answersOf(text).map((answer) => read(text, { dialect: Dialect.parse(answer) }));
    for (const { columns } of answers.slice(0, -1)) expect(columns.map((one) => one?.name)).toEqual(['T_C', 'P_mbar']);
    const last = answers.at(-1)?.columns.map((one) => one?.name);
    expect(last).toEqual(/\d/.test(flag(5)) ? ['T_C', header, 'P_mbar'] : ['T_C', 'P_mbar']);
  });

  test('of OPC tells by itself', () => {
    const { refusals, columns } = read(log('T_Q', odd('192', '0')));
    expect(columns.map((column) => column?.name)).toEqual(['T_C', 'P_mbar']);
    expect(refusals.map(({ text }) => text)).toEqual(['0']);
  });
});

describe('lines between the names and the rows', () => {
  const log = (lines: string) => `Time;T;p\n${lines}\n${stamped(5, (n) => `;60${n};1.5`)}`;

  test.each([
    ...[';x10;x0.1', 'Factor;1;0.1', 'Scale;*10;*1', ';10^1;10^-3', ';x10 °C;x0.1 mbar'],
    ...['Factor;-1;1', ';x-1;x1', ';x-0.1;x1', ';-x10;x1', ';*.1;*1', 'Factor;−1;1', 'Factor;.1;1'],
    ...['Scale factor;-1;1', 'Scaling factor;10;1', 'Skalierungsfaktor;0,1;1', 'Factor (x);10;1', 'Gain:;2;1'],
  ])('that multiply the values are asked about: %s', (line) => {
    expect(codeOf(recognise(log(`;°C;mbar\n${line}`)))).toBe('log.factors-unclear');
  });

  test('are left out, or taken with their sign', () => {
    const answers = answersOf(log(';°C;mbar\nFactor;-1;1'));
    expect(answers).toMatchObject([{ units: { T: 'x-1 °C' } }, { leave_out: [2] }]);
    expect(answersOf(log(';°C;mbar\n;-x10;1'))).toMatchObject([{ units: { T: 'x-10 °C' } }, { leave_out: [2] }]);
  });

  test.each(['Time;T;T', 'Time;T;'])('name no unit by a header that is not the only one, or empty: %s', (header) => {
    const text = log(';°C;mbar\nFactor;10;0.1').replace('Time;T;p', header);
    expect(answersOf(text)).toEqual([{ leave_out: [2, 3] }]);
  });

  test('stay in the units where a person takes the numbers as they stand', () => {
    const text = log(';°C;mbar\nFactor;x10;1');
    const read = answersOf(text).map((answer) => recognise(text, { dialect: Dialect.parse(answer) }));
    expect(read.map((found) => 'layout' in found && found.layout.columns.map(({ unit }) => unit))).toEqual([
      ['', 'x10 °C', 'mbar'],
      ['', '°C', 'mbar'],
    ]);
    expect(read[1]).toMatchObject({ kinds: ['time', 'ignored', 'number'] });
  });

  test('of two rows of units take no place of the names', () => {
    expect(codeOf(recognise(log('s;°C;mbar\n;K;Pa')))).toBe('log.header-unclear');
  });

  test('but factors of 1, and numbers of the columns, say nothing', () => {
    expect(units(log(';°C;mbar\nFactor;x1;1'))).toEqual(['T [°C]', 'p [mbar]']);
    expect(units(log(';°C;mbar\n(1);(2);(3)'))).toEqual(['T [°C]', 'p [mbar]']);
  });
});

describe('stamps that a spreadsheet saved without seconds', () => {
  const log = (stamp: (minute: string) => string) =>
    `Time;T\n${rows(9, (n) => `${stamp(`10:${15 + Math.floor(n / 3)}`)};60${n},5\n`)}`;

  test.each([
    ['no seconds', (minute: string) => `20.11.2026 ${minute}`],
    ['seconds of zero', (minute: string) => `20.11.2026 ${minute}:00`],
    ['as ISO', (minute: string) => `2026-11-20 ${minute}:00`],
  ])('are asked about: %s', (_, stamp) => {
    const text = log(stamp);
    expect(codeOf(recognise(text))).toBe('log.seconds-lost');
    expect(read(text, { dialect: Dialect.parse(answersOf(text)[0]) }).timesMs.length).toBe(9);
  });

  test('but a row a minute is read, and rows that share a minute and fill other columns', () => {
    expect(read(`Time;T\n${rows(9, (n) => `20.11.2026 10:1${n};60${n},5\n`)}`).timesMs.length).toBe(9);
    const shared = `Time;T;P\n${rows(8, (n) => `20.11.2026 10:${15 + Math.floor(n / 2)};${n % 2 ? `;${n},5` : `${n},5;`}\n`)}`;
    expect(read(shared).timesMs.length).toBe(8);
  });
});

describe('a number that no value holds', () => {
  test.each([
    ['1.5e-400', `Time,p\n${stamped(8, (n) => `,1.5e-${n === 5 ? 400 : 8}`)}`],
    ['1.5e400', `Time,p\n${stamped(8, (n) => `,1.5e${n === 5 ? 400 : 8}`)}`],
    ['1.5e-400', rows(8, (n) => `{"t":"${stamp(n)}","v":1.5e-${n === 5 ? 400 : 8}}\n`)],
    ['1.5e400', rows(8, (n) => `{"t":"${stamp(n)}","v":1.5e${n === 5 ? 400 : 8}}\n`)],
    ['2e-400 mbar', `Time,p\n${stamped(8, (n) => `,2e-${n === 5 ? 400 : 8} mbar`)}`],
  ])('is refused with its text: %s', (shown, text) => {
    const { timesMs, refusals } = read(text);
    expect([timesMs.length, refusals.map((one) => one.text)]).toEqual([7, [shown]]);
  });

  test('but zero is one, however it is written', () => {
    expect([...read(`Time,p\n${stamped(4, (n) => `,${['0', '0.0', '0e-400', '-0'][n]}`)}`).values]).toEqual([
      0, 0, 0, -0,
    ]);
  });

  test('is none in JSON, as Python writes it', () => {
    const text = rows(
      8,
      (n) => `{"t":"${stamp(n)}","v":${['NaN', '-Infinity'][n - 3] ?? `1.${n}`},"w":2,"s":"NaN here"}\n`,
    );
    const { values, columns } = read(text);
    expect(columns.map((column) => column?.name)).toEqual(['v', 'w']);
    expect([...values.slice(4, 12)]).toEqual([1.2, 2, Number.NaN, 2, Number.NaN, 2, 1.5, 2]);
  });
});

describe('InfluxDB line protocol', () => {
  const text = rows(
    8,
    (n) => `env,${n % 2 ? 'a=1,b=2' : 'b=2,a=1'} temp=60${n}.5,p=1e-${n + 1} 17951661000000000${n}0\n`,
  );

  test.each([
    ['with tags', text],
    ['below a remark', `# made by hand\n${text}`],
    ['without tags', text.replaceAll(/,[ab=,12]+ /g, ' ')],
    ['with a text that holds a time', text.replaceAll('p=1', 's="at 10:15:00",p=1')],
    ['in whole seconds', text.replaceAll(/00000000\d0$/gm, '')],
  ])('are refused with what to write instead: %s', (_, lines) => {
    const found = recognise(lines, { path: 'log_2026-11-20.txt' });
    expect(codeOf(found)).toBe('log.influx-lines');
    expect('hint' in found ? found.hint : '').toContain('a line pattern that ends with (?P<time>\\d+) reads them');
  });

  test('are read by a line pattern', () => {
    const line = '\\S+ temp=(?P<temp>[^,]+),p=(?P<p>\\S+) (?P<time>\\d+)';
    const { columns, timesMs } = read(text, { dialect: Dialect.parse({ line, time: { format: 'unix-ns' } }) });
    expect(columns.map((column) => column?.name)).toEqual(['temp', 'p']);
    expect([timesMs.length, Math.floor(timesMs[0] as number)]).toEqual([8, 1_795_166_100_000]);
  });
});

describe('a date among times of day', () => {
  const block = (date: string) => `${date}${rows(5, (n) => `10:15:0${n},60${n}\n`)}`;

  test.each(['2026-11-21\n', 'Date: 2026-11-21\n', '# 2026-11-21\n', '21.11.2026,\n'])(
    'stops the reading: %s',
    (date) => {
      const { timesMs, stoppedAt } = read(`Time,T\n2026-11-20\n${block('')}${block(date)}`);
      expect([timesMs.length, stoppedAt !== null]).toEqual([5, true]);
    },
  );

  test('but not that of the day itself, nor a remark that tells one', () => {
    const text = `Time,T\n2026-11-20\n${block('')}${block('2026-11-20\n').replaceAll('10:15', '10:16')}`;
    expect(read(text).timesMs.length).toBe(10);
    const noted = `${block('')}# gauge was calibrated on 2025-03-01\n10:16:00,600\n`;
    expect(read(`Time,T\n2026-11-20\n${noted}`).timesMs.length).toBe(6);
  });
});

describe('a text of two words in the place of an empty cell, in columns of blanks', () => {
  const widths = [10, 8, 9, 9, 9, 5];
  const pad = (cells: readonly string[]) =>
    `${cells
      .map((cell, n) => cell.padEnd(widths[n] ?? 0))
      .join(' ')
      .trimEnd()}\n`;
  const log = (odd: readonly string[]) =>
    `${pad(['Date', 'Time', 'Phase', 'T1', 'P1', 'F1'])}${rows(8, (n) =>
      pad([...stamp(n).split(' '), ...(n === 5 ? odd : ['Growth', '601.5', `1.2${n}`, '5.5'])]),
    )}`;

  test.each([
    ['behind a text column', ['Cool down', '', '1.25', '5.5']],
    ['the last cell is empty', ['Cool down', '601.5', '1.25', '']],
    ['the second word is a number', ['Step 2', '601.5', '1.25', '']],
    ['the second word is a number, the next is empty', ['Step 2', '', '1.25', '5.5']],
    ['among numbers', ['Growth', 'no sensor', '1.25', '']],
    ['in the middle', ['Cool down', '601.5', '', '5.5']],
  ])('refuses the line: %s', (_, odd) => {
    const { timesMs, refusals } = read(log(odd));
    expect([timesMs.length, refusals.length, refusals[0]?.text.slice(0, 19)]).toEqual([7, 1, stamp(5)]);
  });

  test.each([
    ['the first number is missing', ['', '1.25', 'Cool down']],
    ['the second number is missing', ['601.5', '', 'Cool down']],
    ['the second word is a number', ['', '1.25', 'Step 2']],
  ])('also before a text in the last column: %s', (_, odd) => {
    const line = (cells: readonly string[]) => pad([...cells.slice(0, 2), '', ...cells.slice(2)]);
    const text = `${line(['Date', 'Time', 'T1', 'P1', 'Phase'])}${rows(8, (n) =>
      line([...stamp(n).split(' '), ...(n === 5 ? odd : ['601.5', `1.2${n}`, 'Growth'])]),
    )}`;
    const { timesMs, refusals } = read(text);
    expect([timesMs.length, refusals.length, refusals[0]?.text.slice(0, 19)]).toEqual([7, 1, stamp(5)]);
  });

  test('also where no header shows the columns', () => {
    const text = log(['Cool down', '', '1.25', '5.5']).replace(/^.*\n/, '');
    expect(read(text).refusals.map((one) => one.text.slice(0, 19))).toEqual([stamp(5)]);
  });

  test.each([
    ['two words for an empty cell before the text', '1.25 Cool down'],
    ['the second word is a number', '5.5 Step 2'],
    ['behind the time', 'Cool down 1.25'],
  ])('also where single blanks fill nothing up: %s', (_, odd) => {
    const line = (n: number) => `${stamp(n)} ${n === 5 ? odd : `601.${n} 1.2${n} Growth`}\n`;
    for (const header of ['', 'Date Time T1 P1 Phase\n']) {
      const { timesMs, refusals } = read(`${header}${rows(12, line)}`);
      expect([timesMs.length, refusals.map(({ text }) => text.slice(0, 19))]).toEqual([11, [stamp(5)]]);
    }
  });

  test('but without a column of texts a word there is refused alone', () => {
    const text = rows(12, (n) => `${stamp(n)} 601.${n} ${n === 5 ? 'BAKE' : `1.2${n}`} 5.5\n`);
    expect(read(text).refusals.map((one) => one.text)).toEqual(['BAKE']);
  });

  test('but a word that is said to stand for no value shifts nothing', () => {
    const text = rows(12, (n) => `${stamp(n)} 601.${n} ${n === 5 ? 'OFF' : `1.2${n}`} Growth\n`);
    expect(read(text).refusals[0]?.reason).toContain('name it in `absent`');
    const { timesMs, refusals } = read(text, { dialect: Dialect.parse({ absent: ['OFF'] }) });
    expect([timesMs.length, refusals]).toEqual([12, []]);
  });

  test('and a gauge that is off in most rows is no column of texts', () => {
    const text = `Date Time T1 P1 F1\n${rows(12, (n) => `${stamp(n)} 601.${n} ${n % 4 === 1 ? `1.2${n}` : 'OFF'} 5.5\n`)}`;
    const { timesMs, refusals, kinds } = read(text);
    expect([timesMs.length, refusals.length, kinds.slice(2)]).toEqual([12, 9, ['number', 'number', 'number']]);
  });

  test('nor is one whose word for no value is in most rows, once a person has said so', () => {
    const text = `Date Time T1 P1 F1\n${rows(12, (n) => `${stamp(n)} 601.${n} ${n % 4 === 1 ? `1.2${n}` : 'UNPLUGGED'} 5.5\n`)}`;
    const { timesMs, refusals, kinds } = read(text, { dialect: Dialect.parse({ absent: ['UNPLUGGED'] }) });
    expect([timesMs.length, refusals, kinds.slice(2)]).toEqual([12, [], ['number', 'number', 'number']]);
  });

  test('but a word alone is refused alone, and a number that grows is read', () => {
    const { timesMs, refusals } = read(log(['Growth', 'OFF', '1.25', '5.5']));
    expect([timesMs.length, refusals.map(({ text }) => text)]).toEqual([8, ['OFF']]);
    expect(read(log(['Growth', '-1234601.55', '-1.25E-08', '15.5'])).refusals).toEqual([]);
  });
});
