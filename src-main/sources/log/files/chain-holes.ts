// What a chain of rotated files shows that is not there any more. Each rotation moves every file of a log up by one number, so
// one that moved up by three has two others behind it: where one of these is missing, its lines are missing, too.
import type { Entry } from './folder-scan.ts';
import type { Neighbours } from './heirs.ts';
import type { Plan } from './look-plan.ts';
import { withoutPacking } from './packed.ts';
import { compareRotated, isRotated, numberInChain, placeInChain } from './rotated-names.ts';
import { birthPath, type WatchedFile } from './watched-file.ts';

/** Modification times may be whole seconds, and even ones, milliseconds. */
const COARSE_TICK_MS = 2000;

/** A file that was moved along a chain, and the names behind it that are missing, the lowest first. */
export interface Hole {
  readonly file: WatchedFile;
  readonly missing: readonly string[];
}

/** How a file moved, as far as a chain tells. */
interface Move {
  /** The name under which it was written. */
  readonly born: string;
  readonly from: string;
  readonly to: Pick<Entry, 'path' | 'modifiedMs'>;
}

/** The names that a file has left behind it and that nothing has now. Where a lower number is older, numbers only rise. */
function holesBehind(
  { born, from, to }: Move,
  shown: Iterable<Pick<Entry, 'path' | 'modifiedMs'>>,
  isThere: (path: string) => boolean,
): string[] {
  const [former, number] = [numberInChain(from, born), numberInChain(to.path, born)];
  if (former === null || number === null || number - former < 2) return [];
  for (const { path, modifiedMs } of shown) {
    const lower = numberInChain(path, born) ?? 0;
    if (lower > 0 && lower < number && modifiedMs < to.modifiedMs - COARSE_TICK_MS) return [];
  }
  const missing: string[] = [];
  for (let one = 1; one < number - former; one++) {
    const path = placeInChain(to.path, born, one);
    if (!isThere(path) && !isThere(`${path}.gz`)) missing.push(path);
  }
  return missing;
}

/**
 * Find what is missing in chains of rotated files.
 *
 * @param plan - what a look found: files that were moved along their chains are among the heirs.
 * @param beside - what was listed beside them; null: nothing.
 */
export function holesOf({ found, verdicts, fresh }: Plan, beside: Neighbours | null): Hole[] {
  if (beside === null) return [];
  const known = [...verdicts.values(), ...found.heirs].map(({ entry }) => entry);
  const shown = [...fresh.values(), ...known, ...beside.entries];
  return found.heirs.flatMap(({ file, entry }) => {
    const names = new Set(beside.namesBeside(entry.path));
    const move = { born: birthPath(file), from: file.path, to: entry };
    const missing = names.size === 0 ? [] : holesBehind(move, shown, (path) => names.has(path));
    return missing.length === 0 ? [] : [{ file, missing }];
  });
}

/**
 * Find the newest file into which what was rotated away of a log was compressed.
 *
 * @param born - the log.
 * @param beside - what was listed beside it; null: nothing.
 * @returns its path; empty: there is none.
 */
export function newestPacked(born: string, beside: Neighbours | null): string {
  const packed = (beside?.namesBeside(born) ?? []).flatMap((path) => {
    const plain = withoutPacking(path);
    return plain !== null && (plain === born || isRotated(plain, born)) ? [{ path, plain }] : [];
  });
  return packed.sort((a, b) => compareRotated(a.plain, b.plain)).at(-1)?.path ?? '';
}
