// The kinds of logs that a plain table does not cover, each written from a seed.
import type { WrittenLog } from '../truth.ts';
import { Draw } from './draw.ts';
import {
  annotated,
  counterFirst,
  headAgain,
  headAtEnd,
  labelledHeads,
  oneName,
  remarksAbove,
  separatorBehindNames,
  separatorBehindSeconds,
  threeHeads,
} from './heads.ts';
import { longLog } from './long.ts';
import { longTable, pairsInCells, sentinel, trailer } from './rows.ts';
import { elapsedFromZero, lateDate, unixBeside, unpaddedHours } from './times.ts';

const WRITERS = {
  'labelled heads': labelledHeads,
  'three head lines': threeHeads,
  'head again': headAgain,
  'head again behind Unix seconds': headAtEnd,
  'separator behind the names': separatorBehindNames,
  'separator behind names, and seconds since a start': separatorBehindSeconds,
  'a name too many or too few': oneName,
  'remarks above the names': remarksAbove,
  'annotated lines above the names': annotated,
  'a counter first': counterFirst,
  'rows that name their quantity': longTable,
  'name and value in cells': pairsInCells,
  'a block behind the rows': trailer,
  'numbers that are none': sentinel,
  'Unix seconds beside a stamp': unixBeside,
  'hours without a zero': unpaddedHours,
  'a date that comes late': lateDate,
  'elapsed from zero': elapsedFromZero,
  'a long log that changes late': longLog,
} as const satisfies Record<string, (draw: Draw) => WrittenLog>;

export type Kind = keyof typeof WRITERS;
export const KINDS = Object.keys(WRITERS) as Kind[];

/** Write the log of a kind that a seed draws. */
export function writeKind(kind: Kind, seed: number): WrittenLog {
  return WRITERS[kind](new Draw(seed));
}
