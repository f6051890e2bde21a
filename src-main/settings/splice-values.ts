// The gentlest way to change a settings file: where only single values differ, only their characters are replaced, and
// all else (alignment of comments, blank lines, indentation) stays as a person left it. What this cannot do it leaves
// to the edit of the document.
import { isDeepStrictEqual } from 'node:util';
import { Document, isMap, isScalar, isSeq, parseDocument, type Scalar } from 'yaml';

interface Splice {
  readonly from: number;
  readonly to: number;
  readonly node: Scalar;
  readonly value: unknown;
}

type Data = Record<string, unknown>;

const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value);
const isSingle = (value: unknown) => typeof value !== 'object' || value === null;

/** What to replace so that the node holds the wanted value; null when more than single values differ. */
function findSplices(node: unknown, now: unknown, wanted: unknown): Splice[] | null {
  if (isDeepStrictEqual(now, wanted)) return [];
  if (isScalar(node) && node.range && isSingle(now) && isSingle(wanted) && wanted !== undefined) {
    return [{ from: node.range[0], to: node.range[1], node, value: wanted }];
  }
  const inside: (Splice[] | null)[] = [];
  if (isMap(node) && isData(now) && isData(wanted)) {
    const keys = Object.keys(now);
    if (keys.length !== Object.keys(wanted).length) return null;
    for (const key of keys)
      inside.push(Object.hasOwn(wanted, key) ? findSplices(node.get(key, true), now[key], wanted[key]) : null);
  } else if (isSeq(node) && Array.isArray(now) && Array.isArray(wanted) && now.length === wanted.length) {
    for (const [index, value] of now.entries()) inside.push(findSplices(node.items[index], value, wanted[index]));
  } else return null;
  return inside.includes(null) ? null : inside.flatMap((splices) => splices ?? []);
}

/** The value as YAML, in the quotes that the former one had. */
function writeLike(node: Scalar, value: unknown): string {
  if (typeof value === 'string' && node.type === 'QUOTE_SINGLE') return `'${value.replaceAll("'", "''")}'`;
  if (typeof value === 'string' && node.type === 'QUOTE_DOUBLE') return JSON.stringify(value);
  return new Document(value).toString({ lineWidth: 0 }).trim();
}

function apply(text: string, splices: readonly Splice[], write: (splice: Splice) => string): string {
  let result = text;
  // From the end, so that earlier places stay where they are.
  for (const splice of [...splices].sort((a, b) => b.from - a.from)) {
    result = result.slice(0, splice.from) + write(splice) + result.slice(splice.to);
  }
  return result;
}

/**
 * Replace single values in a YAML text.
 *
 * @param wanted - the data it should hold.
 * @returns the text that holds them, equal to the former one everywhere else; null when more than single values differ, or
 *   where no way of writing them fits the place.
 */
export function spliceValues(text: string, document: Document, wanted: unknown): string | null {
  const splices = findSplices(document.contents, document.toJS(), wanted);
  if (!splices) return null;
  const ways = [({ node, value }: Splice) => writeLike(node, value), ({ value }: Splice) => JSON.stringify(value)];
  for (const write of ways) {
    const result = apply(text, splices, write);
    const parsed = parseDocument(result, { prettyErrors: false });
    if (parsed.errors.length === 0 && isDeepStrictEqual(parsed.toJS(), wanted)) return result;
  }
  return null;
}
