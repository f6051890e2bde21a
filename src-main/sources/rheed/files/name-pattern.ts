// Which files are frames, and what their names say: a glob in which {frame} stands for the number and {time} for the time.
// A person writes it, so it runs on RE2, whose time grows with the length of a name and with nothing else. Bounds: 6 stars,
// 15 digits of a number, which a double holds exactly.
import { RE2JS } from 're2js';
import { AgentError } from '../../../model/agent-error.ts';

const STARS_MAX = 6;
/** Digits of a number that is exact as a double. */
const DIGITS = '\\d{1,15}';
const PART_NAMES = ['year', 'month', 'day', 'hour', 'minute', 'second', 'fraction'];
const TIME_PARTS: Readonly<Record<string, string>> = {
  yyyy: '(?<year>\\d{4})',
  MM: '(?<month>\\d\\d)',
  dd: '(?<day>\\d\\d)',
  HH: '(?<hour>\\d\\d)',
  mm: '(?<minute>\\d\\d)',
  ss: '(?<second>\\d\\d)',
  SSS: '(?<fraction>\\d{1,9})',
};

/** What a name says. */
export interface NamedFrame {
  /** The name with its number and time taken out: the frames of one sequence share it. */
  readonly sequence: string;
  readonly number: number | null;
  /** Digits of the number as written; 0 without one. */
  readonly width: number;
  /** The time as written; null without one. */
  readonly time: string | null;
  /** Time as it stands there, in the zone of the settings, Unix milliseconds as if it were UTC; null without one. */
  readonly localMs: number | null;
}

export interface NamePattern {
  readonly hasNumber: boolean;
  readonly hasTime: boolean;
  /** Read a path below the folder, with `/`; null when it is no frame. */
  read(path: string): NamedFrame | null;
}

function refuse(match: string, why: string, hint: string): AgentError {
  return new AgentError({
    code: 'rheed.pattern',
    message: `The pattern "${match}" cannot be used: ${why}.`,
    hint,
    retry: 'after-human',
  });
}

const quoted = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

function timeExpression(format: string, match: string): string {
  let expression = '';
  const seen = new Set<string>();
  for (let at = 0; at < format.length; ) {
    const part = Object.keys(TIME_PARTS).find((one) => format.startsWith(one, at));
    if (part === undefined) {
      expression += quoted(format.charAt(at));
      at += 1;
      continue;
    }
    if (seen.has(part)) throw refuse(match, `time_format has ${part} twice`, 'For example yyyy-MM-dd___HH-mm-ss.SSS.');
    seen.add(part);
    expression += TIME_PARTS[part];
    at += part.length;
  }
  const missing = ['yyyy', 'MM', 'dd', 'HH', 'mm', 'ss'].filter((part) => !seen.has(part));
  if (missing.length > 0) {
    throw refuse(match, `time_format lacks ${missing.join(', ')}`, 'For example yyyy-MM-dd___HH-mm-ss.SSS.');
  }
  return expression;
}

/**
 * Compile a pattern.
 *
 * @param match - a glob with `/` (`*`, `?`, `**` for any depth) that may hold `{frame}` and `{time}` once each.
 * @param timeFormat - how the time is written (yyyy MM dd HH mm ss SSS and any other characters between them).
 * @throws `rheed.pattern`, which waits for a person.
 */
export function compileNames(match: string, timeFormat: string | null): NamePattern {
  const hint = "For example '*_{frame}.bmp', '**/*_{frame}.tiff' or 'image_{time}.pgm'.";
  if ((match.match(/\*\*?/g) ?? []).length > STARS_MAX)
    throw refuse(match, `it has more than ${STARS_MAX} stars`, hint);
  for (const word of ['{frame}', '{time}']) {
    if (match.split(word).length > 2) throw refuse(match, `${word} stands there twice`, hint);
  }
  const hasTime = match.includes('{time}');
  if (hasTime && timeFormat === null) throw refuse(match, 'it has {time} and there is no time_format', hint);
  const pieces = match.split(/(\*\*\/|\*\*|\*|\?|\{frame\}|\{time\})/).filter((piece) => piece !== '');
  const words: Readonly<Record<string, () => string>> = {
    '**/': () => '(?:.*/)?',
    '**': () => '.*',
    '*': () => '[^/]*',
    '?': () => '[^/]',
    '{frame}': () => `(?<frame>${DIGITS})`,
    '{time}': () => `(?<time>${timeExpression(timeFormat ?? '', match)})`,
  };
  const expressionOf = (piece: string, at: number) => {
    const star = piece === '*' ? '[^/]' : piece === '**' ? '.' : null;
    // A star beside a number takes none of its digits: *{frame}.bmp is the whole number of img0012.bmp.
    const edge = piece === '**' ? '[^0-9]' : '[^/0-9]';
    if (star && pieces[at + 1] === '{frame}') return `(?:${star}*${edge})?`;
    if (star && pieces[at - 1] === '{frame}') return `(?:${edge}${star}*)?`;
    return (words[piece] ?? (() => quoted(piece)))();
  };
  const expression = pieces.map(expressionOf).join('');
  const regex = RE2JS.compile(expression, process.platform === 'win32' ? RE2JS.CASE_INSENSITIVE : 0);
  const names = ['frame', 'time', ...PART_NAMES].filter((name) => expression.includes(`?<${name}>`));
  return {
    hasNumber: match.includes('{frame}'),
    hasTime,
    read(path) {
      const found = regex.matcher(path);
      if (!found.matches()) return null;
      const places = names.map((name) => ({ name, from: found.start(name), to: found.end(name) }));
      return toFrame(path, places);
    },
  };
}

function toFrame(path: string, places: readonly { name: string; from: number; to: number }[]): NamedFrame | null {
  const named: Partial<Record<string, string>> = {};
  for (const { name, from, to } of places) named[name] = path.slice(from, to);
  let sequence = path;
  // From behind, so that the places in front stay where they are.
  const cut = places.filter(({ name }) => name === 'frame' || name === 'time').sort((a, b) => b.from - a.from);
  for (const { name, from, to } of cut) sequence = `${sequence.slice(0, from)}{${name}}${sequence.slice(to)}`;
  const { frame, time = null, year, month, day, hour, minute, second, fraction } = named;
  let localMs: number | null = null;
  if (year !== undefined) {
    const wholeMs = Date.UTC(
      Number(year),
      Number(month) - 1,
      Number(day),
      Number(hour),
      Number(minute),
      Number(second),
    );
    const isReal = new Date(wholeMs).toISOString().startsWith(`${year}-${month}-${day}T${hour}:${minute}:${second}`);
    if (!isReal) return null;
    localMs = wholeMs + Math.round(Number(`0.${fraction || '0'}`) * 1e6) / 1e3;
  }
  return { sequence, number: frame === undefined ? null : Number(frame), width: frame?.length ?? 0, time, localMs };
}
