import { parseArgs } from 'node:util';
import { AgentError } from '../../model/agent-error.ts';

/** One option of a command: `--name VALUE`, or a flag when `value` is null. */
export interface Option {
  /** What stands for the value in the help (`PORT`); null for a flag. */
  readonly value: string | null;
  /** It may be given several times; the values are then a list. */
  readonly isMany?: true;
  readonly help: string;
}

type Values<O extends Record<string, Option>> = {
  readonly [N in keyof O]: O[N]['value'] extends null
    ? boolean
    : (O[N]['isMany'] extends true ? readonly string[] : string) | undefined;
};

/**
 * Read a command's options. Takes the command's name, a line on what it does, its options, the words after its name, and how
 * many plain words it takes.
 *
 * @returns the values (flags false, options undefined where absent) and the plain words; null when help was asked for and
 *   printed.
 * @throws `cli.usage`, naming the word that does not fit.
 */
export function readOptions<O extends Record<string, Option>>(
  command: string,
  summary: string,
  options: O,
  args: readonly string[],
  plainWords: readonly string[] = [],
): { values: Values<O>; words: readonly string[] } | null {
  if (args.includes('--help')) {
    console.log(help(command, summary, options, plainWords));
    return null;
  }
  const config = Object.fromEntries(
    Object.entries(options).map(([name, { value, isMany = false }]) => [
      name,
      { type: value === null ? 'boolean' : 'string', multiple: isMany } as const,
    ]),
  );
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: config,
      allowPositionals: true,
      strict: true,
    });
    if (positionals.length > plainWords.length) throw new Error(`Unexpected word "${positionals[plainWords.length]}"`);
    const flags = Object.entries(options).map(([name, { value }]) => {
      const given = values[name];
      return [name, given ?? (value === null ? false : undefined)];
    });
    return { values: Object.fromEntries(flags) as Values<O>, words: positionals };
  } catch (cause) {
    throw usageError(command, (cause as Error).message, cause);
  }
}

/** Tell what does not fit on a command line: `cli.usage`, with where to look it up. */
export function usageError(command: string, message: string, cause?: unknown): AgentError {
  return new AgentError({
    code: 'cli.usage',
    message: `epistream ${command}: ${message}`,
    hint: `"epistream ${command} --help" lists what there is.`,
    cause,
  });
}

/**
 * Read a port number. Takes the option's name and text.
 *
 * @returns 0 to 65535.
 * @throws `cli.usage`.
 */
export function readPort(name: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new AgentError({
    code: 'cli.usage',
    message: `--${name} ${text}: not a port.`,
    hint: 'A port is a whole number from 1 to 65535; 0 takes a free one.',
  });
}

/**
 * A text that must be given: the option of this name, or the word (FILE).
 *
 * @throws `cli.usage` when it is not.
 */
export function requireOption(command: string, name: string, value: string | undefined): string {
  if (value !== undefined && value !== '') return value;
  throw usageError(command, `needs ${name === name.toUpperCase() ? name : `--${name}`}.`);
}

function help(command: string, summary: string, options: Record<string, Option>, words: readonly string[]): string {
  const lines = Object.entries(options).map(([name, { value, help }]) => {
    const form = `--${name}${value === null ? '' : ` ${value}`}`;
    return `  ${form.padEnd(22)} ${help}`;
  });
  return `Usage: epistream ${[command, ...words].join(' ')} [options]\n${summary}\n\n${lines.join('\n')}`;
}
