// Several lines of as many cells above the rows: which names the columns, which has their units, which remarks on them? A label
// in front of each line says it (`Titles:`, `Units:`), or a line that repeats words such as Avg and Smp below the other two.

import { isUnit } from '../cells/unit-grammar.ts';
import { tellUnitsRow, unitsOf } from '../cells/unit-names.ts';
import { isTimeName } from '../time/time-names.ts';
import type { Cut } from './cut.ts';

const NAME_LABEL =
  /^(?:titles?|names?|channels?|columns?|headers?|labels?|variables?|parameters?|signals?|fields?)\s*:?$/i;
const UNIT_LABEL = /^(?:units?|einheit(?:en)?|unités?|unidad(?:es)?)\s*:?$/i;
/** How a value was made of the readings of its interval. */
const KIND = /^(?:smp|avg|mean|min|max|std|stdev|sd|tot|sum|med|median|inst|sample|average|total)$/i;

export interface HeadBlock {
  /** One for each column; empty over the time where a label stands there. */
  readonly names: readonly string[];
  readonly units: readonly string[];
  /** Index of the line of names. */
  readonly line: number;
}

/**
 * Read the head lines whose parts are plain.
 *
 * @returns null where neither labels nor a line of kinds tell them apart.
 */
export function readHeadBlock(cut: Cut): HeadBlock | null {
  const lines = linesAbove(cut);
  return readLabelled(lines, cut) ?? readWithKinds(lines, cut);
}

/** The lines above the rows that have as many cells, without a gap, from the top down. */
export function linesAbove({ rows, first, width }: Cut): { at: number; cells: readonly string[] }[] {
  const lines: { at: number; cells: readonly string[] }[] = [];
  for (let at = first - 1; at >= 0; at--) {
    const cells = rows[at] ?? [];
    if (cells.length === 0) continue;
    if (cells.length !== width) break;
    lines.unshift({ at, cells });
  }
  return lines;
}

type Lines = ReturnType<typeof linesAbove>;

function readLabelled(lines: Lines, { width, time }: Cut): HeadBlock | null {
  const [place = 0] = time.columns;
  const labelOf = ({ cells }: Lines[number]) => cells[place] ?? '';
  const names = lines.find((line) => NAME_LABEL.test(labelOf(line)));
  const units = lines.find((line) => UNIT_LABEL.test(labelOf(line)));
  // A column may be called so; a colon, or the label of the line below, tells that this is none.
  if (names === undefined || !(labelOf(names).endsWith(':') || units !== undefined)) return null;
  // Names of its own stand below: the labels are those of groups.
  if (lines.some((line) => isTimeName(labelOf(line)))) return null;
  const own = (cells: readonly string[] = []) => cells.map((cell, column) => (column === place ? '' : cell));
  const said = units === undefined ? [] : unitsOf(own(units.cells), own(names.cells), width, time.columns);
  return { names: own(names.cells), units: said, line: names.at };
}

function readWithKinds(lines: Lines, { width, time }: Cut): HeadBlock | null {
  const [names, ...below] = lines;
  const isNamed = names !== undefined && time.columns.every((column) => isTimeName(names.cells[column] ?? ''));
  if (!isNamed || names.cells.some((cell) => cell === '')) return null;
  const isKinds = ({ cells }: Lines[number]) => {
    const said = cells.filter((cell) => cell !== '');
    // Minutes, samples and counts are units as well.
    return said.every((cell) => KIND.test(cell)) && said.some((cell) => !isUnit(cell));
  };
  const [units, ...others] = below.filter((line) => !isKinds(line));
  if (!below.some(isKinds) || others.length > 0) return null;
  if (units !== undefined && tellUnitsRow(units.cells, names.cells, time.columns) === 'names') return null;
  const told = units === undefined ? [] : unitsOf(units.cells, names.cells, width, time.columns);
  return { names: names.cells, units: told, line: names.at };
}
