// A log in a text, recognised and read as the agent would, for tests of what `auto` makes of it.
import { Dialect } from '../../../src-main/model/dialect.ts';
import { makeParser } from '../../../src-main/sources/log/parse/make-parser.ts';
import { recogniseLayout } from '../../../src-main/sources/log/recognise/recognise.ts';

const NOW_MS = Date.UTC(2026, 10, 23);
/** Write rows. */
export const rows = (count: number, row: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => row(n)).join('');
/** A number with two digits. */
export const two = (n: number) => String(n).padStart(2, '0');

/** Recognise a text, in Berlin. */
export function recognise(
  text: string,
  { path = 'log.txt', modifiedMs = 0, nowMs = NOW_MS, dialect = Dialect.parse({}) } = {},
) {
  const head = { bytes: new TextEncoder().encode(text), path, laterLines: [], settledFormat: null, modifiedMs };
  return recogniseLayout({ ...head, nowMs }, dialect, 'Europe/Berlin');
}

/** The code of a question; of what is read the reasons. */
export function codeOf(found: ReturnType<typeof recognise>): string {
  return 'code' in found ? found.code : found.reasons.join('; ');
}

/** First instant, units and names of a log that is read. */
export function read(text: string, options?: Parameters<typeof recognise>[1]) {
  const found = recognise(text, options);
  if ('code' in found) throw new Error(`${found.code}: ${found.message}`);
  const { layout, kinds, dataByte } = found;
  const bytes = new TextEncoder().encode(text).subarray(dataByte);
  const block = { bytes, place: '', line: 1, sinceMs: Number.NEGATIVE_INFINITY, fileByteOf: (at: number) => at };
  const parsed = makeParser(layout).parse(block, kinds, Number.NaN);
  const columns = parsed.columns.map((column) => layout.columns[column]);
  return { ...parsed, firstAt: new Date(parsed.timesMs[0] as number).toISOString(), columns };
}
