// Reads a foreign log as the agent would and compares with the truth: equal, or a question.
import { Dialect } from '../../src-main/model/dialect.ts';
import { decodeText, encodingOf } from '../../src-main/sources/log/cells/encoding.ts';
import { frameLines } from '../../src-main/sources/log/cells/framer.ts';
import { makeParser } from '../../src-main/sources/log/parse/make-parser.ts';
import { recogniseLayout } from '../../src-main/sources/log/recognise/recognise.ts';
import { NOW_MS, type WrittenLog, ZONE } from './write-log.ts';

export type Outcome =
  | { readonly kind: 'right' }
  | { readonly kind: 'asked'; readonly code: string; readonly message: string }
  | { readonly kind: 'wrong'; readonly why: string; readonly reasons: readonly string[] };

/**
 * Read a log.
 *
 * @returns `wrong` for anything but the truth, or as much of it as stands above a question.
 */
export function readLog({ bytes, path, modifiedMs, truth }: WrittenLog): Outcome {
  const head = { bytes, path, laterLines: [], settledFormat: null, modifiedMs, nowMs: NOW_MS };
  const found = recogniseLayout(head, Dialect.parse({}), ZONE);
  if (!('layout' in found)) return { kind: 'asked', code: found.code, message: found.message };
  const { layout, kinds, dataByte, reasons } = found;
  const wrong = (why: string): Outcome => ({ kind: 'wrong', why, reasons });
  const frame = frameLines(bytes.subarray(dataByte), dataByte, encodingOf(layout.encoding));
  const block = { bytes: frame.bytes, place: path, line: found.dataLine + 1, sinceMs: Number.NEGATIVE_INFINITY };
  const parsed = makeParser(layout).parse({ ...block, fileByteOf: frame.fileByteOf }, kinds, Number.NaN);
  const { timesMs, values, columns, stoppedAt } = parsed;
  const shownAt = (at: number) => decodeText(frame.bytes.subarray(at, at + 80), 'utf-8');

  if (layout.eventText !== null) return wrong('taken for an event log');
  if (columns.length !== truth.columns.length) return wrong(`${columns.length} channels of ${truth.columns.length}`);
  for (const [out, column] of columns.entries()) {
    const { name, unit } = layout.columns[column] as { name: string; unit: string };
    const isNamed =
      truth.columns[out]?.includes(`${name}|${unit}`) ||
      /\(\d+\)$/.test(name) ||
      isNameless(truth.columns[out] ?? [], name);
    if (!isNamed) return wrong(`channel "${name}" in "${unit}" for ${truth.columns[out]?.join(' or ')}`);
  }
  // A row may lack what was refused of its own line, and is missing where nothing else of it is left. Rows of another kind
  // are a question, but for those that are refused before there are three.
  const names = columns.map((column) => layout.columns[column]?.name ?? '');
  // Of many refusals the first are listed: what stands below the last of these nobody can judge.
  const areListed = parsed.refusedCount === parsed.refusals.length;
  const listedTo = areListed ? Number.POSITIVE_INFINITY : (parsed.refusals.at(-1)?.line ?? 0);
  const endLine = Math.min(found.dataLine + 1 + parsed.lines, listedTo);
  let row = 0;
  for (const [index, { line, timeMs, values: own }] of truth.rows.entries()) {
    if (line >= endLine) break;
    const refused = parsed.refusals.filter((refusal) => refusal.line === line).map(({ channel }) => channel);
    const ought = own.map((value, out) =>
      refused.includes('') || refused.includes(names[out] ?? '') ? Number.NaN : value,
    );
    if (ought.every(Number.isNaN)) continue;
    const shown = `line ${line}, row ${row}${refused.length > 0 ? `, refused "${refused.join('", "')}"` : ''}`;
    if (row === timesMs.length) return wrong(`${shown}: missing`);
    if (index >= truth.knownRows && refused.length === 0) return wrong(`${shown}: ${truth.knownRows} rows are known`);
    const isMs = timesMs[row] as number;
    if (!(Math.abs(isMs - timeMs) <= truth.toleranceMs)) {
      return wrong(`${shown}: ${new Date(isMs).toISOString()} for ${new Date(timeMs).toISOString()}`);
    }
    const kind = columns.map((_, out) => values[row * columns.length + out]);
    if (kind.some((value, out) => !Object.is(value, ought[out]))) return wrong(`${shown}: ${kind} for ${ought}`);
    row += 1;
  }
  if (areListed && row < timesMs.length) return wrong(`${timesMs.length} rows for ${row}`);
  if (stoppedAt !== null) return { kind: 'asked', code: 'log.columns-changed', message: shownAt(stoppedAt) };
  return { kind: 'right' };
}

/** A column without a name is called by its place, which depends on how many cells its stamp has. */
function isNameless(names: readonly string[], name: string): boolean {
  return names.some((one) => one.startsWith('column ')) && /^column \d+$/.test(name);
}
