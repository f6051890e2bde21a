// Channel names over many files. Files that follow one another (a new one each day, rotated copies, numbered runs)
// continue the same channels; files that stand side by side are different things even when their headers say the same,
// and must not be mixed. Which is which is read from the path: dates, times, run counters and rotation suffixes are
// taken out, what is left is the file's family. The first family to use a name keeps it; a second one gets its file's
// name with it. What was given is committed, so a restart changes no name.
// Invariant: a channel belongs to one family and column, and is 1 to 255 characters long. Bound: one entry a family and
// column.
import { CHANNEL_NAME_MAX } from '../../../model/channel.ts';
import { fitName } from './column-names.ts';

const DATED = [
  /(?<!\d)(?:19|20)\d\d[-_. ]?\d\d[-_. ]?\d\d(?:[-_ T.]{0,3}\d\d[-_.:h]?\d\d(?:[-_.:m]?\d\d)?)?(?!\d)/g,
  /(?<!\d)\d\d[-_.]\d\d[-_.](?:19|20)?\d\d(?!\d)/g,
  /(?<!\d)\d{6,}(?!\d)/g,
  /(?<!\d)\d\d[-.:]\d\d[-.:]\d\d(?!\d)/g,
  // A run counter. Shorter numbers, and such as TT-4101 or Cell2, name a thing and stay.
  /[_ ]\d{3,}(?=\.[^./]*$|$)/g,
];

/** What programs and people add to the name of a copy or a rotated file. */
const COPIED = [
  /\.gz$/i,
  / ?\(\d+\)(?=\.[^./]*$|$)/,
  /\.\d{1,3}$/,
  /(?:\.(?:bak|old|orig|backup)|~)$/i,
  /(?<=^|\/)(?:copy|kopie|backup) (?:of|von) /i,
  /[-_ ]+(?:copy|kopie|backup)(?=\.[^./]*$|$)/i,
];

/** Families worked out lately: each block of a file asks for its family once a column. */
const families = new Map<string, string>();
const FAMILIES_KEPT = 10_000;

/** The path without what changes from one file to the next of the same kind. */
export function familyOf(path: string): string {
  const known = families.get(path);
  if (known !== undefined) return known;
  if (families.size >= FAMILIES_KEPT) families.clear();
  const family = findFamily(path);
  families.set(path, family);
  return family;
}

function findFamily(path: string): string {
  let family = path;
  for (const pattern of COPIED) family = family.replace(pattern, '');
  for (const pattern of DATED) family = family.replace(pattern, '#');
  return family.replace(/[-_. ]*#[-_. #]*/g, '#');
}

/** The file's name without folder and extension. */
export function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}

export interface NamedFile {
  readonly path: string;
  /** Names within the file of the columns that can carry points, in column order. */
  readonly columns: readonly string[];
}

/** Stands before the family of a run in what is stored of it; no path begins so. */
const RUN_MARK = '\0run:';

/** Names given so far, by family and column. */
export class ChannelNames {
  /** Channel by `family\ncolumn`; and by `RUN_MARK` with a family the one that it continues. */
  readonly #given: Map<string, string>;
  readonly #taken: Set<string>;
  /** A family continues another one since names were last given. */
  #hasNewRun = false;
  /** Folders in which a file of one channel is called like its header. */
  readonly #tidyFolders = new Set<string>();

  constructor(stored: string | undefined) {
    this.#given = new Map(stored === undefined ? [] : (JSON.parse(stored) as [string, string][]));
    this.#taken = new Set([...this.#given].flatMap(([key, channel]) => (key.startsWith(RUN_MARK) ? [] : [channel])));
  }

  /** The family whose channels a file has: its own, or that of the runs which it continues. */
  rootOf(path: string): string {
    const family = familyOf(path);
    return this.#given.get(RUN_MARK + family) ?? family;
  }

  /** True when some of a file's columns were given channels. */
  isKnown(path: string, columns: readonly string[]): boolean {
    return (
      this.#given.has(RUN_MARK + familyOf(path)) || columns.some((column) => this.#given.has(this.#keyOf(path, column)))
    );
  }

  /** True when files of the same kind were given channels. */
  hasFamily(path: string): boolean {
    const root = `${this.rootOf(path)}\n`;
    return [...this.#given.keys()].some((key) => key.startsWith(root));
  }

  /** Let the files of a family continue the channels of another one. */
  continueAs(path: string, root: string): void {
    this.#given.set(RUN_MARK + familyOf(path), root);
    this.#hasNewRun = true;
  }

  /** True when the files of another family continue the channels of this one. */
  isContinued(root: string): boolean {
    return [...this.#given].some(([key, value]) => value === root && key.startsWith(RUN_MARK));
  }

  #keyOf(path: string, column: string): string {
    return `${this.rootOf(path)}\n${column}`;
  }

  /** What to commit. */
  get stored(): string {
    return JSON.stringify([...this.#given]);
  }

  /** True when the files of a folder are called like the channels they hold, one each. */
  isTidy(path: string): boolean {
    return this.#tidyFolders.has(folderOf(path));
  }

  /** The channel of a column of a file; the column's own name before it was given one. */
  channelOf(path: string, column: string): string {
    return this.#given.get(this.#keyOf(path, column)) ?? column;
  }

  /**
   * Give names to the columns of files that were opened together.
   *
   * @param files - the files. A file of one channel whose name and header differ, in a folder where others' agree, is taken to
   *   carry a wrong header and gets both.
   * @returns the names that had to be changed, as `file: channel`; empty when nothing new was given, which `isChanged` tells
   *   apart.
   */
  give(files: readonly NamedFile[]): { isChanged: boolean; qualified: string[] } {
    for (const { path, columns } of files) {
      if (columns.length === 1 && columns[0] === stemOf(path)) this.#tidyFolders.add(folderOf(path));
    }
    const wanting = new Map<string, Set<string>>();
    for (const { path, columns } of files) {
      for (const column of columns) {
        if (this.#given.has(this.#keyOf(path, column))) continue;
        const families = wanting.get(column) ?? new Set();
        wanting.set(column, families.add(this.rootOf(path)));
      }
    }
    const qualified: string[] = [];
    let isChanged = this.#hasNewRun;
    this.#hasNewRun = false;
    for (const { path, columns } of files) {
      for (const column of columns) {
        const key = this.#keyOf(path, column);
        if (this.#given.has(key)) continue;
        const isStranger = columns.length === 1 && this.#tidyFolders.has(folderOf(path)) && column !== stemOf(path);
        const isContested = (wanting.get(column)?.size ?? 0) > 1 && !(columns.length === 1 && column === stemOf(path));
        const isPlain = !isStranger && !isContested && !this.#taken.has(column);
        const channel = isPlain ? column : this.#qualify(path, column);
        if (!isPlain) qualified.push(`${path}: ${channel}`);
        this.#given.set(key, channel);
        this.#taken.add(channel);
        isChanged = true;
      }
    }
    return { isChanged, qualified };
  }

  #qualify(path: string, column: string): string {
    const place = kindOf(path);
    const name = place.slice(place.lastIndexOf('/') + 1).trim() || stemOf(path);
    const tries = [name, place, ...Array.from({ length: 1000 }, (_, n) => `${place} ${n + 2}`)];
    for (const one of tries) {
      const channel = fitName(`${column} (${one})`, CHANNEL_NAME_MAX);
      if (!this.#taken.has(channel)) return channel;
    }
    return fitName(`${column} (${path})`, CHANNEL_NAME_MAX);
  }
}

/** What the paths of files of one kind have in common, as a person would write it: no extension, dates or counters. */
function kindOf(path: string): string {
  return findFamily(folderOf(path) + stemOf(path))
    .replaceAll('#', ' ')
    .trim();
}

/** The folder of a path, with its last slash; empty at the top. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
