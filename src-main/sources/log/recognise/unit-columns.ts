// Columns that hold the unit of the value in front of them: `3.2;mbar`. The unit belongs to the layout as that of the channel,
// and a value beside another one is refused: mbar and Pa in one channel would be read wrong in silence.

import type { Dialect, DialectInput } from '../../../model/dialect.ts';
import { shownLine } from '../cells/shown-line.ts';
import { isUnit } from '../cells/unit-grammar.ts';
import { idOf, type Sample } from '../cells/write-pattern.ts';
import type { ColumnKind, Layout } from '../parse/layout.ts';
import type { Cut } from './cut.ts';
import { tellApart } from './doubts/tell-apart.ts';
import { isUnitHeader } from './find-keyed.ts';
import { type HeaderChoice, type Undecided, undecided } from './header-line.ts';

/** A header of so few letters says nothing of its own. */
const SHORT = 2;
/** They number things as well: A, V1. */
const LETTER = /^(?:.|[A-Za-z]\d+)$/u;
/** Headers under which a word is a unit. */
const MEASURED = /unit|einheit|range|bereich|interval|scale|skala|span/i;
/** Units that as often are words of a state or of a calendar. `bar` and `mil` are none of them: no state is called so. */
const OTHER_WORD = new RegExp(
  '^(?:in|as|[ap]m|Sa|FS|ML|monolayers?|cal|sample|rev|deg|turns|steps|pulses|frames|[Cc]ounts?|units|digits|' +
    'bits|bytes|min|minutes?|sec|seconds?|hours?|days?)$',
);

/**
 * Take the columns of units.
 *
 * @param sample - rows and their lines.
 * @returns layout and kinds, a value with its unit and a column of units as its status; or the question that is open where the
 *   unit changes in these rows.
 */
export function takeUnitColumns(
  layout: Layout,
  kinds: readonly ColumnKind[],
  sample: Sample,
  path: string,
): { layout: Layout; kinds: ColumnKind[] } | Undecided {
  const statuses = [...(layout.statuses ?? [])];
  const qualities = [...(layout.qualities ?? [])];
  const columns = [...layout.columns];
  const own = [...kinds];
  for (const [column, kind] of kinds.entries()) {
    if (kind !== 'text') continue;
    const of = valuesOf(column, layout, kinds);
    const [only] = of;
    const units = [...new Set(sample.rows.map((row) => row[column] ?? '').filter((cell) => cell !== ''))];
    const [unit] = units;
    const told = unitsIn(units, layout.columns[column]?.header ?? '');
    if (unit === undefined || only === undefined || told === null) continue;
    if (units.length > 1)
      return mixed(
        of.map((one) => columns[one]?.name ?? ''),
        units,
        [...of, column],
        path,
        of.length === 1 ? tellUnitsApart(layout, kinds, only, column, units, sample) : null,
      );
    // Of several values nobody knows which are in this unit, but all are of other rows beside another one.
    const value = columns[only] as Layout['columns'][number];
    if (of.length === 1 && told === 'told') columns[only] = { ...value, unit: value.unit === '' ? unit : value.unit };
    if (only === column - 1 && of.length === 1) statuses.push({ column, of: only, good: [unit] });
    else qualities.push({ column, of, code: 'words', good: [unit] });
    own[column] = 'status';
  }
  const judged = { ...(statuses.length > 0 && { statuses }), ...(qualities.length > 0 && { qualities }) };
  return { layout: { ...layout, columns, ...judged }, kinds: own };
}

/** x10, *0.1, x-1, 10^-3; or any number in a line that is called one of factors. */
const FACTOR = /^[+\-−]?(?:[x×*·]\s*[+\-−]?[.,]?\d|10\s?\^)/i;
const FACTORS = /factor|faktor|scal(?:e|ing)|skalier|multipl|\bgain\b|exponent/i;
const NUMBER = /^[+\-−]?[.,]?\d/;
/** It changes nothing; -1 does. */
const ONE = /^[x×*·+]?\s*1$/i;

/**
 * A line between the names and the rows that multiplies them. It is not applied, so the values would be others than those meant.
 *
 * @returns the question; null where there is no such line, or a person has named the line of names.
 */
export function doubtFactors(
  { rows, first, width, time }: Cut,
  { cells, units, line }: HeaderChoice,
  path: string,
  { header_line, leave_out }: Pick<Dialect, 'header_line' | 'leave_out'>,
): Undecided | null {
  if (line === null || header_line !== null) return null;
  for (let below = line + 1; below < first; below++) {
    const row = rows[below] ?? [];
    const isCalled = row.some((cell) => FACTORS.test(cell));
    const isFactor = (cell: string) => FACTOR.test(cell) || (isCalled && NUMBER.test(cell));
    const columns = row.flatMap((cell, column) => {
      const isLeft = leave_out.some((one) => one === column + 1 || one === cells[column]);
      return isLeft || time.columns.includes(column) || !isFactor(cell) || ONE.test(cell) ? [] : [column];
    });
    if (columns.length === 0 || row.length > width) continue;
    const unitOf = (column: number) =>
      `x${row[column]?.replace(/^([+\-−]?)[x×*·]\s*/i, '$1')} ${units[column] ?? ''}`.trim();
    const told = columns.map((column): [string, string] => [cells[column] ?? '', unitOf(column).slice(0, 32)]);
    // Units are given by header: two columns of one header would both get the last.
    const isNamed = told.every(([name]) => name !== '' && cells.indexOf(name) === cells.lastIndexOf(name));
    const asTheyStand = { header_line: line + 1, units: Object.fromEntries(told) };
    return undecided(
      'log.factors-unclear',
      `Line ${below + 1} of ${path} seems to tell what its numbers are to be multiplied by, and is not applied: ${shownLine(row.join(' '))}.`,
      `Let the tool write the values themselves. Or ${isNamed ? 'take the numbers as they stand, with the factor in their unit; or leave' : 'give each column a name of its own under dialect: header; or leave'} the columns out.`,
      false,
      [...(isNamed ? [asTheyStand] : []), { leave_out: columns.map((column) => column + 1) }],
    );
  }
  return null;
}

/** The columns of values of which one of units speaks: that before it, those that its header names, else all. */
function valuesOf(column: number, { columns }: Layout, kinds: readonly ColumnKind[]): number[] {
  if (kinds[column - 1] === 'number') return [column - 1];
  const all = kinds.flatMap((kind, index) => (kind === 'number' || kind === 'whole' ? [index] : []));
  const called = (columns[column]?.header ?? '').replace(/[^\s_.-]*$/, '');
  const named = all.filter((index) => {
    const { header = '' } = columns[index] ?? {};
    return called !== '' && (header.startsWith(called) || header === called.slice(0, -1));
  });
  return named.length > 0 ? named : all;
}

/**
 * How the cells of a column are units: `told`, they are those of a value; `held`, its header does not say of what (`Range`,
 * `Interval`), so they name no unit, but another one may change what the values mean; null, they are none. A word that is as often
 * no unit (`Mode`: sample) is one only where the header speaks of a measurement, or beside one that is nothing else; so is a letter
 * that may number things, beside such a one.
 */
function unitsIn(cells: readonly string[], header: string): 'told' | 'held' | null {
  if (!cells.every(isUnit)) return null;
  if (isUnitHeader(header)) return 'told';
  const isSure = (cell: string) => !LETTER.test(cell) && (MEASURED.test(header) || !OTHER_WORD.test(cell));
  if (!cells.some(isSure)) return null;
  // The last part of a path names what an object holds: p.u, p.e.
  const isShort = header.length - header.lastIndexOf('.') - 1 <= SHORT;
  return isShort ? 'told' : 'held';
}

/** A dialect that gives each unit a channel of its own; null where no pattern can say it. */
function tellUnitsApart(
  layout: Layout,
  kinds: readonly ColumnKind[],
  only: number,
  column: number,
  units: readonly string[],
  sample: Sample,
): DialectInput | null {
  const { columns } = layout;
  const nameOf = (index: number, unit: string) => `${columns[index]?.name ?? ''}${index === only ? ` ${unit}` : ''}`;
  const apart = tellApart(layout, kinds, sample, column, units, nameOf);
  if (apart === null) return null;
  const { line, values } = apart;
  const own = units.map((unit): [string, string] => [idOf(nameOf(only, unit)), unit]);
  const others = values.map((index): [string, string] => [idOf(nameOf(index, '')), columns[index]?.unit ?? '']);
  const told = [...own, ...others.filter(([id, unit]) => unit !== '' && !own.some(([one]) => one === id))];
  return { line, units: Object.fromEntries(told) };
}

function mixed(
  names: readonly string[],
  units: readonly string[],
  columns: readonly number[],
  path: string,
  apart: DialectInput | null,
): Undecided {
  return undecided(
    'log.units-mixed',
    `The values of "${names.slice(0, 4).join('", "')}" in ${path} have several units in the column beside them: ${units.slice(0, 4).join(', ')}.`,
    `Let the tool begin a new file where it changes the unit. ${apart === null ? '' : 'Or let the line pattern give each unit a channel of its own. '}Or leave these columns out.`,
    false,
    [...(apart === null ? [] : [apart]), { leave_out: [...columns].sort((a, b) => a - b).map((column) => column + 1) }],
  );
}
