// What a foreign log may look like, as choices. Each list begins with its plainest entry, so that a fault shrinks to the
// smallest log that shows it.
import fc from 'fast-check';

const COLUMN = fc.record({
  name: fc.constantFrom(
    'p',
    'T_sub',
    'Ga flux',
    'Heater 1 Ist',
    'PV2',
    'Druck',
    'MFC #2',
    'Rate',
    'Kanal 7',
    'Flow',
    '18',
    '2.00',
  ),
  unit: fc.constantFrom(
    ...['', 'mbar', '°C', 'C', '%', 'sccm', 'ml/min', 'smL/min', 'Nml/min', 'mln/min', 'cm3/min', 'sL/min', 'l/min'],
    ...['mbar l/s', 'mbar*l/s', 'cm-2/s', '1/s', 'A/s', 'Å/s', 'nm/min', 'm/s²', 'kg·m^-3', 'µA', 'Torr', 's', 'min'],
    ...['h', 'W/cm²', 'counts', 'raw', 'arb', 'steps', 'FS%'],
  ),
  /** How the unit stands beside the name; a line of units takes it out of the header. */
  written: fc.constantFrom('square', 'round', 'slash', 'comma', 'in', 'blank', 'none'),
  style: fc.constantFrom('fixed', 'whole', 'scientific', 'plain'),
  scale: fc.constantFrom(1, 1e-9, 1e-3, 100, 123_456),
  /** Words behind the value, in a cell of their own; `unit`: its unit; `quality` and `code`: how good it is. */
  status: fc.constantFrom(null, null, null, null, null, 'OK', 'on/off', 'unit', 'quality', 'code'),
});
export type Column = Omit<typeof COLUMN extends fc.Arbitrary<infer T> ? T : never, 'name'> & { readonly name: string };

/** How the wall clock is written. */
export const STAMPS = [
  ...['iso', 'isoBlank', 'slashes', 'german', 'british', 'american', 'words', 'monthFirst', 'asctime', 'compact'],
  ...['compactWhole', 'columns', 'columnsGerman', 'timeFirst', 'parts', 'msColumn', 'twelve', 'yearless', 'weekday'],
  ...['excelParts'],
] as const;
/** Counts from a zero that everybody knows; those since 1900, and days since 1904, are not read: each is a question. */
const COUNTS = [
  ...['unix-s', 'unix-ms', 'unix-us', 'since-1904', 'since-1900', 'excel', 'excel-1904', 'matlab', 'filetime', 'igor'],
] as const;
/** What lacks its start, or its day. */
export const RELATIVE = [
  'seconds',
  'ms',
  'minutes',
  'hours',
  'elapsed',
  'mmss',
  'timeOfDay',
  'fromZero',
  'clockNumber',
] as const;

const START = fc
  .record({
    year: fc.integer({ min: 2003, max: 2026 }),
    // Not the months in which the clocks change.
    month: fc.constantFrom(0, 1, 3, 4, 5, 6, 7, 8),
    day: fc.integer({ min: 1, max: 27 }),
    second: fc.integer({ min: 0, max: 86_399 }),
  })
  .map(({ year, month, day, second }) => Date.UTC(year, month, day) + second * 1000);

/** One log. */
export const CHOICES = fc.record({
  time: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...STAMPS) },
    { weight: 3, arbitrary: fc.constantFrom(...COUNTS) },
    { weight: 3, arbitrary: fc.constantFrom(...RELATIVE) },
  ),
  separator: fc.constantFrom(',', ';', '\t', ' | ', '   '),
  decimal: fc.constantFrom<'.' | ','>('.', ','),
  quotes: fc.constantFrom('none', 'needed', 'all'),
  encoding: fc.constantFrom('utf8', 'bom', 'utf16le', 'latin1'),
  end: fc.constantFrom('\n', '\r\n', '\n', '\r\n', '\r\r\n'),
  /** Around the end of summer time instead of the day that is drawn. */
  isFall: fc.oneof({ weight: 14, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  startMs: START,
  stepMs: fc.constantFrom(1000, 250, 2040, 60_000, 3_600_000),
  fraction: fc.constantFrom(3, 0, 1, 6, 7, 9),
  offset: fc.record({
    minutes: fc.constantFrom(0, 120, -420, 330),
    place: fc.constantFrom('none', 'none', 'none', 'cell', 'header', 'head', 'column', 'start'),
    style: fc.constantFrom('+hh:mm', 'UTC+h', 'GMT+hh:mm', '(GMT+h)'),
  }),
  /** How the numbers are written: all but the plain ones are in forms that are not read. */
  numbers: fc.oneof(
    { weight: 14, arbitrary: fc.constant('plain') },
    { weight: 1, arbitrary: fc.constantFrom('grouped', 'fortran', 'no letter', 'power', 'brackets', 'late') },
  ),
  /** The language of the names; a PC of another one has a code page of its own. */
  language: fc.oneof(
    { weight: 12, arbitrary: fc.constant('English') },
    { weight: 1, arbitrary: fc.constantFrom('Japanese', 'Chinese', 'Russian', 'German') },
  ),
  /** What the head holds besides names. */
  head: fc.array(
    fc.constantFrom(
      'title',
      'blank',
      'keys',
      'remarks',
      'cells',
      'old date',
      'table',
      'list',
      'date',
      'rows of words',
      'zone',
    ),
    { maxLength: 4 },
  ),
  names: fc.constantFrom('names', 'units line', 'none', 'groups'),
  timeName: fc.constantFrom('Time', 'Timestamp', 'Date Time', 'Zeit', 'Elapsed'),
  /** Where a start or a day stands that the rows do not tell. */
  startAt: fc.constantFrom('head', 'name', 'none', 'folder', 'two lines'),
  path: fc.constantFrom('plain', 'day', 'stamp', 'sample'),
  changed: fc.constantFrom('live', 'copied', 'unknown'),
  columns: fc.array(COLUMN, { minLength: 1, maxLength: 4 }),
  /** A first column, called #, counts the rows. */
  counter: fc.constantFrom(false, false, false, true),
  word: fc.constantFrom(null, null, null, 'Open', 'GaAs buffer, step 2', 'Phase 1', 'hex'),
  token: fc.constantFrom(null, null, 'NaN', '---', 'OVER', '', '-'),
  isTrailing: fc.boolean(),
  /** What somebody or something did to the file. */
  edit: fc.oneof(
    { weight: 3, arbitrary: fc.constant('none') },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        ...['column added', 'column gone', 'column added with header', 'saved below', 'saved above', 'other unit'],
        ...[
          'header again',
          'torn',
          'blank lines',
          'blank tail',
          'cut off',
          'zeros',
          'sum line',
          'cell unit',
          'unit column',
          'means',
          'marks',
          'limits',
        ],
      ),
    },
  ),
  editAt: fc.double({ min: 0, max: 1, noNaN: true }),
  rows: fc.oneof(
    { weight: 12, arbitrary: fc.integer({ min: 4, max: 60 }) },
    { weight: 1, arbitrary: fc.integer({ min: 290, max: 420 }) },
  ),
  seed: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
});
export type Choices = typeof CHOICES extends fc.Arbitrary<infer T> ? T : never;
