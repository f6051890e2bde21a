// From a row and its parameters to what is sent. The key is added here and nowhere else.
import type { Agent } from 'undici';
import type { z } from 'zod';
import manifest from '../../../package.json' with { type: 'json' };
import type { Endpoint } from '../../interface/table.ts';
import type { Timeouts } from './connection.ts';
import type { Question } from './exchange.ts';
import { noKeyError, type Target, unfitRequestError } from './faults.ts';
import type { PathChoice } from './other-paths.ts';

/** What this program calls itself to a service: its name and version. */
const AGENT = `epistream/${manifest.version}`;

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** How long the whole exchange may take, milliseconds; default 60,000. */
  totalMs?: number | undefined;
}

/** An open line to a service: what every call needs. */
export interface Line {
  readonly baseUrl: string;
  readonly agent: Agent;
  readonly timeouts: Timeouts;
  readonly apiKey: () => string | null;
  readonly paths: PathChoice;
}

function pick(schema: z.ZodObject | null, request: Record<string, unknown>): [string, unknown][] {
  if (!schema) return [];
  return Object.keys(schema.shape)
    .filter((name) => request[name] !== undefined)
    .map((name) => [name, request[name]]);
}

/**
 * Check a request against its row before anything is sent: NaN would go out as null, a typo as nothing.
 *
 * @throws ServiceError `service.unfit-request` with the first field that does not fit.
 */
export function checkRequest(row: Endpoint, request: Record<string, unknown>, target: Target): void {
  for (const schema of [row.params, row.query, row.body]) {
    const checked = schema?.safeParse(Object.fromEntries(pick(schema, request)));
    const issue = checked?.error?.issues[0];
    if (issue) throw unfitRequestError(target, issue.path.join('.'), issue.message);
  }
}

/**
 * Write a row's address out.
 *
 * @returns base address, path with its names filled in, and the query, arrays repeated.
 */
export function addressOf(baseUrl: string, row: Endpoint, request: Record<string, unknown>): string {
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(request[name])));
  const query = new URLSearchParams();
  for (const [name, value] of pick(row.query, request)) {
    for (const item of Array.isArray(value) ? value : [value]) query.append(name, String(item));
  }
  const search = query.toString();
  return `${baseUrl}${path}${search ? `?${search}` : ''}`;
}

/**
 * Headers of a request, the key among them.
 *
 * @throws ServiceError `service.no-key`; nothing was sent.
 */
export function headersOf({ apiKey }: Line, hasBody: boolean, target: Target): Record<string, string> {
  const key = apiKey();
  if (!key) throw noKeyError(target);
  return {
    'X-API-KEY': key,
    Accept: 'application/json',
    'User-Agent': AGENT,
    ...(hasBody ? { 'Content-Type': 'application/json' } : {}),
  };
}

/** Name a row for messages: method and path as the interface writes them, and the host. */
export const targetOf = ({ baseUrl }: Line, { method, path }: Endpoint): Target => ({
  place: `${method} ${path}`,
  host: new URL(baseUrl).host,
});

/**
 * Put a question to the service together: address, key, body. Takes the body where it is written already, which was checked
 * as it was; null: it is written here.
 *
 * @throws ServiceError `service.unfit-request`, `service.no-key`; nothing was sent.
 */
export function questionFor(
  line: Line,
  row: Endpoint,
  request: Record<string, unknown>,
  options: CallOptions,
  written: Uint8Array | null = null,
): Question {
  const target = targetOf(line, row);
  if (!written) checkRequest(row, request, target);
  if (request.return_as === 'bytes') {
    throw unfitRequestError(target, 'return_as', 'a file is fetched with downloadRawData');
  }
  return {
    method: row.method,
    url: addressOf(line.baseUrl, row, request),
    headers: headersOf(line, row.body !== null, target),
    body: written ?? (row.body ? JSON.stringify(Object.fromEntries(pick(row.body, request))) : null),
    target,
    signal: options.signal,
    totalMs: options.totalMs ?? line.timeouts.totalMs,
  };
}
