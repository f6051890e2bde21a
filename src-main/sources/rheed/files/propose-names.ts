// Which pattern fits the names that a camera has written, so that nobody has to write one: the files that are most alike
// decide, and in their names the number that changes most often counts.
//
// Bounds: 20,000 names are looked at, which say as much as a million; a walk that takes longer than its signal allows ends
// with what it has seen.
import { AgentError } from '../../../model/agent-error.ts';
import { compileNames } from './name-pattern.ts';
import { walkFolder } from './walk.ts';

const NAMES_MAX = 20_000;
const PICTURE = /\.(bmp|png|jpe?g|tiff?|pgm|ppm|raw|img|dcm)$/i;
/** A date and a time of day with the characters between their parts: 2026-11-23___03-12-13.123, 20261123_031213. */
const TIME =
  /(?<!\d)((?:19|20)\d\d)([-_.]?)(\d\d)\2(\d\d)(\D{1,4}|)(\d\d)([-_.;]?)(\d\d)\7(\d\d)(?:([.,_-])(\d{3}))?(?!\d)/;

/** A pattern as the settings take it. */
export interface ProposedNames {
  readonly match: string;
  /** How `{time}` is written; null: the pattern has none. */
  readonly timeFormat: string | null;
  /** Files that fit, of those that were looked at. */
  readonly files: number;
  readonly example: string;
}

interface Shape {
  /** Texts and numbers of a name in turns, a text first; the time stands as `{time}` in a text. */
  readonly parts: readonly string[];
  readonly timeFormat: string | null;
}

function shapeOf(name: string): Shape {
  const time = TIME.exec(name);
  const [all, , day = '', , , gap = '', , minute = '', , , point, digits] = time ?? [];
  const timeFormat =
    all === undefined
      ? null
      : `yyyy${day}MM${day}dd${gap}HH${minute}mm${minute}ss${digits === undefined ? '' : `${point}SSS`}`;
  const text = all === undefined ? name : name.replace(all, '{time}');
  return { parts: text.split(/(\d+)/), timeFormat };
}

/** Two names are alike when only their numbers differ. */
const likenessOf = ({ parts, timeFormat }: Shape) =>
  JSON.stringify([parts.filter((_, at) => at % 2 === 0), timeFormat]);

/**
 * Propose a pattern for names of files.
 *
 * @param paths - below the folder, with `/`.
 * @returns null when no name holds a number or a time.
 */
export function proposeNames(paths: readonly string[]): ProposedNames | null {
  const pictures = paths.filter((path) => PICTURE.test(path));
  const named = (pictures.length > 0 ? pictures : paths).map((path) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return { path, shape: shapeOf(name), isBelow: name !== path };
  });
  const groups = [...Map.groupBy(named, ({ shape }) => likenessOf(shape)).values()];
  const alike = groups
    .filter(([first]) => first && (first.shape.parts.length > 1 || first.shape.timeFormat !== null))
    .sort((one, other) => other.length - one.length)[0];
  const [first] = alike ?? [];
  if (!alike || !first) return null;
  const { parts, timeFormat } = first.shape;
  const variety = parts.map((_, at) => (at % 2 === 0 ? 0 : new Set(alike.map(({ shape }) => shape.parts[at])).size));
  const most = Math.max(...variety);
  // A number that never changes beside a time is part of the name; without a time the last number counts.
  const counts = timeFormat !== null && most <= 1 ? -1 : variety.lastIndexOf(most);
  const written = parts.map((part, at) => {
    if (at % 2 === 0) return part;
    if (at === counts) return '{frame}';
    return (variety[at] as number) > 1 ? '*' : part;
  });
  const match = `${alike.some(({ isBelow }) => isBelow) ? '**/' : ''}${written.join('')}`;
  const pattern = compileNames(match, timeFormat);
  const files = alike.filter(({ path }) => pattern.read(path) !== null).length;
  return files === 0 ? null : { match, timeFormat, files, example: first.path };
}

/**
 * Look at the names in a folder and propose a pattern.
 *
 * @param folder - an absolute path.
 * @param glob - which names count: `*.bmp`; empty: all pictures, or all files where there are none.
 * @param signal - ends the walk.
 * @throws `rheed.folder-missing`; `rheed.no-names` when no file is there, or none says a number or a time.
 */
export async function proposeFor(folder: string, glob: string, signal: AbortSignal): Promise<ProposedNames> {
  const wanted = glob === '' ? null : compileNames(glob.includes('/') ? glob : `**/${glob}`, null);
  const paths: string[] = [];
  const enough = new AbortController();
  const ends = AbortSignal.any([signal, enough.signal]);
  const take = (path: string) => {
    if (wanted === null || wanted.read(path) !== null) paths.push(path);
    if (paths.length >= NAMES_MAX) enough.abort();
  };
  await walkFolder(folder, take, () => {}, '', ends).catch((thrown: unknown) => {
    if (!ends.aborted) throw thrown;
  });
  const proposed = proposeNames(paths);
  if (proposed) return proposed;
  throw new AgentError({
    code: 'rheed.no-names',
    message:
      paths.length === 0
        ? `There are no ${glob === '' ? 'files' : `files ${glob}`} in ${folder} yet.`
        : `No name in ${folder} holds a number or a time, for example ${paths[0]}.`,
    hint:
      paths.length === 0
        ? 'Let the camera write some images, then test again; or write the pattern yourself, for example rheed_{frame}.bmp.'
        : 'Let the camera number its images, or choose another frame source.',
    retry: 'after-human',
  });
}
