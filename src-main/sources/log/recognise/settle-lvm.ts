// The layout of a LabVIEW measurement file, from its own heads: nothing of it is recognised by how its rows look.

import { COMMENT, columnsOf, fieldsOf, groupsOf, isHeadEnd, unitsOf, X_VALUE } from '../parse/lvm-heads.ts';
import { ZoneClock } from '../time/zone-clock.ts';
import { isOpen, makeGroupLayout } from './group-layout.ts';
import { type Undecided, undecided } from './header-line.ts';
import type { Recognised, Settled } from './recognised.ts';

/** True for the lines of a LabVIEW measurement file whose times nobody has settled otherwise. */
export function isLvm({ lines, dialect }: Settled): boolean {
  return isOpen(dialect) && /^LabVIEW Measurement\b/.test(lines[0]?.text ?? '');
}

/**
 * Make the layout.
 *
 * @returns it, or the question that is open.
 */
export function settleLvm(settled: Settled): Recognised | Undecided {
  const { lines, head, dialect, timeZone } = settled;
  const texts = lines.map(({ text }) => text);
  const delimiter = texts.some((text) => /^Separator[\t,]\s*Comma/i.test(text)) ? ',' : '\t';
  const fileEnd = texts.findIndex(isHeadEnd);
  const begin = texts.findIndex((text, index) => index > fileEnd && text.startsWith('Channels'));
  const end = texts.findIndex((text, index) => index > begin && isHeadEnd(text));
  const namesLine = texts.findIndex((text, index) => index > end && text.trim() !== '');
  const first = lines.findIndex(({ text }, index) => index > namesLine && text.trim() !== '');
  if (fileEnd === -1 || begin === -1 || end === -1 || namesLine === -1 || first === -1) {
    return undecided(
      'log.no-rows-yet',
      `${head.path} holds no line with data yet.`,
      'It is read as soon as it does.',
      true,
    );
  }
  const file = fieldsOf(texts.slice(0, fileEnd), delimiter);
  const segment = fieldsOf(texts.slice(begin, end), delimiter);
  const names = columnsOf(texts[namesLine] ?? '', delimiter);
  const decimal = file.get('Decimal_Separator')?.[1] === ',' ? ',' : '.';
  const zone = new ZoneClock(dialect.time.zone ?? timeZone);
  const firstCell = (texts[first] ?? '').split(delimiter)[0]?.trim() ?? '';
  const isCounted = file.get('X_Columns')?.[1]?.toLowerCase() === 'no' || (firstCell === '' && isOneTime(names));
  const groups = groupsOf(segment, file, names, isCounted ? null : firstCell, decimal, zone);
  if (typeof groups === 'string') {
    return undecided(
      'log.lvm-unclear',
      `${head.path} is a LabVIEW measurement file that does not tell its times: ${groups}.`,
      'Let LabVIEW write the time of each row (X_Columns One, X_Dimension Time); or leave the file out with a narrower match.',
    );
  }
  const units = unitsOf(segment, names);
  const hasRemarks = names.at(-1) === COMMENT;
  const headerText = (texts[namesLine] ?? '').trim();
  const made = makeGroupLayout({ delimiter, decimal, names, units, groups, hasRemarks, headerText }, settled);
  const layout = { ...made.layout, heads: { units } };
  const starts = new Set(groups.map(({ zeroMs }) => zeroMs)).size;
  const reasons = [
    `a LabVIEW measurement file: ${names.length - 1} columns, header in line ${namesLine + 1}`,
    isCounted ? 'its rows write no time: they are counted by the Delta_X of its head' : 'time in its X_Value columns',
    starts > 1
      ? `${starts} starts, those of the channels`
      : `begins at ${new Date(groups[0]?.zeroMs ?? 0).toISOString()}`,
    `stamps that carry no zone are of ${layout.zone}`,
  ];
  const assumed = { start: false, seconds: false, ...(isCounted && { counted: true as const }) };
  const dataByte = lines[first]?.byte ?? 0;
  return { layout, kinds: made.kinds, dataByte, dataLine: first, startFrom: 'header', assumed, reasons };
}

/** True where the one time column there is stands first. */
function isOneTime(names: readonly string[]): boolean {
  return names.filter((name) => name === X_VALUE).length <= 1;
}
