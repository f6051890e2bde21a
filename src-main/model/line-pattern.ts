// A pattern that a person writes for the lines of a log: `(?P<time>\S+) T=(?P<temperature>\S+)`. Its named groups are the
// columns. It runs on RE2, whose time grows with the length of pattern times line and never faster, whatever both are;
// that is why it knows neither look-around nor back-references.
//
// Bounds: PATTERN_LENGTH_MAX characters, PROGRAM_MAX steps once compiled, lines of PATTERN_LINE_MAX characters. What is
// within them and slow all the same is stopped by its matcher (sources/log/cells/pattern-split.ts).
import { RE2JS } from 're2js';

const PATTERN_LENGTH_MAX = 1000;
/** Steps of the compiled pattern: `(a{100}){10}` is short and has a thousand of them. */
const PROGRAM_MAX = 2000;
/** Longest line that is matched; a longer one does not fit. */
export const PATTERN_LINE_MAX = 8192;
/** Names of groups that give the time of a line. */
export const TIME_GROUPS: readonly string[] = ['date', 'time', 'stamp'];

/** Why a pattern cannot be used, and what to write instead. */
export interface PatternFault {
  readonly isValid: false;
  readonly message: string;
  readonly hint: string;
}

/** A pattern that can be used. */
export interface LinePattern {
  readonly isValid: true;
  /** Names of its groups, in the order in which they stand. */
  readonly groups: readonly string[];
  /** The text of each group, blanks trimmed, empty where it took no part; null when the line does not fit as a whole. */
  match(line: string): string[] | null;
}

/** What other engines have and this one does not: how it is written, and what it is called. */
const MISSING: readonly (readonly [RegExp, string, string])[] = [
  [
    /\(\?<[=!]/,
    'lookbehind',
    'Match the text before with the pattern itself: only what stands in a named group is taken.',
  ],
  [
    /\(\?[=!]/,
    'lookahead',
    'Match the text behind with the pattern itself: only what stands in a named group is taken.',
  ],
  [
    /\\[1-9]|\\k[<{']|\(\?P=/,
    'a back-reference',
    'Write the text a second time, or take both into groups of their own.',
  ],
  [/\(\?>/, 'an atomic group', 'Use (?:...): nothing is tried twice here in any case.'],
  [/[*+?}]\+/, 'a possessive quantifier', 'Leave out the second +: nothing is tried twice here in any case.'],
  [/\(\?[R0-9&(]/, 'recursion or a condition', 'Write the alternatives out with |.'],
  [/\(\?#/, 'a comment', 'Put it into a comment of the settings file, behind #.'],
];

const ENGINE = 'Patterns run on RE2, which ends in a time that is known beforehand.';

function fault(message: string, hint: string): PatternFault {
  return { isValid: false, message, hint };
}

/** Place of what is at fault, for people: `character 7`. */
function placeOf(pattern: string, part: string): string {
  const at = part === '' || part === pattern ? -1 : pattern.indexOf(part);
  return at === -1 ? '' : ` at character ${at + 1}`;
}

/** The pattern without what is escaped or stands in a class, at the same length: there nothing has a meaning. */
function withoutLiterals(pattern: string): string {
  const blank = (text: string) => '_'.repeat(text.length);
  return pattern.replace(/\\[^1-9k]/g, blank).replace(/\[\^?\]?[^\]]*\]/g, blank);
}

function explain(pattern: string, thrown: unknown): PatternFault {
  const bare = withoutLiterals(pattern);
  for (const [sign, name, hint] of MISSING) {
    const found = sign.exec(bare);
    if (found) return fault(`the pattern uses ${name} at character ${found.index + 1}`, `${hint} ${ENGINE}`);
  }
  const error = thrown as { getDescription?: () => string; getPattern?: () => string; message?: string };
  const part = error.getPattern?.() ?? '';
  const words = error.getDescription?.() ?? String(error.message);
  const shown = part === '' || part === pattern ? '' : ` (${part})`;
  return fault(`the pattern cannot be read${placeOf(pattern, part)}: ${words}${shown}`, ENGINE);
}

/**
 * Check a pattern for lines and make it ready.
 *
 * @param pattern - the pattern as written.
 * @returns the pattern, or what is wrong with it and where.
 */
export function compileLinePattern(pattern: string): LinePattern | PatternFault {
  if (pattern.length > PATTERN_LENGTH_MAX) {
    return fault(`the pattern has ${pattern.length} characters, more than ${PATTERN_LENGTH_MAX}`, 'Make it shorter.');
  }
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern);
  } catch (thrown) {
    return explain(pattern, thrown);
  }
  if (compiled.programSize() > PROGRAM_MAX) {
    return fault(
      `the pattern has ${compiled.programSize()} steps once its repetitions are written out, more than ${PROGRAM_MAX}`,
      'Use * or + where {n} counts many.',
    );
  }
  const named = Object.entries(compiled.namedGroups() as Record<string, number>).sort(([, a], [, b]) => a - b);
  const groups = named.map(([name]) => name);
  const hint =
    'For example (?P<time>\\S+ \\S+) T=(?P<temperature>\\S+): date, time and stamp give the time, the others are channels.';
  if (!groups.some((name) => TIME_GROUPS.includes(name))) {
    return fault('the pattern has no group named time, date or stamp', hint);
  }
  if (groups.every((name) => TIME_GROUPS.includes(name))) return fault('the pattern has no group for a channel', hint);
  const places = named.map(([, place]) => place);
  const match = (line: string): string[] | null => {
    if (line.length > PATTERN_LINE_MAX) return null;
    const matcher = compiled.matcher(line);
    return matcher.matches() ? places.map((place) => (matcher.group(place) ?? '').trim()) : null;
  };
  return { isValid: true, groups, match };
}
