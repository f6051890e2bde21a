// Why a file could not be cut into rows with a time, in a sentence that helps.
import type { Dialect } from '../../../model/dialect.ts';
import { shapeOfCell } from '../cells/cell-shape.ts';
import { splitCells } from '../cells/cells.ts';
import { shownLine } from '../cells/shown-line.ts';
import { type ColumnKind, isStreamed } from '../parse/layout.ts';
import { listNamedFormats, NAMED_FORMATS } from '../time/named-formats.ts';
import { isForeignTime, TIME_HEADER } from '../time/time-names.ts';
import type { Cut, Line } from './cut.ts';
import { textsOf } from './event-cut.ts';
import { type Undecided, undecided } from './header-line.ts';
import type { Head } from './settle-time.ts';

/**
 * Say why no time was found: no data yet, or none that is recognised.
 *
 * @param events - the lines that begin with a stamp, where most do; null: they do not.
 */
export function explainNoTime(
  lines: readonly Line[],
  head: Head,
  dialect: Dialect,
  events: Cut | null = null,
): Undecided {
  const said = lines.filter(({ text }) => text.trim() !== '');
  if (said.length > 0 && said.every(({ text }) => /^\s*\{.*\}\s*,?$/.test(text))) {
    return undecided(
      'log.json-lines',
      `${head.path} holds JSON, an object a line, and none of its names gives the time.`,
      'Let the tool write a stamp into each line, or leave the file out with a narrower match.',
    );
  }
  const isNumeric = lines.some(
    ({ text }) =>
      /\d/.test(text) && text.split(/[\t;,| ]+/).filter((cell) => shapeOfCell(cell, '.') === 'number').length > 1,
  );
  const isStamped = lines.some(({ text }) => listsStamp(text));
  if (!isNumeric && !isStamped) {
    return undecided(
      'log.no-rows-yet',
      `${head.path} holds no line with data yet.`,
      'It is read as soon as it does.',
      true,
    );
  }
  if (endsWithNames(lines)) {
    const message = `${head.path} ends with the names of its columns: no line with data follows yet.`;
    return undecided('log.no-rows-yet', message, 'It is read as soon as one does.', true);
  }
  const unread = dialect.time.format === 'auto' ? askFormat(lines, head.path) : null;
  if (unread !== null) return unread;
  const doubtful = doubtfulTime(lines);
  if (doubtful !== null && dialect.time.column === 'auto') {
    return undecided(
      'log.time-doubtful',
      `"${doubtful}" in ${head.path} may be the time of its lines, or a setting: no other column gives the time.`,
      'If it is the time of its lines, say so. Else leave the file out with a narrower match.',
      false,
      [{ time: { column: doubtful } }],
    );
  }
  if (events !== null) {
    return undecided(
      'log.values-unclear',
      `The lines of ${head.path} begin with a stamp, and what follows is neither a table that is read nor plainly an event: ${shownLine(textsOf(events)[0])}.`,
      'If they are values, let the tool write plain numbers such as 1.2E-8, and an offset such as +01:00 for the zone of a stamp. If they are events, say so: then they are kept as marks, and nothing of them is streamed.',
      false,
      [{ events: true }],
    );
  }
  const wanted = dialect.time.format === 'auto' ? '' : ` in the format "${dialect.time.format}"`;
  return undecided(
    'log.no-time',
    `No column of ${head.path} gives the time${wanted}.`,
    'Name the time column and its format under dialect: time, or leave the file out with a narrower match.',
  );
}

/** Ask whether lines of words with a number among them are events, or a table whose numbers are streamed. */
export function askEvents(events: Cut, kinds: readonly ColumnKind[], path: string): Undecided {
  const numeric = kinds.flatMap((kind, column) => (isStreamed(kind) ? [column + 1] : []));
  return undecided(
    'log.values-unclear',
    `The lines of ${path} may be events, or a table of words with numbers among them: ${shownLine(textsOf(events)[0])}.`,
    'If they are events, say so: then they are kept as marks, and nothing of them is streamed. Else say which columns hold numbers.',
    false,
    [{ events: true }, { numeric }],
  );
}

/** Ask how a time is written that only a person can tell; null: the last line holds none of that kind. */
export function askFormat(lines: readonly Line[], path: string): Undecided | null {
  const last = lines.findLast(({ text }) => /\d/.test(text))?.text ?? '';
  for (const delimiter of ['\t', ';', ',', '|', 'wide', 'whitespace']) {
    const cells = splitCells(last, delimiter);
    for (const [begin] of cells.length > 1 ? cells.entries() : []) {
      for (const count of [3, 2, 1]) {
        const own = cells.slice(begin, begin + count);
        const text = own.join(' ');
        const formats = own.length === count ? listNamedFormats(text) : [];
        const columns = own.map((_, index) => begin + index + 1);
        const [first = 0] = columns;
        if (formats.length === 0) continue;
        return undecided(
          'log.time-unread',
          `"${text}" in ${path} is a time that is read only where a person says how it is written.`,
          `Name its format: ${NAMED_FORMATS}.`,
          false,
          formats.map((format) => ({ time: { column: columns.length === 1 ? first : columns, format } })),
        );
      }
    }
  }
  return null;
}

/** True where the last line names columns, a time among them: the tool has written its head and no row yet. */
function endsWithNames(lines: readonly Line[]): boolean {
  const last = lines.findLast(({ text }) => text.trim() !== '')?.text ?? '';
  return ['\t', ';', ','].some((delimiter) => {
    const cells = splitCells(last.replace(/^\s*(?:#+|%+)\s?/, ''), delimiter).filter((cell) => cell !== '');
    return (
      cells.length > 1 &&
      cells.every((cell) => shapeOfCell(cell, '.') === 'text') &&
      cells.some((cell) => TIME_HEADER.test(cell))
    );
  });
}

/** The header of a column that may be the time of the lines below, or of something else; null: none is. */
function doubtfulTime(lines: readonly Line[]): string | null {
  for (const delimiter of ['\t', ';', ',']) {
    for (const [index, { text }] of lines.entries()) {
      const cells = splitCells(text, delimiter);
      const column = cells.length > 1 ? cells.findIndex((cell) => isForeignTime(cell)) : -1;
      const below = splitCells(lines[index + 1]?.text ?? '', delimiter);
      if (column !== -1 && shapeOfCell(below[column] ?? '', '.') === 'number') return cells[column] as string;
    }
  }
  return null;
}

function listsStamp(text: string): boolean {
  return /\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{1,2}:\d\d|\d[年년] ?\d{1,2}[月월]|\d[時时点點시] ?\d{1,2}[分분]/.test(
    text,
  );
}
