// Wide CSV: a row for each instant, a column for each series. Spreadsheets, Origin and Igor read it.
//
// The lines before the table begin with `#`; the first of them says how many they are. A cell is blank where the series has no
// point at that instant: nothing is filled. Numbers are written so that reading them gives the same double.
// Source: RFC 4180; OWASP, "CSV Injection".
import { numberCell, textCell } from '../delivery/receipt/csv.ts';
import { instant } from '../delivery/receipt/receipt-words.ts';
import { RESAMPLE_METHODS } from '../model/export.ts';
import type { ExportHead, PointSource, PointWindow, Series } from './points.ts';
import { type Resample, resampleWindows } from './resample.ts';

export interface WideCsvOptions {
  readonly separator: ',' | ';' | '\t';
  readonly decimal: '.' | ',';
  /** Null: a row for each instant that has a point, as recorded. */
  readonly resample: Resample | null;
}

/** What was written so far. */
export interface Written {
  rows: number;
  points: number;
}

const EOL = '\r\n';

/**
 * Write what is exported as a wide table.
 *
 * @param source - its points.
 * @param options - separator, decimal sign, and how it is resampled.
 * @param written - is told rows of the table and points (filled cells).
 * @returns pieces of text.
 */
export async function* wideCsv(source: PointSource, options: WideCsvOptions, written: Written): AsyncGenerator<string> {
  const { head } = source;
  yield tableHead(head, options);
  const windows = options.resample ? resampleWindows(source, options.resample) : source.windows();
  for await (const window of windows) yield tableRows(window, head, options, written);
}

/** Write what stands before the rows: the lines of the head, and the names of the columns. */
function tableHead(head: ExportHead, options: WideCsvOptions): string {
  return headLines(head, options) + headerLine(head.series, options);
}

/** Names of the columns: with the source where two sources have the same one. */
function columnNames(series: readonly Series[]): string[] {
  const oneLine = (text: string) => text.replaceAll(/\p{Cc}/gu, ' ');
  const plain = ({ channel, unit }: Series) => oneLine(unit === '' ? channel : `${channel} [${unit}]`);
  const counts = new Map<string, number>();
  for (const one of series) counts.set(plain(one), (counts.get(plain(one)) ?? 0) + 1);
  return series.map((one) => ((counts.get(plain(one)) ?? 0) > 1 ? `${one.sourceId}/${plain(one)}` : plain(one)));
}

function headerLine(series: readonly Series[], { separator }: WideCsvOptions): string {
  return ['unix_ms', 'time_utc', 'elapsed_s', ...columnNames(series)].map(textCell).join(separator) + EOL;
}

/** Text in the head must not begin a formula where a spreadsheet cuts the line into cells. */
function headText(text: string): string {
  return text
    .replaceAll(/\p{Cc}/gu, ' ')
    .replaceAll('"', "'")
    .replaceAll(/([,;]\s*)(?=[=+\-@＝＋－＠])/gu, "$1'");
}

function headLines(head: ExportHead, { resample, decimal }: WideCsvOptions): string {
  const how = resample
    ? `resampled every ${resample.everyMs} ms: ${RESAMPLE_METHODS[resample.method]} of the points in [t, t + step), blank where there is none`
    : 'as recorded: a row for each instant at which a series has a point, blank where it has none';
  const lines = [
    `title: ${head.title}`,
    `made: ${instant(head.madeMs)} by Epistream ${head.version}`,
    `rows: ${how}`,
    `times: unix_ms and time_utc are UTC; elapsed_s counts from ${instant(head.fromMs)}; decimal sign ${decimal}`,
    ...head.receipts.map(
      ({ stream, service }) => `stream ${stream.id}: ${stream.name}, entry ${service.dataId ?? 'none'}`,
    ),
    ...columnNames(head.series).map((name, i) => `column ${i + 4}: ${name}, source ${head.series[i]?.sourceId}`),
    ...head.gaps.map(({ sourceId, fromMs, toMs, cause }) => {
      return `gap: ${instant(fromMs)} to ${instant(toMs)}, source ${sourceId}, ${cause}`;
    }),
    ...head.notes.map(({ timeMs, text }) => `note: ${instant(timeMs)} ${text}`),
    ...(head.pointsGone > 0
      ? [`missing: ${head.pointsGone} points were delivered long ago and are kept on the service only`]
      : []),
  ];
  return [`Epistream wide CSV; the table begins at line ${lines.length + 2}`, ...lines]
    .map((line) => `# ${headText(line)}${EOL}`)
    .join('');
}

/** Write the rows of a window. A series that has two points of one stamp makes two rows of it. */
function tableRows(window: PointWindow, head: ExportHead, options: WideCsvOptions, written: Written): string {
  const { separator, decimal } = options;
  const cell = (value: number) => (decimal === '.' ? numberCell(value) : numberCell(value).replace('.', ','));
  const at = window.columns.map(() => 0);
  const lines: string[] = [];
  for (;;) {
    let timeMs = Number.POSITIVE_INFINITY;
    for (const [i, { timesMs }] of window.columns.entries()) {
      const next = timesMs[at[i] as number];
      if (next !== undefined && next < timeMs) timeMs = next;
    }
    if (timeMs === Number.POSITIVE_INFINITY) return lines.join('');
    const cells = [cell(timeMs), instant(timeMs), cell((timeMs - head.fromMs) / 1000)];
    for (const [i, { timesMs, values }] of window.columns.entries()) {
      const place = at[i] as number;
      if (timesMs[place] !== timeMs) {
        cells.push('');
        continue;
      }
      cells.push(cell(values[place] as number));
      at[i] = place + 1;
      written.points += 1;
    }
    written.rows += 1;
    lines.push(cells.join(separator) + EOL);
  }
}
