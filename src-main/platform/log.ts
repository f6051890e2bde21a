// The agent's log file: for support, not for the screen (that is the journal). JSON lines, bounded in size and number.
import { join } from 'node:path';
import { pino } from 'pino';
import type { AgentError } from '../model/agent-error.ts';
import { RotatingFile } from './rotating-file.ts';

/** What a line may carry besides its message: plain values. */
type LogFields = Readonly<Record<string, unknown>>;

export interface Log {
  info(message: string, fields?: LogFields): void;
  warning(message: string, fields?: LogFields): void;
  /** An AgentError with its code, hint, context and cause; logged by the part that decides about it, once. */
  error(error: AgentError | Error, fields?: LogFields): void;
  /** Never write this text, whatever line it stands in: `[hidden]` stands there instead. */
  hide(secret: string): void;
  /** Wait until everything is on disk. The log can be written on. */
  flush(): Promise<void>;
  /** Write what is held at once: for the end of the process. */
  flushNow(): void;
}

const HIDDEN = '[hidden]';
/** A longer line is kept by its beginning only, characters. */
const LINE_LENGTH_MAX = 64 * 1024;
/** Texts shorter than this cannot be hidden without making the log unreadable; no key is that short. */
const SECRET_LENGTH_MIN = 6;

/** Fields that hold secrets by their name, at the top or one level down. */
const SECRET_FIELDS = [
  'apiKey',
  'api_key',
  'key',
  'token',
  'password',
  'authorization',
  'x-api-key',
  'X-API-KEY',
].flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]);

/**
 * Open the log of a data folder. Takes the folder; the log is its `logs/epistream.log`, mode 0600, at most 5 files of
 * 2 MB.
 *
 * @returns the log. Writing never waits and never throws.
 */
export function openLog(dataFolder: string): Log {
  const file = new RotatingFile({ path: join(dataFolder, 'logs', 'epistream.log') });
  const secrets = new Set<string>();
  const write = (line: string) => {
    let text = line;
    for (const secret of secrets) text = text.replaceAll(secret, HIDDEN);
    file.write(text.length > LINE_LENGTH_MAX ? cut(text) : text);
  };
  const logger = pino(
    {
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label === 'warn' ? 'warning' : label }) },
      redact: { paths: SECRET_FIELDS, censor: HIDDEN },
      serializers: { error: describe },
    },
    { write },
  );
  return {
    info: (message, fields = {}) => logger.info(fields, message),
    warning: (message, fields = {}) => logger.warn(fields, message),
    error: (error, fields = {}) => logger.error({ ...fields, error }, error.message),
    hide: (secret) => {
      // As it stands in a JSON line: with quotes and backslashes escaped.
      if (secret.length >= SECRET_LENGTH_MIN) secrets.add(JSON.stringify(secret).slice(1, -1));
    },
    flush: () => file.flush(),
    flushNow: () => file.flushNow(),
  };
}

/** A line that is still a line, with the beginning of the long one. */
function cut(line: string): string {
  const msg = `a line of ${line.length} characters was cut`;
  return `${JSON.stringify({ level: 'warning', time: new Date().toISOString(), msg, begin: line.slice(0, 2000) })}\n`;
}

/** An error as plain values, with its causes, at most four deep. */
function describe(thrown: unknown, depth = 0): unknown {
  if (!(thrown instanceof Error) || depth > 4) return thrown instanceof Error ? thrown.message : thrown;
  const { code, hint, retry, context } = thrown as Partial<AgentError>;
  const stack = code === undefined || code === 'internal' ? thrown.stack : undefined;
  const cause = thrown.cause === undefined ? undefined : describe(thrown.cause, depth + 1);
  return { name: thrown.name, message: thrown.message, code, hint, retry, context, stack, cause };
}
