// From the bytes of an answer to a value that fits its row: bounds first, then JSON, then the shape. Runs on either thread.

import { type Endpoint, type EndpointName, table } from '../../interface/table.ts';
import { findExcess, type JsonBounds } from './json/json-bounds.ts';

/** An object or list of a real answer takes this many bytes at least, one with another. */
const BYTES_A_CONTAINER = 32;
/** The same of a value. */
const BYTES_A_VALUE = 6;
/** So many are parsed in any case. */
const COUNT_MIN = 2_000;

export type ReadAnswer =
  | { readonly kind: 'fits'; readonly value: unknown }
  | { readonly kind: 'excess' | 'no-json' | 'no-fit'; readonly why: string };

/** How many objects, lists and values an answer may hold that may be this long, bytes. */
function boundsOf(maxBytes: number): JsonBounds {
  const at = (bytes: number) => Math.max(COUNT_MIN, Math.floor(maxBytes / bytes));
  return { containers: at(BYTES_A_CONTAINER), values: at(BYTES_A_VALUE) };
}

/**
 * Read an answer.
 *
 * @param name - the row it answers.
 * @param maxBytes - how many it may have had.
 * @returns the value; or why there is none.
 */
export function readAnswer(name: EndpointName, bytes: Uint8Array, maxBytes: number): ReadAnswer {
  const excess = findExcess(bytes, boundsOf(maxBytes));
  if (excess !== null) return { kind: 'excess', why: excess };
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  } catch (fault) {
    return { kind: 'no-json', why: (fault as Error).message };
  }
  const row: Endpoint = table[name];
  const checked = row.response.safeParse(value);
  if (checked.success) return { kind: 'fits', value: checked.data };
  const { path, message } = checked.error.issues[0] ?? { path: [], message: '' };
  return { kind: 'no-fit', why: `${path.join('.') || 'whole'}: ${message}` };
}
