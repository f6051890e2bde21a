// From an HTTP request to the checked parameters of a row, with the place of every fault.
import { z } from 'zod';
import type { Endpoint } from '../../interface/table.ts';
import { Problem, type ProblemItem, violation } from './problem.ts';
import { placeOfIllFormed } from './well-formed.ts';

type Part = 'path' | 'query' | 'body';

/** See through optional, nullable and default to the kind of value. */
function kindOf(schema: z.ZodType): string {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable || inner instanceof z.ZodDefault) {
    inner = inner.unwrap() as z.ZodType;
  }
  return inner.type;
}

/** A number as people and programs write it: not `0x10`, not with spaces. */
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function readScalar(kind: string, text: string): unknown {
  if (kind === 'number' && NUMBER.test(text) && Number.isFinite(Number(text))) return Number(text);
  if (kind === 'boolean' && /^(true|1|false|0)$/i.test(text)) return /^(true|1)$/i.test(text);
  return text;
}

/**
 * Say which parameters of the query a call does not have: a filter that is not applied answers something else. Takes those that
 * it has, and the query.
 */
export function findUnknown(names: readonly string[], search: URLSearchParams): ProblemItem[] {
  const unknown = [...new Set(search.keys())].filter((name) => !names.includes(name));
  const msg = `not a parameter of this call; ${names.length === 0 ? 'it has none' : `there are ${names.join(', ')}`}`;
  return unknown.slice(0, 20).map((name) => ({ loc: ['query', name], msg, type: 'unrecognized_keys' }));
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** UUIDs are the same in capitals (RFC 9562); here they stand in small letters. */
function inSmallLetters(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSmallLetters);
  return typeof value === 'string' && UUID.test(value) ? value.toLowerCase() : value;
}

function withPlainIds(all: Record<string, unknown>): Record<string, unknown> {
  const plain = ([name, value]: [string, unknown]) => [name, /_ids?$/.test(name) ? inSmallLetters(value) : value];
  return Object.fromEntries(Object.entries(all).map(plain));
}

/** Read the query by the row's schema. What is not of its kind stays text, for the schema to refuse by name. */
function readQuery(schema: z.ZodObject, search: URLSearchParams): Record<string, unknown> {
  const values: [string, unknown][] = [];
  for (const [name, field] of Object.entries(schema.shape)) {
    const kind = kindOf(field as z.ZodType);
    const texts = search.getAll(name);
    if (texts.length === 0) continue;
    if (kind === 'array') values.push([name, texts]);
    else values.push([name, texts.length === 1 ? readScalar(kind, texts[0] ?? '') : texts]);
  }
  return Object.fromEntries(values);
}

function check(part: Part, schema: z.ZodObject, value: unknown, faults: ProblemItem[]): Record<string, unknown> {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  for (const { path, message, code } of checked.error.issues.slice(0, 20)) {
    faults.push({
      loc: [part, ...path.map((step) => (typeof step === 'symbol' ? '' : step))],
      msg: message,
      type: code,
    });
  }
  return {};
}

/**
 * Read a body up to a bound.
 *
 * @throws Problem 413 as soon as the bound is passed; the rest is not kept.
 */
async function readBody(request: Request, maxBytes: number): Promise<Buffer> {
  const tooLarge = () => new Problem(413, `A request may have at most ${maxBytes} bytes.`);
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge();
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const part of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    sizeBytes += part.length;
    if (sizeBytes > maxBytes) throw tooLarge();
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/**
 * Refuse a body that would be misread: no JSON, or JSON that was compressed.
 *
 * @throws Problem 415; for what was compressed with the encodings that are taken in Accept-Encoding (RFC 9110, 15.5.16).
 */
function checkForm({ headers }: Request): void {
  const encoding = (headers.get('content-encoding') ?? '').trim();
  if (!/^(identity)?$/i.test(encoding)) {
    const why = `The body must be sent as it is, not with Content-Encoding: ${encoding.slice(0, 100)}; identity is the one encoding taken.`;
    throw new Problem(415, why, { 'Accept-Encoding': 'identity' });
  }
  if (/^application\/json\s*(;|$)/i.test(headers.get('content-type') ?? '')) return;
  throw new Problem(415, 'The body must be sent with Content-Type: application/json.');
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Escapes are the one way that half of a surrogate pair gets into a text that was UTF-8. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

function parseJson(bytes: Buffer): unknown {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new Problem(400, [{ loc: ['body'], msg: 'not UTF-8', type: 'encoding' }]);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (fault) {
    throw new Problem(400, [{ loc: ['body'], msg: `not JSON: ${(fault as Error).message}`, type: 'json_invalid' }]);
  }
  const place = SURROGATE_ESCAPE.test(text) ? placeOfIllFormed(value) : null;
  if (place) throw violation(['body', ...place], 'not well-formed Unicode');
  return value;
}

/**
 * Read the parameters of a row: path, query and body in one object. Takes the row, the path's parameters, the request, and
 * the most bytes of its body.
 *
 * @throws Problem 413, 415 (a body that is not announced as plain JSON), 400 (not JSON), 422 with every fault's place.
 */
export async function readParameters(
  row: Endpoint,
  params: Record<string, string>,
  request: Request,
  maxBytes: number,
): Promise<Record<string, unknown>> {
  const faults: ProblemItem[] = [];
  const all: Record<string, unknown> = {};
  if (row.params) Object.assign(all, check('path', row.params, params, faults));
  const search = new URL(request.url).searchParams;
  faults.push(...findUnknown(Object.keys(row.query?.shape ?? {}), search));
  if (row.query) {
    Object.assign(all, check('query', row.query, readQuery(row.query, search), faults));
  }
  if (row.body) {
    checkForm(request);
    Object.assign(all, check('body', row.body, parseJson(await readBody(request, maxBytes)), faults));
  }
  if (faults.length > 0) throw new Problem(422, faults);
  return withPlainIds(all);
}
