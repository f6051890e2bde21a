// Small logs of forms that a reader met in the field, each kind with its neighbours. The first of a kind has the form of a
// log that was found; the text and the numbers are written here.
import { LogText, type WrittenLog } from './truth.ts';

export interface ReviewedLog {
  readonly kind: string;
  readonly what: string;
  readonly log: WrittenLog;
}

const two = (n: number) => String(n).padStart(2, '0');
/** A second of a morning in the zone of the tool, and its text from the hour on. */
const at = (n: number, day = '2025-11-28') => Date.parse(`${day}T10:00:00+01:00`) + n * 1000;
const clock = (n: number) => `10:${two(Math.floor(n / 60))}:${two(n % 60)}`;
const iso = (n: number) => `2025-11-28 ${clock(n)}`;
const german = (n: number) => `28.11.2025 ${clock(n)}`;

const LABELLED: readonly ReviewedLog[] = [
  {
    kind: 'labelled heads',
    what: 'Titles: and Units: in the first cells',
    log: new LogText('T1_Temp|C', 'P1_Pressure|mbar')
      .lines('Titles:,Seq,T1_Temp,P1_Pressure', 'Units:,,C,mbar')
      .rows(21, (n) => [`${iso(n)}.000,A,17.${10 + n},5.${10 + n}`, at(n), 17 + (10 + n) / 100, 5 + (10 + n) / 100])
      .done(),
  },
  {
    kind: 'labelled heads',
    what: 'Name and Unit, semicolons and a decimal comma',
    log: new LogText('Druck|mbar', 'Heizer|°C')
      .lines('Name;Druck;Heizer', 'Unit;mbar;°C')
      .rows(20, (n) => [`${german(n)};1,${10 + n}e-6;60${n % 10},5`, at(n), Number(`1.${10 + n}e-6`), 600.5 + (n % 10)])
      .done(),
  },
  {
    kind: 'labelled heads',
    what: 'three of them, behind tabs',
    log: new LogText('IG1|Torr', 'TC4|K')
      .lines('Channel\tIG1\tTC4', 'Units\tTorr\tK', 'Range\t1\t1200')
      .rows(20, (n) => [`${iso(n)}\t2.${10 + n}e-9\t29${n % 10}.5`, at(n), Number(`2.${10 + n}e-9`), 290.5 + (n % 10)])
      .done(),
  },
  {
    kind: 'labelled heads',
    what: 'the units above the names',
    log: new LogText('Flow|sccm', 'Power|W')
      .lines('Units:,sccm,W', 'Names:,Flow,Power')
      .rows(20, (n) => [`${iso(n)},${20 + n}.5,1${10 + n}.25`, at(n), 20.5 + n, 110.25 + n])
      .done(),
  },
];

const PICARRO = Date.parse('2022-07-15T16:42:10Z') + 223;
const BESIDE: readonly ReviewedLog[] = [
  {
    kind: 'Unix seconds beside a stamp',
    what: 'stamps in UTC on a tool in Berlin',
    log: new LogText('CH4|', 'EPOCH_TIME|')
      .lines('DATE TIME EPOCH_TIME CH4')
      .rows(21, (n) => [
        `2022-07-15 16:42:${10 + n}.223 ${1_657_903_330 + n}.223 2.2${10 + n}`,
        PICARRO + n * 1000,
        Number(`2.2${10 + n}`),
        Number(`${1_657_903_330 + n}.223`),
      ])
      .done({ path: 'DataLog.dat', optional: [1] }),
  },
  {
    kind: 'Unix seconds beside a stamp',
    what: 'both agree',
    log: new LogText('p|mbar', 'unix|')
      .lines('Timestamp;unix;p [mbar]')
      .rows(20, (n) => [`${german(n)};${at(n) / 1000};1,${10 + n}`, at(n), Number(`1.${10 + n}`), at(n) / 1000])
      .done({ optional: [1] }),
  },
  {
    kind: 'Unix seconds beside a stamp',
    what: 'milliseconds behind the values, the stamp of another continent',
    log: new LogText('T|°C', 'UnixTime_ms|')
      .lines('Date Time,T (°C),UnixTime_ms')
      .rows(20, (n) => [
        `2025-11-28 01:00:${two(n)},60${n}.5,${at(n - 3600)}`,
        at(n - 3600),
        Number(`60${n}.5`),
        at(n - 3600),
      ])
      .done({ optional: [1] }),
  },
  {
    kind: 'Unix seconds beside a stamp',
    what: 'the seconds first, then the stamp in UTC',
    log: new LogText('p|Torr', 'epoch|')
      .lines('epoch\tlocal\tp (Torr)')
      .rows(20, (n) => [
        `${at(n) / 1000}\t2025-11-28 09:00:${two(n)}\t3.${10 + n}e-8`,
        at(n),
        Number(`3.${10 + n}e-8`),
        at(n) / 1000,
      ])
      .done({ optional: [1] }),
  },
];

const MINUTE = 60_000;
const TEN_PAST_NINE = Date.parse('2026-08-07T09:10:00Z');
const zulu = (n: number) => new Date(TEN_PAST_NINE + n * MINUTE).toISOString().replace('.000', '');
/** A series of a measurement may be called by its field, with or without what it was measured by. */
const field = (name: string, of: string, unit = '') =>
  [name, `${of}/${name}`, `${of} ${name}`, `${of}.${name}`, `${of}_${name}`, `${name} ${of}`].map(
    (one) => `${one}|${unit}`,
  );

const LONG: readonly ReviewedLog[] = [
  {
    kind: 'rows that name their quantity',
    what: 'one series after the other, beside a word that is the same in all rows',
    log: new LogText(field('T_sub', 'mbe'), field('p_main', 'mbe'))
      .lines('_time,_value,_field,_measurement')
      .rows(21, (n) => [`${zulu(n)},${610 + n}.5,T_sub,mbe`, TEN_PAST_NINE + n * MINUTE, 610.5 + n])
      .rows(21, (n) => [`${zulu(n)},${710 + n}.5,p_main,mbe`, TEN_PAST_NINE + n * MINUTE, Number.NaN, 710.5 + n])
      .done(),
  },
  {
    kind: 'rows that name their quantity',
    what: 'the same without that word',
    log: new LogText('T_sub|', 'p_main|')
      .lines('_time,_value,_field')
      .rows(15, (n) => [`${zulu(n)},${610 + n}.5,T_sub`, TEN_PAST_NINE + n * MINUTE, 610.5 + n])
      .rows(15, (n) => [`${zulu(n)},${n}.25,p_main`, TEN_PAST_NINE + n * MINUTE, Number.NaN, n + 0.25])
      .done(),
  },
  {
    kind: 'rows that name their quantity',
    what: 'taking turns, with the name of a computer',
    log: new LogText(field('T_sub', 'lab7'), field('p_main', 'lab7'))
      .lines('time,host,field,value')
      .rows(30, (n) => {
        const timeMs = TEN_PAST_NINE + Math.floor(n / 2) * MINUTE;
        const text = (name: string) => `${zulu(Math.floor(n / 2))},lab7,${name},${100 + n}.5`;
        return n % 2 === 0 ? [text('T_sub'), timeMs, 100.5 + n] : [text('p_main'), timeMs, Number.NaN, 100.5 + n];
      })
      .done(),
  },
  {
    kind: 'rows that name their quantity',
    what: 'with its unit, one series after the other',
    log: new LogText('IG|mbar', 'Substrate|K', 'Flow|sccm')
      .lines('Time;Tag;Value;Unit')
      .rows(12, (n) => [`${iso(n)};IG;${1 + n}.5;mbar`, at(n), 1.5 + n])
      .rows(12, (n) => [`${iso(n)};Substrate;${900 + n}.5;K`, at(n), Number.NaN, 900.5 + n])
      .rows(12, (n) => [`${iso(n)};Flow;${20 + n}.5;sccm`, at(n), Number.NaN, Number.NaN, 20.5 + n])
      .done(),
  },
];

const SPAN = '2026-08-07T09:00:00Z,2026-08-07T10:00:00Z';
const ANNOTATIONS = [
  '#group,false,false,true,true,false,false,true,true',
  '#datatype,string,long,dateTime:RFC3339,dateTime:RFC3339,dateTime:RFC3339,double,string,string',
  '#default,_result,,,,,,,',
];
const NAMES = ',result,table,_start,_stop,_time,_value,_field,_measurement';
const annotated = (n: number, table: number, value: number, name: string) =>
  `,,${table},${SPAN},${zulu(n)},${value},${name},mbe`;

const ANNOTATED: readonly ReviewedLog[] = [
  {
    kind: 'annotated lines above the header',
    what: 'two series in one table',
    log: new LogText(field('T_sub', 'mbe'), field('p_main', 'mbe'), ['table|'])
      .lines(...ANNOTATIONS, NAMES)
      .rows(21, (n) => [annotated(n, 0, 610.5 + n, 'T_sub'), TEN_PAST_NINE + n * MINUTE, 610.5 + n, Number.NaN, 0])
      .rows(21, (n) => [annotated(n, 1, 710.5 + n, 'p_main'), TEN_PAST_NINE + n * MINUTE, Number.NaN, 710.5 + n, 1])
      .done({ optional: [2] }),
  },
  {
    kind: 'annotated lines above the header',
    what: 'a second table with its own lines, ended as in Windows',
    log: new LogText(field('T_sub', 'mbe'), field('p_main', 'mbe'), ['table|'])
      .lines(...ANNOTATIONS, NAMES)
      .rows(12, (n) => [annotated(n, 0, 610.5 + n, 'T_sub'), TEN_PAST_NINE + n * MINUTE, 610.5 + n, Number.NaN, 0])
      .lines('', ...ANNOTATIONS, NAMES)
      .rows(12, (n) => [annotated(n, 1, 710.5 + n, 'p_main'), TEN_PAST_NINE + n * MINUTE, Number.NaN, 710.5 + n, 1])
      .done({ optional: [2], end: '\r\n' }),
  },
  {
    kind: 'annotated lines above the header',
    what: 'a column for each series',
    log: new LogText('T_sub|', 'p_main|', ['table|'])
      .lines(
        '#group,false,false,true,true,false,false,false',
        '#datatype,string,long,dateTime:RFC3339,dateTime:RFC3339,dateTime:RFC3339,double,double',
        '#default,_result,,,,,,',
        ',result,table,_start,_stop,_time,T_sub,p_main',
      )
      .rows(20, (n) => [
        `,,0,${SPAN},${zulu(n)},${610.5 + n},${n + 0.25}`,
        TEN_PAST_NINE + n * MINUTE,
        ...[610.5 + n, n + 0.25, 0],
      ])
      .done({ optional: [2] }),
  },
  {
    kind: 'annotated lines above the header',
    what: 'series that take turns',
    log: new LogText(field('T_sub', 'mbe'), field('p_main', 'mbe'), ['table|'])
      .lines(...ANNOTATIONS, NAMES)
      .rows(30, (n) => {
        const [row, turn] = [Math.floor(n / 2), n % 2];
        const timeMs = TEN_PAST_NINE + row * MINUTE;
        const text = annotated(row, turn, 600.5 + n, turn === 0 ? 'T_sub' : 'p_main');
        return turn === 0 ? [text, timeMs, 600.5 + n, Number.NaN, 0] : [text, timeMs, Number.NaN, 600.5 + n, 1];
      })
      .done({ optional: [2] }),
  },
];

/** A channel that is over its range in two rows. */
function overRange(n: number, value: string, sentinel: string): [string, number] {
  return n === 10 || n === 11 ? [sentinel, Number.NaN] : [value, Number(value.replace(',', '.'))];
}

const SENTINELS: readonly ReviewedLog[] = [
  {
    kind: 'numbers that no instrument gives',
    what: '9.99999999e+37 in both channels',
    log: new LogText('Primary|', 'Average|')
      .lines('time\tPrimary\tAverage')
      .rows(21, (n) => {
        const [one, primary] = overRange(n, `230.${10 + n}`, '9.99999999e+37');
        const [other, average] = overRange(n, `229.${10 + n}`, '9.99999999e+37');
        return [`${iso(n)}\t${one}\t${other}`, at(n), primary, average];
      })
      .done(),
  },
  ...['1e38', '3.402823E+38', '-1.0E+38'].map((sentinel) => ({
    kind: 'numbers that no instrument gives',
    what: `${sentinel} in one of three channels`,
    log: new LogText('IG|mbar', 'T|K', 'Flow|sccm')
      .lines('Time;IG [mbar];T [K];Flow [sccm]')
      .rows(20, (n) => {
        const [text, value] = overRange(n, `1.${10 + n}e-9`, sentinel);
        return [`${iso(n)};${text};90${n % 10}.5;20.${10 + n}`, at(n), value, 900.5 + (n % 10), Number(`20.${10 + n}`)];
      })
      .done(),
  })),
];

/** Minutes of a night in Berlin, from ten to midnight on, with an hour as it comes. */
function night(n: number): { timeMs: number; day: string; time: string } {
  const timeMs = Date.parse('2025-07-02T23:50:27+02:00') + n * MINUTE;
  const wall = new Date(timeMs + 120 * MINUTE);
  const time = `${wall.getUTCHours()}:${two(wall.getUTCMinutes())}:27`;
  return { timeMs, day: wall.toISOString().slice(0, 10), time };
}

const UNPADDED: readonly ReviewedLog[] = [
  {
    kind: 'hours that are not padded, over midnight',
    what: 'date and time in two cells',
    log: new LogText('p|')
      .lines('date,time,p')
      .rows(8, (n) => [`${night(n).day},${night(n).time},1.1${n}`, night(n).timeMs, Number(`1.1${n}`)])
      .rows(6, (n) => [`${night(20 + n).day},${night(20 + n).time},2.1${n}`, night(20 + n).timeMs, Number(`2.1${n}`)])
      .rows(1, () => ['2025-07-03,10:00:00,3.1', Date.parse('2025-07-03T10:00:00+02:00'), 3.1])
      .done(),
  },
  {
    kind: 'hours that are not padded, over midnight',
    what: 'in one cell',
    log: new LogText('p|mbar')
      .lines('time;p [mbar]')
      .rows(30, (n) => [`${night(n).day} ${night(n).time};1.${10 + n}`, night(n).timeMs, Number(`1.${10 + n}`)])
      .done(),
  },
  {
    kind: 'hours that are not padded, over midnight',
    what: 'dates with slashes, year first, and a fraction',
    log: new LogText('T|°C')
      .lines('Time\tT (°C)')
      .rows(30, (n) => [
        `${night(n).day.replaceAll('-', '/')} ${night(n).time}.500\t60${n % 10}.${n}`,
        night(n).timeMs + 500,
        Number(`60${n % 10}.${n}`),
      ])
      .done(),
  },
  {
    kind: 'hours that are not padded, over midnight',
    what: 'the date comes a minute late',
    log: new LogText('p|Torr')
      .lines('Time,p (Torr)')
      .rows(40, (n) => {
        const { timeMs, day, time } = night(n);
        const isLate = time.startsWith('0:00');
        return [
          `${isLate ? '2025-07-02' : day} ${time.slice(0, -3)},2.${10 + n}`,
          timeMs - 27_000,
          Number(`2.${10 + n}`),
        ];
      })
      .done(),
  },
];

const RECORDS: readonly ReviewedLog[] = [
  {
    kind: 'three head lines',
    what: 'below a line that begins with TOA5',
    log: new LogText(['p_main|mbar'], ['T_sub|Deg C', 'T_sub|°C'], ['RECORD|RN', 'RECORD|'])
      .lines(
        '"TOA5","tool","CR1000","1","os","prog","1","T"',
        '"TIMESTAMP","RECORD","p_main","T_sub"',
        '"TS","RN","mbar","Deg C"',
        '"","","Smp","Avg"',
      )
      .rows(11, (n) => [
        `"2025-11-28 10:${10 + n}:00",${10 + n},1.${10 + n},${6010 + n}.5`,
        at(600 + n * 60),
        ...[Number(`1.${10 + n}`), 6010.5 + n, 10 + n],
      ])
      .done({ path: 'Station_Daily.dat', optional: [2] }),
  },
  {
    kind: 'three head lines',
    what: 'without quotes, and a value that is none',
    log: new LogText(['p_main|mbar'], ['T_sub|Deg C', 'T_sub|°C'], ['RECORD|RN', 'RECORD|'])
      .lines('TOA5,tool,CR6,2,os,prog,1,T', 'TIMESTAMP,RECORD,p_main,T_sub', 'TS,RN,mbar,Deg C', ',,Max,Min')
      .rows(15, (n) => [
        `2025-11-28 10:${10 + n}:00,${n},${n === 7 ? 'NAN' : `1.${10 + n}`},${6010 + n}.5`,
        at(600 + n * 60),
        ...[n === 7 ? Number.NaN : Number(`1.${10 + n}`), 6010.5 + n, n],
      ])
      .done({ path: 'Table1.dat', optional: [2], end: '\r\n' }),
  },
  {
    kind: 'three head lines',
    what: 'names, units and kinds without a line above',
    log: new LogText('Pressure|mbar', 'Temp|°C')
      .lines('Timestamp;Pressure;Temp', ';mbar;°C', ';Smp;Avg')
      .rows(15, (n) => [`${iso(n)};1.${10 + n};60${n % 10}.5`, at(n), Number(`1.${10 + n}`), 600.5 + (n % 10)])
      .done(),
  },
  {
    kind: 'three head lines',
    what: 'names, kinds and units, behind tabs',
    log: new LogText('Pressure|Pa', 'Power|W')
      .lines('Time\tPressure\tPower', '\tAvg\tAvg', '\tPa\tW')
      .rows(15, (n) => [`${iso(n)}\t0.${10 + n}\t15${n % 10}.5`, at(n), Number(`0.${10 + n}`), 150.5 + (n % 10)])
      .done(),
  },
];

const ONE_NAME: readonly ReviewedLog[] = [
  {
    kind: 'more or fewer names than cells',
    what: 'one more, a remark that no row has',
    log: new LogText('T_sub|', 'p_main|', 'Type|', 'Etime|')
      .lines('Obs#:\t1', 'Type\tEtime\tDate\tT_sub\tp_main\tAnnotation')
      .rows(21, (n) => [
        `1\t${n}\t2022-12-21 14:31:${10 + n}\t60.${10 + n}\t1.${10 + n}`,
        Date.parse(`2022-12-21T14:31:${10 + n}+01:00`),
        ...[Number(`60.${10 + n}`), Number(`1.${10 + n}`), 1, n],
      ])
      .done({ path: 'LI8100.81x', optional: [2, 3] }),
  },
  {
    kind: 'more or fewer names than cells',
    what: 'one more, behind commas and in quotes',
    log: new LogText('IG1|mbar', 'TC4|K')
      .lines('"Time","IG1 [mbar]","TC4 [K]","Comment"')
      .rows(20, (n) => [`"${iso(n)}",1.${10 + n},29${n % 10}.5`, at(n), Number(`1.${10 + n}`), 290.5 + (n % 10)])
      .done(),
  },
  {
    kind: 'more or fewer names than cells',
    what: 'two more',
    log: new LogText('Flow|sccm', 'Power|W')
      .lines('Time;Flow [sccm];Power [W];Operator;Remark')
      .rows(20, (n) => [`${iso(n)};${20 + n}.5;1${10 + n}.25`, at(n), 20.5 + n, 110.25 + n])
      .done(),
  },
  {
    kind: 'more or fewer names than cells',
    what: 'one fewer, the last cell has none',
    log: new LogText('Flow|sccm', 'Power|W', 'column 4|')
      .lines('Time;Flow [sccm];Power [W]')
      .rows(20, (n) => [`${iso(n)};${20 + n}.5;1${10 + n}.25;${n}.75`, at(n), 20.5 + n, 110.25 + n, n + 0.75])
      .done({ optional: [2] }),
  },
];

const ECLAB = Date.parse('2020-07-29T10:31:03+02:00');
const TRAILING: readonly ReviewedLog[] = [
  {
    kind: 'a separator at the end of the header only',
    what: 'seconds since a start, behind tabs',
    log: new LogText(['Ewe|V', 'Ewe/V|'], ['I|mA', 'I/mA|'])
      .lines('Started on : 07/29/2020 10:31:03', '', 'time/s\tEwe/V\tI/mA\t')
      .rows(31, (n) => [
        `${n + 3},28\t8,78${10 + n}E-001\t-2,6${10 + n}E-003`,
        ECLAB + (n + 3) * 1000 + 280,
        ...[Number(`8.78${10 + n}E-001`), Number(`-2.6${10 + n}E-003`)],
      ])
      .done({ path: 'cell_07.txt', toleranceMs: 0.5 }),
  },
  ...[';', ',', '\t'].map((separator) => ({
    kind: 'a separator at the end of the header only',
    what: `stamps and ${JSON.stringify(separator)}`,
    log: new LogText('IG1|mbar', 'TC4|K')
      .lines(['Time', 'IG1 [mbar]', 'TC4 [K]', ''].join(separator))
      .rows(20, (n) => [
        [iso(n), `1.${10 + n}`, `29${n % 10}.5`].join(separator),
        at(n),
        ...[Number(`1.${10 + n}`), 290.5 + (n % 10)],
      ])
      .done(),
  })),
];

const AGAIN: readonly ReviewedLog[] = [
  {
    kind: 'the head once more',
    what: 'at the end, where the logger was started again',
    log: new LogText('Pressure|Torr')
      .lines('Pfeiffer read started at 2017-07-19 14:07:45 (EDT)', 'Time (s)\tPressure (Torr)')
      .rows(6, (n) => [
        `${1_500_487_610 + n * 10}\t5.${11 + n}e-06`,
        (1_500_487_610 + n * 10) * 1000,
        Number(`5.${11 + n}e-06`),
      ])
      .lines('Pfeiffer read started at 2017-07-19 15:07:45 (EDT)', 'Time (s)\tPressure (Torr)')
      .done({ path: '170719_1407.log' }),
  },
  {
    kind: 'the head once more',
    what: 'in the middle and at the end',
    log: new LogText('p|mbar', 'T|K')
      .lines('Logger started', 'Time,p (mbar),T (K)')
      .rows(9, (n) => [`${iso(n)},1.${10 + n},29${n}.5`, at(n), Number(`1.${10 + n}`), 290.5 + n])
      .lines('Logger started', 'Time,p (mbar),T (K)')
      .rows(9, (n) => [`${iso(30 + n)},2.${10 + n},30${n}.5`, at(30 + n), Number(`2.${10 + n}`), 300.5 + n])
      .lines('Logger started', 'Time,p (mbar),T (K)')
      .done(),
  },
  {
    kind: 'the head once more',
    what: 'only the names, at the end of a few rows',
    log: new LogText('p|mbar')
      .lines('Zeit;p [mbar]')
      .rows(4, (n) => [`${german(n)};1,${10 + n}`, at(n), Number(`1.${10 + n}`)])
      .lines('Zeit;p [mbar]')
      .done(),
  },
  {
    kind: 'the head once more',
    what: 'names and units at the end',
    log: new LogText('Flow|sccm', 'Power|W')
      .lines('Sputter log', 'Time\tFlow\tPower', '\tsccm\tW')
      .rows(15, (n) => [`${iso(n)}\t${20 + n}.5\t1${10 + n}.25`, at(n), 20.5 + n, 110.25 + n])
      .lines('Sputter log', 'Time\tFlow\tPower', '\tsccm\tW')
      .done(),
  },
];

const PGP = '-----BEGIN PGP MESSAGE-----';
const CODED = 'abcDEFghiJKLmnoPQRstuVWXyz0123456789abcDEFghiJKLmnoPQRstuVWXyz01';
/** Rows of a gas analyser, with blanks before its cells. */
function analyser(): LogText {
  return new LogText(['[A]_ppm|', '[A]|ppm'], ['[A]_ppm_sd|'], ['GasP_torr|', 'GasP|torr', 'GasP|Torr'])
    .lines('SN:0001 VC:1', '                     Time,      [A]_ppm,   [A]_ppm_sd,     GasP_torr')
    .rows(31, (n) => [
      `  13/09/2022 11:07:${10 + n}.965,    2.5422${10 + n}e+0,    0.000000e+0,    8.47${10 + n}00e+1`,
      Date.parse(`2022-09-13T11:07:${10 + n}.965+02:00`),
      ...[Number(`2.5422${10 + n}`), 0, Number(`8.47${10 + n}00e+1`)],
    ]);
}

const TRAILERS: readonly ReviewedLog[] = [
  {
    kind: 'a block behind the rows',
    what: 'a signature of 65 lines',
    log: analyser()
      .lines(PGP, 'Version: x', '', ...Array.from({ length: 62 }, () => CODED), '-----END PGP MESSAGE-----')
      .done({ path: 'UGGA.txt' }),
  },
  {
    kind: 'a block behind the rows',
    what: 'END OF FILE and a checksum',
    log: analyser().lines('', 'END OF FILE', 'CRC32: 1F2E3D4C').done({ path: 'N2Oi2.txt' }),
  },
  {
    kind: 'a block behind the rows',
    what: 'a summary as text',
    log: new LogText('p|mbar', 'T|K')
      .lines('Time;p [mbar];T [K]')
      .rows(20, (n) => [`${iso(n)};1.${10 + n};29${n % 10}.5`, at(n), Number(`1.${10 + n}`), 290.5 + (n % 10)])
      .lines('', 'Summary', 'Rows: 20', 'Duration: 00:00:20', 'Mean pressure: 1.19 mbar', 'Operator: K. Miller')
      .done(),
  },
  {
    kind: 'a block behind the rows',
    what: 'a summary in cells, more of them than rows',
    log: new LogText('p|mbar', 'T|K')
      .lines('Time,p (mbar),T (K)')
      .rows(8, (n) => [`${iso(n)},1.${10 + n},29${n}.5`, at(n), Number(`1.${10 + n}`), 290.5 + n])
      .lines('', ...['Statistic,p,T', 'Minimum,1.10,290.5', 'Maximum,1.17,297.5', 'Mean,1.135,294', 'Median,1.135,294'])
      .lines('Deviation,0.02,2.4', 'Count,8,8', 'Alarms', 'none')
      .done(),
  },
];

const BLUEFORS = Date.parse('2023-08-26T14:47:10+02:00');
const PAIRS: readonly ReviewedLog[] = [
  {
    kind: 'name and value in cells side by side',
    what: 'the pairs change places',
    log: new LogText('ctrl_pres|', 'cpatempwi|')
      .rows(31, (n) => {
        const pairs = ['ctrl_pres,0.000000e+00', `cpatempwi,1.6${10 + n}000e+01`];
        if (n >= 15) pairs.reverse();
        const text = `26-08-23,14:47:${10 + n},${pairs.join(',')}`;
        return [text, BLUEFORS + n * 1000, 0, Number(`1.6${10 + n}e1`)];
      })
      .done({ path: 'Status_26-08-23.log', modifiedMs: BLUEFORS + 31_000 }),
  },
  {
    kind: 'name and value in cells side by side',
    what: 'three pairs, one of which is not in each row',
    log: new LogText('p1|', 'p2|', 'p3|')
      .rows(30, (n) => {
        const own = n % 4 === 3 ? '' : `;p2;2.${10 + n}`;
        const text = `${iso(n)};p1;1.${10 + n}${own};p3;3.${10 + n}`;
        return [
          text,
          at(n),
          Number(`1.${10 + n}`),
          own === '' ? Number.NaN : Number(`2.${10 + n}`),
          Number(`3.${10 + n}`),
        ];
      })
      .done(),
  },
  {
    kind: 'name and value in cells side by side',
    what: 'always in one order, behind tabs',
    log: new LogText('tset|', 'tact|')
      .rows(25, (n) => [`${iso(n)}\ttset\t600.0\ttact\t59${n % 10}.25`, at(n), 600, 590.25 + (n % 10)])
      .done(),
  },
  {
    kind: 'name and value in cells side by side',
    what: 'another quantity comes in the middle',
    log: new LogText('ch1|', 'ch2|', 'ch3|')
      .rows(15, (n) => [
        `${iso(n)},ch1,1.${10 + n},ch2,2.${10 + n}`,
        at(n),
        Number(`1.${10 + n}`),
        Number(`2.${10 + n}`),
      ])
      .rows(15, (n) => [
        `${iso(15 + n)},ch1,3.${10 + n},ch3,4.${10 + n}`,
        at(15 + n),
        ...[Number(`3.${10 + n}`), Number.NaN, Number(`4.${10 + n}`)],
      ])
      .done(),
  },
];

const elapsed = (n: number) => `00:00:${two(n)}`;
const ELAPSED: readonly ReviewedLog[] = [
  {
    kind: 'time since a start that the file does not tell',
    what: 'from 00:00:00, without a name',
    log: new LogText('T_sub|V')
      .lines('"","T_sub (V)"')
      .rows(1, () => ['"00:00:00","0.010"', at(0), 0.01])
      .rows(39, (n) => [`"${elapsed(11 + n)}","0.0${11 + n}"`, at(11 + n), Number(`0.0${11 + n}`)])
      .done({ modifiedMs: at(49), isOpen: true }),
  },
  {
    kind: 'time since a start that the file does not tell',
    what: 'with the day in the name',
    log: new LogText('T_sub|V')
      .lines('Time,T_sub (V)')
      .rows(40, (n) => [`${elapsed(n)},0.0${10 + n}`, at(n), Number(`0.0${10 + n}`)])
      .done({ path: 'sample_2025-11-28.csv', isOpen: true }),
  },
  {
    kind: 'time since a start that the file does not tell',
    what: 'with tenths, called elapsed',
    log: new LogText('p|mbar')
      .lines('Elapsed\tp (mbar)')
      .rows(40, (n) => [`${elapsed(n)}.0\t1.${10 + n}`, at(n), Number(`1.${10 + n}`)])
      .done({ modifiedMs: at(39), isOpen: true }),
  },
  {
    kind: 'time since a start that the file does not tell',
    what: 'the neighbour that tells it',
    log: new LogText('p|mbar')
      .lines('Started: 2025-11-28 10:00:00', 'Time;p [mbar]')
      .rows(40, (n) => [`${elapsed(n)};1.${10 + n}`, at(n), Number(`1.${10 + n}`)])
      .done(),
  },
];

/** 10:00 and later by a clock of UTC. */
const universal = (n: number) => `2025-11-28 10:00:${two(n)}`;
const CHANGED: readonly ReviewedLog[] = [
  {
    kind: 'a change below a head that tells the zone',
    what: 'one column more',
    log: new LogText('p|mbar', 'T|K')
      .lines('Time zone: UTC', 'Time;p [mbar]')
      .rows(20, (n) => [`${universal(n)};1.${10 + n}`, at(n + 3600), Number(`1.${10 + n}`)])
      .lines('Time;p [mbar];T [K]')
      .rows(20, (n) => [
        `${universal(20 + n)};2.${10 + n};300.${10 + n}`,
        at(n + 3620),
        Number(`2.${10 + n}`),
        Number(`300.${10 + n}`),
      ])
      .done({ changedFrom: 23 }),
  },
];

const temperature = (n: number) => Number(`300.${10 + n}`);
const NAMED: readonly ReviewedLog[] = [
  ...['TimeUTC', 'UtcTime', 'timestamp_z', 'UT date'].map((name) => ({
    kind: 'universal time by the name of its column',
    what: name,
    log: new LogText('T|K')
      .lines(`${name},T [K]`)
      .rows(20, (n) => [`${universal(n)},300.${10 + n}`, at(n + 3600), temperature(n)])
      .done(),
  })),
  {
    kind: 'a line of units below the names',
    what: 'with a remark in a unit',
    log: new LogText('Vf|V vs. Ref.', 'Vm|V')
      .lines('Start: 2025-11-28 10:00:00', 'Time\tVf\tVm', 's\tV vs. Ref.\tV')
      .rows(20, (n) => [`${n}\t0.${10 + n}\t1.${10 + n}`, at(n), Number(`0.${10 + n}`), Number(`1.${10 + n}`)])
      .done({ modifiedMs: at(19) }),
  },
  {
    kind: 'a line of units below the names',
    what: 'of the time alone',
    log: new LogText('Furnace|', 'Shroud|')
      .lines('Start: 2025-11-28 10:00:00', 'Time,Furnace,Shroud', 'Seconds,,')
      .rows(20, (n) => [`${n},20.${10 + n},1.${10 + n}`, at(n), Number(`20.${10 + n}`), Number(`1.${10 + n}`)])
      .done({ modifiedMs: at(19) }),
  },
  {
    kind: 'groups above the names',
    what: 'with a line of their units between',
    log: new LogText('Oven Min|', 'Oven Max|', 'Cell Min|', 'Cell Max|')
      .lines('Tag,,Oven,,Cell,', 'Unit,,C,,mV,', 'Date,Time,Min,Max,Min,Max')
      .rows(20, (n) => [
        `2025/11/28,10:00:${two(n)},20.${10 + n},21.${10 + n},1.${10 + n},2.${10 + n}`,
        at(n),
        ...[20, 21, 1, 2].map((whole) => Number(`${whole}.${10 + n}`)),
      ])
      .done(),
  },
  {
    kind: 'names with a bar',
    what: 'paths of one root',
    log: new LogText('chamber/T|', 'chamber/P|')
      .lines('Time,chamber/T,chamber/P')
      .rows(20, (n) => [
        `2025-11-28 10:00:${two(n)},20.${10 + n},1.${10 + n}`,
        at(n),
        Number(`20.${10 + n}`),
        Number(`1.${10 + n}`),
      ])
      .done(),
  },
  {
    kind: 'dates of two digits with points',
    what: 'the year first, by the last change',
    log: new LogText('T|K')
      .lines('Time,T [K]')
      .rows(20, (n) => [`25.11.28 10:00:${two(n)},300.${10 + n}`, at(n), temperature(n)])
      .done({ modifiedMs: at(20) }),
  },
  {
    kind: 'dates of other things in the head',
    what: 'beside one that says started',
    log: new LogText('T|K')
      .lines('Firmware 2025-01-07 08:00:00', 'Recipe started: 2025-11-28 10:00:00', 'Time (s),T [K]')
      .rows(20, (n) => [`${n},300.${10 + n}`, at(n), temperature(n)])
      .done(),
  },
  {
    kind: 'a last word with a stamp',
    what: 'behind means',
    log: new LogText('T|K')
      .lines('Time,T [K]')
      .rows(20, (n) => [`2025-11-28 10:00:${two(n)},300.${10 + n}`, at(n), temperature(n)])
      .lines('Min,300.10', 'Exported 2025-11-28 12:00:00')
      .done(),
  },
];

/** All of them, kind by kind. */
export const REVIEWED: readonly ReviewedLog[] = [
  ...[
    LABELLED,
    BESIDE,
    LONG,
    ANNOTATED,
    SENTINELS,
    UNPADDED,
    RECORDS,
    ONE_NAME,
    TRAILING,
    AGAIN,
    TRAILERS,
    PAIRS,
    ELAPSED,
    CHANGED,
    NAMED,
  ],
].flat();
