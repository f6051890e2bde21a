// How the time of a file is written and where it begins, once its lines are cut into rows.
import type { Dialect } from '../../model/dialect.ts';
import { settleDateOrder } from './date-order.ts';
import { parseDecimalText } from './decimal.ts';
import { type Undecided, undecided } from './header-line.ts';
import { settleStart } from './start-stamp.ts';
import type { Cut, Line } from './table-cut.ts';
import { joinTimeCells, keepReading } from './time-columns.ts';
import { ZoneClock } from './zone-clock.ts';

export interface Head {
  /** First bytes of the file, at least one whole line or the layout waits. */
  readonly bytes: Uint8Array;
  /** Path below the watched folder; a date in it can settle the date order. */
  readonly path: string;
  /** Some lines from further on in the file, as rows for the date order; empty when not read. */
  readonly laterLines: readonly string[];
  /** Time format that other files of this folder have settled; null: none. */
  readonly settledFormat: string | null;
  /** When the file was last changed, Unix ms. */
  readonly modifiedMs: number;
}

/** How people name the places of a start. */
export const START_WORDS = { header: 'its header', name: 'its name', file: 'its time of change' } as const;

export type FoundStart = { from: 'header' | 'name' | 'file'; localMs: number; instantMs: number };

/** Find the start that the dialect speaks of; null when it speaks of none. */
export function findStart(
  { first, time, decimal }: Cut,
  lines: readonly Line[],
  head: Head,
  dialect: Dialect,
  timeZone: string,
  data: readonly (readonly string[])[],
): FoundStart | Undecided | null {
  const { start, zone } = dialect.time;
  if (start === null) return null;
  const before = lines.slice(0, first).map(({ text }) => text);
  const lastS = parseDecimalText(joinTimeCells(data.at(-1) ?? [], time.columns), decimal);
  const clock = new ZoneClock(zone ?? timeZone);
  const found = settleStart(start, before, head.path, clock, { modifiedMs: head.modifiedMs, lastS });
  if (found !== null) return { from: start.from, ...found };
  return undecided(
    'log.no-start',
    `${head.path} tells no start for its times: none found in ${START_WORDS[start.from]}.`,
    'Set where the start stands under dialect: time: start.',
  );
}

/**
 * Choose the one format in which the stamps are written.
 * **Takes**: the cut, the lines, the head, and rows from the beginning and the end. **Gives**: the format with the
 * reason, or the question that is left.
 */
export function chooseFormat(
  { time, decimal, rows, first }: Cut,
  lines: readonly Line[],
  head: Head,
  data: readonly (readonly string[])[],
): { format: string; reason: string } | Undecided {
  const [only] = time.formats;
  if (time.formats.length === 1 && only !== undefined) return { format: only, reason: 'the only way to read it' };
  const all = keepReading(data, time.columns, time.formats, decimal);
  // Single damaged stamps must not decide: then the formats that read most lines stay.
  const left = all.length > 0 ? all : time.formats;
  const [single] = left;
  if (left.length === 1 && single !== undefined) return { format: single, reason: 'the others fail on some line' };
  const texts = [head.path, ...lines.slice(0, first).map(({ text }) => text)];
  const order = settleDateOrder(left, data, time.columns, texts, head.settledFormat);
  if (order.format !== null) return { format: order.format, reason: order.reason };
  const shown = joinTimeCells(rows[first] ?? [], time.columns);
  return undecided(
    'log.date-order-ambiguous',
    `"${shown}" in ${head.path} can be read as ${left.join(' or ')}; nothing is streamed from it until that is settled.`,
    'It settles itself with a day after the 12th, or with a date such as 2026-11-20 in the name of the file or folder; or set the time format in the settings.',
  );
}
