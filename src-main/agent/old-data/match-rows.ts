// Which rows of a file the service holds already, from entries that this agent did not make.
//
// A row is there when all of its points are, missing when none is. A row of which only some points are there can be sent
// neither whole, since that would double them, nor in part, since its channels share their stamps: it is left alone and
// named. So is everything when the values stand there under another name, and what follows the last point of an entry
// that somebody may still be writing into.
import type { ByteRange } from '../../sources/log/files/byte-ranges.ts';
import { joinRanges } from '../../sources/log/files/byte-ranges.ts';
import type { OldRows } from '../../sources/log/old-data.ts';
import { findAlias, type HeldEntry, seriesFor } from './held-entry.ts';

export interface Match {
  /** Pieces of the file that are there, and pieces that are left alone. */
  readonly there: readonly ByteRange[];
  readonly left: readonly ByteRange[];
  /** Why they are; empty: nothing is left alone. */
  readonly why: string;
  /** Names of the entries that hold something of the file. */
  readonly entries: readonly string[];
}

type Fate = 'there' | 'missing' | 'left';

/**
 * Hold the unread rows of a file against entries.
 *
 * @param rows - the rows in order.
 * @param entries - the entries that may hold them.
 * @returns what of the file is there, and what is left alone; the rest is missing.
 */
export async function matchRows(rows: AsyncIterable<OldRows>, entries: readonly HeldEntry[]): Promise<Match> {
  const all: ByteRange[] = [];
  const there: ByteRange[] = [];
  const left: ByteRange[] = [];
  const whys = new Set<string>();
  const named = new Set<string>();
  let alias: string | null = null;
  for await (const block of rows) {
    all.push([block.fromByte, block.toByte]);
    alias ??= findAliasOf(block, entries);
    if (alias !== null) continue;
    const fates = fatesOf(block, entries, whys, named);
    const pieces = await piecesOf(block, fates);
    if (pieces === null) {
      left.push([block.fromByte, block.toByte]);
      whys.add('the file could not be read to the end now');
      continue;
    }
    for (const { fate, range } of pieces) {
      if (fate === 'there') there.push(range);
      else if (fate === 'left') left.push(range);
    }
  }
  if (alias !== null) return { there: [], left: joinRanges(all), why: alias, entries: [] };
  return { there: joinRanges(there), left: joinRanges(left), why: [...whys].join('; '), entries: [...named] };
}

function fatesOf(block: OldRows, entries: readonly HeldEntry[], whys: Set<string>, named: Set<string>): Fate[] {
  const { timesMs, values, columns } = block;
  const width = columns.length;
  const candidates = columns.map((_, column) =>
    entries.flatMap((entry) =>
      seriesFor([block.channels[column] ?? '', block.columns[column] ?? ''], entry).map((series) => ({
        entry,
        series,
      })),
    ),
  );
  const open = entries.filter(({ isOpen }) => isOpen);
  return Array.from(timesMs, (timeMs, row): Fate => {
    let points = 0;
    let found = 0;
    for (let column = 0; column < width; column++) {
      const value = values[row * width + column] as number;
      if (Number.isNaN(value)) continue;
      points += 1;
      const holder = candidates[column]?.find(({ series }) => series.has(timeMs, value, true));
      if (holder === undefined) continue;
      found += 1;
      named.add(holder.entry.name);
    }
    if (found === points) return 'there';
    if (found > 0) {
      whys.add(
        `of some lines only a part is in ${list(entries)}; the rest of them cannot be sent without doubling that`,
      );
      return 'left';
    }
    const writer = open.find(({ series }) => [...series.values()].every(({ lastMs }) => timeMs > lastMs));
    if (writer === undefined) return 'missing';
    whys.add(`${writer.name} is still open: what comes after its last point may be on its way from somebody else`);
    return 'left';
  });
}

function list(entries: readonly HeldEntry[]): string {
  return entries.map(({ name }) => name).join(', ');
}

/** A series that is called otherwise and holds the same: what to say about it; null: none. */
function findAliasOf(block: OldRows, entries: readonly HeldEntry[]): string | null {
  const { columns, channels, timesMs, values } = block;
  const known = [...columns, ...channels];
  for (const [column, own] of columns.entries()) {
    const valueAt = (row: number) => values[row * columns.length + column] as number;
    const alias = findAlias([channels[column] ?? '', own], { timesMs, valueAt }, entries, known);
    if (alias !== null) return `the values of "${own}" are in ${alias.entry.name} under the name "${alias.name}"`;
  }
  return null;
}

/** The bytes of rows that share their fate; what is no row goes with the row before it. */
async function piecesOf(block: OldRows, fates: readonly Fate[]): Promise<{ fate: Fate; range: ByteRange }[] | null> {
  const pieces: { fate: Fate; range: ByteRange }[] = [];
  let from = block.fromByte;
  for (const [row, fate] of fates.entries()) {
    const former = fates[row - 1];
    if (former === undefined || former === fate) continue;
    const at = await block.byteOf(row);
    if (at === null) return null;
    pieces.push({ fate: former, range: [from, at] });
    from = at;
  }
  pieces.push({ fate: fates.at(-1) ?? 'missing', range: [from, block.toByte] });
  return pieces;
}
