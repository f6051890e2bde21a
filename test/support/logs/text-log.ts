// A log in a text, recognised and read as the agent would, for tests of what `auto` makes of it.
import { Dialect } from '../../../src-main/model/dialect.ts';
import type { Layout } from '../../../src-main/sources/log/parse/layout.ts';
import { makeParser } from '../../../src-main/sources/log/parse/make-parser.ts';
import type { ParsedBlock } from '../../../src-main/sources/log/parse/parsed-block.ts';
import { recogniseLayout } from '../../../src-main/sources/log/recognise/recognise.ts';

const NOW_MS = Date.UTC(2026, 10, 23);
/** Write rows. */
export const rows = (count: number, row: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => row(n)).join('');
/** A number with two digits. */
export const two = (n: number) => String(n).padStart(2, '0');
/** The time of a row of the morning in which most of these logs are written: one a second. */
export const stamp = (n: number) => `2026-11-20 10:15:${two(n)}`;
/** Rows of that morning, each a time and its cells. */
export const stamped = (count: number, behind: (n: number) => string) =>
  rows(count, (n) => `${stamp(n)}${behind(n)}\n`);

/** Recognise a text or its bytes, in Berlin where no other zone is given. */
export function recognise(
  text: string | Uint8Array,
  { path = 'log.txt', modifiedMs = 0, nowMs = NOW_MS, dialect = Dialect.parse({}), zone = 'Europe/Berlin' } = {},
) {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  return recogniseLayout({ bytes, path, laterLines: [], settledFormat: null, modifiedMs, nowMs }, dialect, zone);
}
type Options = Parameters<typeof recognise>[1];

/** The code of a question; of what is read the reasons. */
export function codeOf(found: ReturnType<typeof recognise>): string {
  return 'code' in found ? found.code : found.reasons.join('; ');
}

/**
 * Recognise what is read without a question.
 *
 * @throws the question.
 */
export function recognised(text: string, options?: Options) {
  const found = recognise(text, options);
  if ('code' in found) throw new Error(`${found.code}: ${found.message}`);
  return found;
}
type Recognised = Pick<ReturnType<typeof recognised>, 'layout' | 'kinds'>;

function blockOf(text: string | Uint8Array, carry: string) {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  return { bytes, place: '', line: 1, sinceMs: -Infinity, carry, fileByteOf: (at: number) => at };
}

/** Parse one block of a log that was recognised, with what the block before left to it. */
export function parse(found: Recognised, text: string | Uint8Array, carry = '', formerMs = Number.NaN): ParsedBlock {
  return makeParser(found.layout).parse(blockOf(text, carry), found.kinds, formerMs);
}

/** Parse lines as a tool writes them, so many at a time. */
export function* follow(found: Recognised, text: string, linesABlock = 1): Generator<ParsedBlock & { text: string }> {
  const parser = makeParser(found.layout);
  const lines = text.split(/(?<=\n)/);
  let [kinds, carry, formerMs] = [found.kinds, '', Number.NaN];
  for (let at = 0; at < lines.length; at += linesABlock) {
    const written = lines.slice(at, at + linesABlock).join('');
    const parsed = parser.parse(blockOf(written, carry), kinds, formerMs);
    yield { ...parsed, text: written };
    ({ kinds, carry = '', lastMs: formerMs } = parsed);
  }
}

/** First instant, units and names of a log that is read; `seen`: so much of it was there when it was recognised. */
export function read(text: string, { seen = text.length, ...options }: Options & { seen?: number } = {}) {
  const found = recognised(text.slice(0, seen), options);
  const parsed = parse(found, new TextEncoder().encode(text).subarray(found.dataByte));
  const columns = parsed.columns.map((column) => found.layout.columns[column]);
  return { ...parsed, firstAt: new Date(parsed.timesMs[0] as number).toISOString(), columns };
}

/** The layout of a plain table, whose first column is the time in Unix seconds, but for what is given. */
export function layoutOf(headers: string[], own: Partial<Layout> = {}): Layout {
  return {
    encoding: 'utf-8',
    delimiter: ',',
    decimal: '.',
    comment: null,
    columns: headers.map((header) => ({ header, unit: '', name: header })),
    timeColumns: [0],
    timeFormat: 'unix-seconds',
    startMs: null,
    dayMs: null,
    states: {},
    masks: [],
    zone: 'UTC',
    absent: [],
    affixes: [],
    eventText: null,
    refused: ['9.9E37'],
    headerText: headers.join(','),
    ...own,
  };
}
