// Reads a foreign log as the agent would and compares with the truth: equal, or a question.
import { Dialect } from '../../src-main/model/dialect.ts';
import { decodeText, encodingOf } from '../../src-main/sources/log/cells/encoding.ts';
import { frameLines } from '../../src-main/sources/log/cells/framer.ts';
import { makeParser } from '../../src-main/sources/log/parse/make-parser.ts';
import { recogniseLayout } from '../../src-main/sources/log/recognise/recognise.ts';
import { NOW_MS, type WrittenLog, ZONE } from './write-log.ts';

export type Outcome =
  | { readonly is: 'right' }
  | { readonly is: 'asked'; readonly code: string; readonly message: string }
  | { readonly is: 'wrong'; readonly why: string; readonly reasons: readonly string[] };

/** Read a log. **Gives**: `wrong` for anything but the truth, or as much of it as stands above a question. */
export function readLog({ bytes, path, modifiedMs, truth }: WrittenLog): Outcome {
  const head = { bytes, path, laterLines: [], settledFormat: null, modifiedMs, nowMs: NOW_MS };
  const found = recogniseLayout(head, Dialect.parse({}), ZONE);
  if (!('layout' in found)) return { is: 'asked', code: found.code, message: found.message };
  const { layout, kinds, dataByte, reasons } = found;
  const wrong = (why: string): Outcome => ({ is: 'wrong', why, reasons });
  const frame = frameLines(bytes.subarray(dataByte), dataByte, encodingOf(layout.encoding));
  const block = { bytes: frame.bytes, place: path, line: found.dataLine + 1, sinceMs: Number.NEGATIVE_INFINITY };
  const parsed = makeParser(layout).parse({ ...block, fileByteOf: frame.fileByteOf }, kinds, Number.NaN);
  const { timesMs, values, columns, stoppedAt } = parsed;
  const shown = (at: number) => decodeText(frame.bytes.subarray(at, at + 80), 'utf-8');

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
  // Less than three lines of another kind at the very end are refused with their text, or wait for the third.
  const known = truth.knownRows + Math.min(2, parsed.refusedCount);
  if (timesMs.length > known) return wrong(`${timesMs.length} rows, ${truth.knownRows} known`);
  // One damaged line, or two, are refused with their text; more that follow one another are a question.
  const refusedLines = new Set(parsed.refusals.map(({ line }) => line)).size;
  let lost = 0;
  let row = 0;
  for (const { timeMs, values: own } of truth.rows) {
    if (row === timesMs.length) break;
    const isSame = Math.abs((timesMs[row] as number) - timeMs) <= truth.toleranceMs;
    if (!isSame && lost < Math.min(2, refusedLines)) {
      lost += 1;
      continue;
    }
    if (!isSame) {
      const [is, ought] = [timesMs[row] as number, timeMs].map((ms) => new Date(ms).toISOString());
      return wrong(`row ${row}: ${is} for ${ought}`);
    }
    const is = columns.map((_, out) => values[row * columns.length + out]);
    if (is.some((value, out) => !Object.is(value, own[out]))) {
      // Rows may share a stamp: a refused one is then missing by its values alone.
      if (
        lost < Math.min(2, parsed.refusedCount) &&
        own.every((value) => !Number.isNaN(value)) &&
        is.every((value) => !Number.isNaN(value as number))
      ) {
        lost += 1;
        continue;
      }
      const isTold =
        parsed.refusedCount > 0 && lost < 2 && is.every((value, out) => Number.isNaN(value) || value === own[out]);
      if (!isTold) return wrong(`row ${row}: ${is} for ${own}`);
      lost += 1;
    }
    row += 1;
  }
  if (stoppedAt !== null) return { is: 'asked', code: 'log.columns-changed', message: shown(stoppedAt) };
  if (timesMs.length < truth.rows.length) {
    const missing = truth.rows.length - timesMs.length;
    if (missing < 3 && missing <= refusedLines) return { is: 'right' };
    return wrong(`${missing} of ${truth.rows.length} rows are missing, refused: ${parsed.refusedCount}`);
  }
  return { is: 'right' };
}

/** A column without a name is called by its place, which hangs on how many cells its stamp has. */
function isNameless(names: readonly string[], name: string): boolean {
  return names.some((one) => one.startsWith('column ')) && /^column \d+$/.test(name);
}
