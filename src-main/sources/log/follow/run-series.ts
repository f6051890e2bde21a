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
  if (partsOf(file).every(({ count }) => count === null)) return apart;
  const isOther = ({ family }: RunFile) => family !== file.family;
  const isOfSeries = (one: RunFile) => !isOther(one) || (one.columns === file.columns && !overlap(one, file));
  const fitting = [...series].filter(
    ([, members]) => members.every(isOfSeries) && members.some((one) => isOther(one) && isNextName(one, file)),
  );
  const [only] = fitting;
  if (only === undefined || fitting.length > 1) return apart;
  const [family, members] = only;
  const isOpen = ({ isFresh, lastMs }: RunFile) =>
    isFresh && lastMs <= file.firstMs && file.isFresh && file.lastMs - lastMs < ENDED_MS;
  const isNext = (one: RunFile) => one.columns === file.columns && one.firstMs >= file.lastMs && isNextName(one, file);
  const mayGoOn = members.some((one) => isOther(one) && isOpen(one)) && ![...waiting].some(isNext);
  return { kind: mayGoOn ? 'waits' : 'continues', family };
}

/** True when two files hold times of the same span, or that is not known. */
export function overlap(one: Pick<RunFile, 'firstMs' | 'lastMs'>, other: Pick<RunFile, 'firstMs' | 'lastMs'>): boolean {
  return !(one.lastMs <= other.firstMs || other.lastMs <= one.firstMs);
}

/** A part of a path: what stands before its first number, and that number where it is one that may count runs. */
interface Part {
  readonly text: string;
  readonly begin: string;
  readonly count: string | null;
}

/** The parts of a file's path. Each file of a folder is compared with all others, and is taken apart once. */
const PARTS = new WeakMap<RunFile, readonly Part[]>();

/** True for paths of the same depth and kind, of which each part that differs does so as the names of runs do. */
function isNextName(one: RunFile, other: RunFile): boolean {
  const [a, b] = [partsOf(one), partsOf(other)];
  if (a.length !== b.length || a.at(-1)?.text !== b.at(-1)?.text) return false;
  const isSame = (part: Part, index: number) => part.text === b[index]?.text;
  return !a.every(isSame) && a.every((part, index) => isSame(part, index) || isNextPart(part, b[index] as Part));
}

/** Folders, the name without its extension, the extension. */
function partsOf(file: RunFile): readonly Part[] {
  const known = PARTS.get(file);
  if (known !== undefined) return known;
  const [, stem = file.family, extension = ''] = /^(.*?)(\.[^./]*)?$/.exec(file.family) ?? [];
  const parts = [...stem.split('/'), extension].map(partOf);
  PARTS.set(file, parts);
  return parts;
}

function partOf(text: string): Part {
  const [, begin = '', digits = ''] = /^(\D*)(\d+)/.exec(text) ?? [];
  const isCount = digits !== '' && !TAG.test(text) && (RUN.test(begin) || COUNTED.test(digits));
  return { text, begin, count: isCount ? digits : null };
}

function isNextPart(one: Part, other: Part): boolean {
  return one.count !== null && other.count !== null && one.begin === other.begin && one.count !== other.count;
}
