// What the name of a file says about a rotation: which log it may come from, and which of two files is older.
import { basename, dirname } from 'node:path';
import { isGzip, withoutGzip } from './packed.ts';
import { birthPath, type WatchedFile } from './watched-file.ts';

/** What a rotation adds to a name: a number or a date, a word, or one behind the other, as logrotate does where a name is taken. */
const ADDED = /^[-_. ]?(?:\d[-_.:T\d]*?(?:[-_. ]?(?:old|bak|backup))?|old|bak|backup)$/i;
/** Signs of which all that a rotation adds consists, at the end of a text. */
const ADDED_SIGNS = /[-_. :\dtoldbackup]*$/i;
/** What it adds where it counts. */
const COUNT = /^\D?(\d+)$/;
/** Rotated files have numbers up to this one; a higher number is a date, or counts the rotations. */
const NUMBER_MAX = 1000;

/** A rotated name in three parts: what was added to the name of the log, and what stands around it. */
interface RotatedName {
  readonly begin: string;
  readonly added: string;
  readonly end: string;
}

/** Take a rotated name apart; null: it is no rotated name of this log. */
function partsOf(path: string, former: string): RotatedName | null {
  if (dirname(path) !== dirname(former) || path === former) return null;
  const [name, formerName] = [withoutGzip(basename(path)), basename(former)];
  // Compressed where it stood.
  if (name === formerName) return { begin: name, added: '', end: '' };
  const dot = formerName.lastIndexOf('.');
  const [stem, extension] = dot > 0 ? [formerName.slice(0, dot), formerName.slice(dot)] : [formerName, ''];
  for (const [begin, end] of [
    [formerName, ''],
    [stem, extension],
  ] as const) {
    const added = name.slice(begin.length, name.length - end.length);
    const isAround = name.length > formerName.length && name.startsWith(begin) && name.endsWith(end);
    if (isAround && ADDED.test(added)) return { begin, added, end };
  }
  return null;
}

/** True for the name that a rotation gives to a file: with a number, a date or a word more than it had. */
export function isRotated(path: string, former: string): boolean {
  return partsOf(path, former) !== null;
}

/** The place of a file in the chain of a log: 0 for the log itself, then rising with each rotation; null: its name has none. */
export function numberInChain(path: string, log: string): number | null {
  if (path === log) return 0;
  const { begin = '', added = '' } = partsOf(path, log) ?? {};
  // One number: `a.log.12` is not the second file of a log called `a.log.1`.
  if (/\d$/.test(begin) && /^\d/.test(added)) return null;
  const digits = COUNT.exec(added)?.[1];
  return digits === undefined || Number(digits) > NUMBER_MAX ? null : Number(digits);
}

/** The path of another place in the chain of a log, written as the path of this one is. */
export function placeInChain(path: string, log: string, number: number): string {
  const { begin, added, end } = partsOf(path, log) ?? { begin: basename(path), added: '', end: '' };
  const padded = (digits: string) => String(number).padStart(digits.startsWith('0') ? digits.length : 1, '0');
  const name = begin + added.replace(/\d+/, padded) + end;
  return pathIn(dirname(path), name);
}

/** The paths of files that are there or were until now: in the middle of a rotation a log is not at its path. */
export type KnownPaths = Pick<ReadonlySet<string>, 'has'>;

/** True for a file that a rotation moved away: from where it began, or it was found so, beside the log that it was. */
export function isAway({ key, path }: Pick<WatchedFile, 'key' | 'path'>, paths: KnownPaths): boolean {
  return path !== birthPath({ key }) || formerPaths(path).some((former) => paths.has(former));
}

/** Every path of which a rotation may have made this one. */
export function formerPaths(path: string): string[] {
  const [folder, name] = [dirname(path), withoutGzip(basename(path))];
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 ? name.slice(dot) : '';
  const stem = dot > 0 ? name.slice(0, dot) : '';
  const found = [
    ...(isGzip(path) && name !== '' ? [name] : []),
    ...withoutAdded(name),
    ...withoutAdded(stem).map((begin) => begin + extension),
  ];
  // `log.1.1` may come from `log.1` in two ways.
  return [...new Set(found)].map((one) => pathIn(folder, one));
}

/** Put what has a path under every path of which a rotation may have made it. */
export function byFormer<T>(all: Iterable<T>, pathOf: (one: T) => string): ReadonlyMap<string, readonly T[]> {
  const found = new Map<string, T[]>();
  for (const one of all) {
    for (const former of formerPaths(pathOf(one))) {
      const rotated = found.get(former) ?? [];
      found.set(former, rotated);
      rotated.push(one);
    }
  }
  return found;
}

/** The logs to whose chain a path may belong, it itself among them. */
export function logsOf(path: string): string[] {
  return [path, ...formerPaths(path)];
}

/** Of these such at which a file was ever found (`isLog`): `ch1.csv` is no rotation of a `ch.csv` that never was. */
export function knownLogsOf(path: string, isLog: (path: string) => boolean): string[] {
  return logsOf(path).filter((one) => one === path || isLog(one));
}

/** A text without each of its ends that a rotation may have added, the shortest first. */
function withoutAdded(text: string): string[] {
  const found: string[] = [];
  for (let at = Math.max(1, text.search(ADDED_SIGNS)); at < text.length; at++) {
    if (ADDED.test(text.slice(at))) found.push(text.slice(0, at));
  }
  return found;
}

/** With what every name begins that a rotation gives to any of these logs. */
export function sharedStem(logs: readonly string[]): string {
  const [first = '', ...others] = logs.map((log) => basename(log).replace(/(?<=.)\.[^.]*$/s, ''));
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}

/** The path of a name in a folder, as paths are written here: with `/`, and without the folder that is watched. */
export function pathIn(folder: string, name: string): string {
  return folder === '.' ? name : `${folder}/${name}`;
}

/** Which of two rotated files of one log comes first by their names: the earlier date, the higher number in a chain. */
export function compareRotated(one: string, other: string): number {
  const [a, b] = [one, other].map((path) => /\d[-_.:T\d]*(?=\D*$)/.exec(basename(path))?.[0].replace(/\D/g, '') ?? '');
  const isDated = Number(a) > NUMBER_MAX;
  return isDated || a === b ? (one < other ? -1 : 1) : Number(b) - Number(a);
}
