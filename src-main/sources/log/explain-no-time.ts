// Why a file could not be cut into rows with a time, in words that help.
import type { Dialect } from '../../model/dialect.ts';
import { shapeOfCell } from './cell-shape.ts';
import type { Line } from './cut.ts';
import { type Undecided, undecided } from './header-line.ts';
import type { Head } from './settle-time.ts';

/** Say why no time was found: no data yet, or none that is recognised. */
export function explainNoTime(lines: readonly Line[], head: Head, dialect: Dialect): Undecided {
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
  const wanted = dialect.time.format === 'auto' ? '' : ` in the format "${dialect.time.format}"`;
  return undecided(
    'log.no-time',
    `No column of ${head.path} gives the time${wanted}.`,
    'Name the time column and its format under dialect: time, or leave the file out with a narrower match.',
  );
}

function listsStamp(text: string): boolean {
  return /\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{1,2}:\d\d/.test(text);
}
