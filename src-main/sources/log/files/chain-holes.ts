// What a chain of rotated files shows. Each rotation moves every file of a log up by one number, so one that moved up by three has
// two others behind it: where one of these is missing, its lines are missing, too. And no file moved up less than one above it:
// a file of which nothing was read is known by its number alone, which is given again, and so may seem to.
import type { Entry } from './folder-scan.ts';
import type { Found, Neighbours, Packed } from './heirs.ts';
import { compareRotated, isRotated, logsOf, numberInChain, placeInChain } from './rotated-names.ts';
import { birthPath, type WatchedFile } from './watched-file.ts';

/** Modification times may be whole seconds, and even ones, milliseconds. */
const COARSE_TICK_MS = 2000;

/** A file that was moved along a chain, and the names behind it that are missing, the lowest first. */
export interface Hole {
  readonly file: WatchedFile;
  readonly missing: readonly string[];
}

/** What a look found. */
interface Placed {
  readonly found: Found;
  readonly verdicts: ReadonlyMap<WatchedFile, { readonly entry: Entry }>;
  readonly fresh: ReadonlyMap<string, Entry>;
}

/** A file that is not where it was. */
export interface Shift {
  readonly from: string;
  /** It stands here, or may. */
  isAt(entry: Entry): boolean;
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
export function holesOf({ found, verdicts, fresh }: Placed, beside: Neighbours | null): Hole[] {
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

/** Files that are not where they were, by the logs of whose chains they may have been, each with its number there. */
export type ShiftsByLog = ReadonlyMap<string, readonly { readonly number: number; readonly shift: Shift }[]>;

/** Put files that are not where they were into the chains in which they may have been. */
export function byChain(shifts: Iterable<Shift>): ShiftsByLog {
  const places = [...shifts].flatMap((shift) =>
    logsOf(shift.from).map((log) => ({ log, number: numberInChain(shift.from, log) ?? 0, shift })),
  );
  return Map.groupBy(places, ({ log }) => log);
}

/**
 * True where a chain shows that a file is not what stands at a place, however it looks: one that stood above it is not at the
 * place as far above this one, and another one is, no newer. Where a number in between is missing, a rotation is under way.
 *
 * @param from - the path that the file had; what stands there now is asked about as well.
 * @param entry - what stands at the place.
 * @param shifts - the files that are not where they were.
 * @param shown - what is there, by path.
 */
export function isRefuted(
  from: string,
  entry: Entry,
  shifts: ShiftsByLog,
  shown: Pick<ReadonlyMap<string, Entry>, 'get'>,
): boolean {
  return logsOf(from).some((log) => {
    const moved = shifts.get(log) ?? [];
    if (moved.length === 0) return false;
    const [number, place] = [numberInChain(from, log), numberInChain(entry.path, log)];
    // A log that is copied and then cut stays where it is.
    if (number === null || place === null || place === 0 || place < number) return false;
    return moved.some(({ number: above, shift }) => {
      if (above <= number) return false;
      const at = (step: number) => shown.get(placeInChain(entry.path, log, place + step));
      const last = at(above - number);
      const isOther = last !== undefined && !shift.isAt(last) && last.modifiedMs <= entry.modifiedMs;
      // A chain may have hundreds of files: each place between is asked for only where it decides.
      return isOther && Array.from({ length: above - number - 1 }, (_, step) => at(step + 1)).every(Boolean);
    });
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
  const isOfLog = ({ plain }: Packed) => plain === born || isRotated(plain, born);
  const packed = (beside?.packedBeside(born) ?? []).filter(isOfLog);
  return packed.sort((a, b) => compareRotated(a.plain, b.plain)).at(-1)?.path ?? '';
}
