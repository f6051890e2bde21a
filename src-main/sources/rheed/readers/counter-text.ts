// Numbers out of a counter's text: a line of a log, what a counter file holds, what a port answers. Either fields of JSON,
// or plain text around {frame}, {lost} and {time}, found by searching for the text in front: no expression, no backtracking.
// Bounds: 65,536 characters; whole numbers that a double holds exactly, of 15 digits where they are text. What fits none of
// this is null, never a guess.
import { AgentError } from '../../../model/agent-error.ts';

/** Longer text is no counter, characters. */
export const TEXT_MAX = 65_536;

export interface CounterWords {
  readonly number: number;
  /** Frames that the counter says it lost; null when it does not say. */
  readonly lost: number | null;
  /** Unix milliseconds, where the text tells ISO 8601 with a zone or Unix seconds; null otherwise. */
  readonly ownMs: number | null;
}

export interface CounterText {
  /** Read a text; null when it holds no number in its place. */
  read(text: string): CounterWords | null;
}

export interface CounterTextOptions {
  /** Text around `{frame}`, for example `frames={frame} dropped={lost}`; null: the first whole number. */
  readonly pattern: string | null;
  /** JSON: field of the number, dotted (`camera.frame`); null: the text is no JSON. */
  readonly field: string | null;
  readonly lostField?: string | null;
  readonly timeField?: string | null;
}

/** Read a time that tells its zone, or Unix seconds. */
function readTime(value: unknown): number | null {
  if (typeof value === 'number') return value > 1e11 ? value : value > 1e8 ? value * 1000 : null;
  if (typeof value !== 'string') return null;
  if (/^\d{9,10}(\.\d+)?$/.test(value)) return Number(value) * 1000;
  if (!/(Z|[+-]\d\d:?\d\d)$/.test(value)) return null;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? null : ms;
}

function whole(value: unknown): number | null {
  const read = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof read === 'number' && Number.isSafeInteger(read) && read >= 0 ? read : null;
}

function readJson(text: string, { field, lostField, timeField }: CounterTextOptions): CounterWords | null {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    // A line that is no JSON is counted as not read by the caller.
    return null;
  }
  const at = (path: string | null | undefined): unknown =>
    path
      ?.split('.')
      .reduce<unknown>(
        (value, key) =>
          typeof value === 'object' && value !== null && Object.hasOwn(value, key)
            ? (value as Record<string, unknown>)[key]
            : undefined,
        data,
      );
  const number = whole(at(field));
  if (number === null) return null;
  return { number, lost: whole(at(lostField)), ownMs: readTime(at(timeField)) };
}

interface Piece {
  readonly before: string;
  readonly word: 'frame' | 'lost' | 'time';
  readonly after: string;
}

function cutPattern(pattern: string): Piece[] {
  const parts = pattern.split(/\{(frame|lost|time)\}/);
  const pieces: Piece[] = [];
  for (let at = 1; at < parts.length; at += 2) {
    const word = parts[at] as Piece['word'];
    pieces.push({ before: parts[at - 1] as string, word, after: parts[at + 1] as string });
  }
  const words = pieces.map(({ word }) => word);
  if (!words.includes('frame') || new Set(words).size < words.length) {
    throw new AgentError({
      code: 'rheed.pattern',
      message: `The pattern "${pattern}" must hold {frame} once, and {lost} and {time} at most once.`,
      hint: 'For example frames={frame} dropped={lost}.',
      retry: 'after-human',
    });
  }
  return pieces;
}

function readPlain(text: string, pieces: readonly Piece[]): CounterWords | null {
  let at = 0;
  const found: Partial<Record<Piece['word'], string>> = {};
  for (const { before, word, after } of pieces) {
    const start = text.indexOf(before, at);
    if (start < 0) return null;
    const from = start + before.length;
    let to = from;
    if (word === 'time') {
      to = after === '' ? text.length : text.indexOf(after, from);
      if (to < 0) return null;
    } else {
      while (to < text.length && to - from < 16 && text.charCodeAt(to) >= 48 && text.charCodeAt(to) <= 57) to += 1;
    }
    found[word] = text.slice(from, to).trim();
    at = to;
  }
  const number = whole(found.frame);
  if (number === null) return null;
  return { number, lost: whole(found.lost), ownMs: readTime(found.time) };
}

/**
 * Prepare the reading of a counter's text.
 *
 * @param options - where its numbers stand.
 * @returns a reader that never throws.
 * @throws `rheed.pattern` when the pattern cannot be used.
 */
export function readCounterText(options: CounterTextOptions): CounterText {
  const pieces = options.pattern === null ? null : cutPattern(options.pattern);
  return {
    read(text) {
      if (text.length > TEXT_MAX) return null;
      if (options.field !== null) return readJson(text, options);
      if (pieces) return readPlain(text, pieces);
      const number = whole(/\d{1,16}/.exec(text)?.[0]);
      return number === null ? null : { number, lost: null, ownMs: null };
    },
  };
}
