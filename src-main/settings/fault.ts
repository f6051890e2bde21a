import { basename } from 'node:path';
import { AgentError } from '../model/agent-error.ts';

/** One thing wrong with a settings file, where it stands, and what to do. */
export interface SettingsFault {
  /** 1-based. */
  readonly line: number;
  /** 1-based, in characters. */
  readonly column: number;
  /** `sources[0].backfill`; empty where the file as a whole or its YAML is meant. */
  readonly path: string;
  readonly message: string;
  readonly hint: string;
}

/** Refused text that is shown, cut so that a message stays readable. */
export function quote(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'a mapping';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}..."` : text;
}

/** A path as people read it: `sources[0].dialect.time`. */
export function formatPath(path: readonly PropertyKey[]): string {
  let text = '';
  for (const step of path) text += typeof step === 'number' ? `[${step}]` : `${text === '' ? '' : '.'}${String(step)}`;
  return text;
}

/**
 * Make the one error that names every fault of a settings file.
 *
 * @param file - the file's path.
 * @param faults - one or more faults.
 * @returns code `settings.invalid`; each fault is a line of the message, `epistream.yaml:12:5 sources[0].backfill: ...`, with
 *   its hint; `context.faults` holds them as values.
 */
export function makeInvalidError(file: string, faults: readonly SettingsFault[]): AgentError {
  const name = basename(file);
  const lines = [...faults]
    .sort((a, b) => a.line - b.line || a.column - b.column)
    .map(({ line, column, path, message, hint }) => {
      const place = `${name}:${line}:${column}${path === '' ? '' : ` ${path}`}`;
      return `${place}: ${message}. ${hint}`;
    });
  return new AgentError({
    code: 'settings.invalid',
    message: lines.length === 1 ? String(lines[0]) : `${name} has ${lines.length} faults:\n${lines.join('\n')}`,
    hint: `Correct ${lines.length === 1 ? 'this line' : 'these lines'} in ${file} and start again.`,
    retry: 'after-human',
    context: { file, faults },
  });
}
