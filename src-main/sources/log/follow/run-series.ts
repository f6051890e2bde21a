// Files that a tool names by run or sample: A1417_GaN.csv, then A1418_InN.csv. They are one log that goes on, so they continue
// the same channels; files that are written side by side, or by different things, never do.
//
// What makes a file the next run of others, all of it at once: the same columns with the same units; names that differ in the
// number behind a beginning that is the same, and are no tags of things (TT-4101); and time: it lies wholly behind or before
// each of them. A file that has hardly begun while the one before may still be written says nothing yet: it waits, a minute at
// most, or until another one follows it. Where one run has followed another before, the next one does not wait.

/** A file as far as its place among runs goes. */
export interface RunFile {
  readonly family: string;
  /** Names and units of what it streams, in their order. */
  readonly columns: string;
  /** First and last stamp, Unix ms; NaN: not known. */
  readonly firstMs: number;
  readonly lastMs: number;
  /** It changed so lately that it may go on. */
  readonly isFresh: boolean;
}

/** What a file does: `continues` the family of others, `waits` to be told that it does, or stands `apart`. */
export type RunPlace = { readonly kind: 'continues' | 'waits'; readonly family: string } | { readonly kind: 'apart' };

/** A run has ended when the next one has gone on for so long without it, milliseconds. */
const ENDED_MS = 10_000;
/** Letters and a number, as plants mark their instruments. */
const TAG = /^[A-Z]{2,4}[-_ ]?\d{2,5}[A-Z]?$/;
/** A number that counts runs by itself. A shorter one is that of a thing: Cell9, Cell10. */
const COUNTED = /^(?:\d{3,}|0\d+)$/;
/** Words that say that what follows counts runs, whatever number. */
const RUN = /(?:run|growth|sample|wafer|probe|lauf|versuch|dep|deposition|test|exp|experiment|process|recipe)[-_ ]?$/i;

/**
 * Tell whether a file is a run of a series.
 *
 * @param series - the other files of its folder, by the family whose channels they have.
 * @param waiting - the files of its folder that have no channels yet; it may be among them.
 * @returns its place.
 */
export function placeRun(
  file: RunFile,
  series: ReadonlyMap<string, readonly RunFile[]>,
  waiting: Iterable<RunFile>,
): RunPlace {
  const apart: RunPlace = { kind: 'apart' };
  if (!(file.firstMs <= file.lastMs) || file.columns === '') return apart;
  const isOther = ({ family }: RunFile) => family !== file.family;
  const isOfSeries = (one: RunFile) => !isOther(one) || (one.columns === file.columns && !overlap(one, file));
  const fitting = [...series].filter(
    ([, members]) =>
      members.every(isOfSeries) && members.some((one) => isOther(one) && isNextName(one.family, file.family)),
  );
  const [only] = fitting;
  if (only === undefined || fitting.length > 1) return apart;
  const [family, members] = only;
  const isOpen = ({ isFresh, lastMs }: RunFile) =>
    isFresh && lastMs <= file.firstMs && file.isFresh && file.lastMs - lastMs < ENDED_MS;
  const isNext = (one: RunFile) =>
    one.columns === file.columns && one.firstMs >= file.lastMs && isNextName(one.family, file.family);
  const mayGoOn = members.some((one) => isOther(one) && isOpen(one)) && ![...waiting].some(isNext);
  return { kind: mayGoOn ? 'waits' : 'continues', family };
}

/** True when two files hold times of the same span, or that is not known. */
export function overlap(one: Pick<RunFile, 'firstMs' | 'lastMs'>, other: Pick<RunFile, 'firstMs' | 'lastMs'>): boolean {
  return !(one.lastMs <= other.firstMs || other.lastMs <= one.firstMs);
}

/** True for paths of the same depth and kind, of which each part that differs does so as the names of runs do. */
function isNextName(one: string, other: string): boolean {
  const [a, b] = [partsOf(one), partsOf(other)];
  if (a.length !== b.length || a.at(-1) !== b.at(-1)) return false;
  const differing = a.flatMap((part, index) => (part === b[index] ? [] : [[part, b[index] as string] as const]));
  return differing.length > 0 && differing.every(([part, next]) => isNextPart(part, next));
}

/** Folders, the name without its extension, the extension. */
function partsOf(path: string): string[] {
  const [, stem = path, extension = ''] = /^(.*?)(\.[^./]*)?$/.exec(path) ?? [];
  return [...stem.split('/'), extension];
}

function isNextPart(one: string, other: string): boolean {
  if (TAG.test(one) || TAG.test(other)) return false;
  const [a, b] = [one, other].map((part) => /^(\D*)(\d+)/.exec(part));
  if (!a || !b || a[1] !== b[1] || a[2] === b[2]) return false;
  const isCounted = RUN.test(a[1] as string);
  return isCounted || [a, b].every((match) => COUNTED.test(match[2] as string));
}
