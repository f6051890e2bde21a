// Lines that no separator cuts: a pattern of the dialect does. A layout names it in place of the separator.
//
// Lines are matched on the thread that all sources share, so a pattern that is slow is stopped: after STOP_MS of computing
// it must have read STOP_CHARACTERS. A usual one reads thirty times as much. Time of the processor is counted, not of a
// clock: a PC that slept, or that others use, stops nothing.
import { AgentError } from '../../../model/agent-error.ts';
import type { Dialect } from '../../../model/dialect.ts';
import { compileLinePattern, type LinePattern, TIME_GROUPS } from '../../../model/line-pattern.ts';

/** No separator that a person can write begins so. */
const MARK = '\u0000pattern:';

const STOP_MS = 250;
const STOP_CHARACTERS = 32 * 1024;
/** Lines matched between two looks at the time; long ones are looked at one by one. */
const LINES_A_LOOK = 16;
const LONG_CHARACTERS = 1000;

/** A pattern, and what it took lately. */
interface Metered {
  readonly pattern: LinePattern;
  readonly text: string;
  spentMs: number;
  characters: number;
}

const compiled = new Map<string, Metered>();

/** Time that this thread has computed, ms. */
function computedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function patternOf(text: string): Metered {
  const known = compiled.get(text);
  if (known !== undefined) return known;
  const made = compileLinePattern(text);
  if (!made.isValid) {
    throw new AgentError({
      code: 'log.pattern-unusable',
      message: `The pattern of the dialect cannot be used: ${made.message}.`,
      hint: made.hint,
      retry: 'after-human',
    });
  }
  // Those of a settings file are few; a program that makes them by the thousand must not fill the memory.
  if (compiled.size >= 100) compiled.clear();
  const metered = { pattern: made, text, spentMs: 0, characters: 0 };
  compiled.set(text, metered);
  return metered;
}

export function isPattern(delimiter: string): boolean {
  return delimiter.startsWith(MARK);
}

let linesSince = 0;

/**
 * Cells of a line by the pattern that stands for the separator.
 *
 * @returns the cells; none when the line does not fit.
 * @throws `log.pattern-slow`, which needs a person.
 */
export function splitByPattern(line: string, delimiter: string): string[] {
  const metered = patternOf(delimiter.slice(MARK.length));
  linesSince += 1;
  const isTimed = linesSince >= LINES_A_LOOK || line.length >= LONG_CHARACTERS;
  const beganMs = isTimed ? computedMs() : 0;
  const cells = metered.pattern.match(line) ?? [];
  if (isTimed) {
    // A line that was not timed took about as long as this one.
    const share = line.length >= LONG_CHARACTERS ? 1 : linesSince;
    meter(metered, (computedMs() - beganMs) * share, line.length * share);
    linesSince = 0;
  }
  return cells;
}

function meter(metered: Metered, tookMs: number, characters: number): void {
  metered.spentMs += tookMs;
  metered.characters += characters;
  if (metered.spentMs < STOP_MS) return;
  const { spentMs } = metered;
  const isSlow = metered.characters < STOP_CHARACTERS;
  const read = metered.characters;
  metered.spentMs = 0;
  metered.characters = 0;
  if (!isSlow) return;
  throw new AgentError({
    code: 'log.pattern-slow',
    message: `The pattern of the dialect was stopped: it computed ${Math.round(spentMs)} ms on ${read} characters. ${metered.text}`,
    hint: 'Make it simpler: fewer repetitions within repetitions, \\S+ where .* stands. Nothing is lost: the lines wait in their file.',
    retry: 'after-human',
  });
}

/**
 * Say a dialect with a pattern as one with columns: its groups are their names, and it stands for the separator.
 *
 * @returns the dialect itself when it has none.
 * @throws `log.pattern-unusable`, which needs a person.
 */
export function byPattern(dialect: Dialect): Dialect {
  if (dialect.line === null) return dialect;
  const { groups } = patternOf(dialect.line).pattern;
  const numberOf = (column: string | number) => {
    const at = typeof column === 'string' ? groups.indexOf(column) : -1;
    return at === -1 ? column : at + 1;
  };
  const { column } = dialect.time;
  const times = groups.flatMap((name, at) => (TIME_GROUPS.includes(name) ? [at + 1] : []));
  const named = column === 'auto' ? times : [column].flat().map(numberOf);
  const own = { column: named.length === 1 ? (named[0] as string | number) : named };
  return { ...dialect, delimiter: MARK + dialect.line, header: [...groups], time: { ...dialect.time, ...own } };
}
