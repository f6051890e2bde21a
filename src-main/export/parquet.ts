// Parquet in long form: a row for each point, in the order of time by windows. The unit of a point stands beside it, since it
// may change; what holds for the whole file stands in its metadata, under the key `epistream`, as JSON.
//
// Bounds: one row group a window; indexes of the row groups are kept until the end, some kilobytes each.
import { createHash } from 'node:crypto';
import { asyncBufferFromFile, parquetMetadataAsync, parquetRead } from 'hyparquet';
import { fileWriter, ParquetWriter } from 'hyparquet-writer';
import { instant } from '../delivery/receipt/receipt-words.ts';
import { AgentError } from '../model/agent-error.ts';
import { headDocument } from './head-document.ts';
import { notWhole } from './part-file.ts';
import type { PointSource } from './points.ts';
import type { Written } from './wide-csv.ts';

const text = (name: string) =>
  ({ name, type: 'BYTE_ARRAY', repetition_type: 'REQUIRED', converted_type: 'UTF8' }) as const;

const SCHEMA = [
  { name: 'root', num_children: 5 },
  text('source'),
  text('channel'),
  text('unit'),
  {
    name: 'time',
    type: 'INT64',
    repetition_type: 'REQUIRED',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'NANOS' },
  },
  { name: 'value', type: 'DOUBLE', repetition_type: 'REQUIRED' },
] as const;

/** Unix time in whole nanoseconds, from which the milliseconds come back as they were. */
function nanoseconds(timeMs: number): bigint {
  const whole = Math.floor(timeMs);
  const time = BigInt(whole) * 1_000_000n + BigInt(Math.round((timeMs - whole) * 1e6));
  if (BigInt.asIntN(64, time) !== time) throw notInNanoseconds(timeMs);
  return time;
}

function notInNanoseconds(timeMs: number): AgentError {
  return new AgentError({
    code: 'export.time-unfit',
    message: `Parquet counts nanoseconds, which end in the year 2262; a point is stamped ${instant(timeMs)}.`,
    hint: 'Export it as CSV or HDF5, and look whether its stamps are milliseconds since 1970.',
    retry: 'after-human',
  });
}

/**
 * Write what is exported as Parquet, and read all values of it again.
 *
 * @param source - its points.
 * @param part - the file, there and empty.
 * @param written - is told rows and points.
 * @throws `export.not-whole`, `export.time-unfit`; those of the points and of the file system.
 */
export async function writeParquet(source: PointSource, part: string, written: Written): Promise<void> {
  const { series } = source.head;
  const writer = new ParquetWriter({
    writer: fileWriter(part),
    schema: SCHEMA.map((element) => ({ ...element })),
    kvMetadata: [{ key: 'epistream', value: JSON.stringify(headDocument(source.head)) }],
    createdBy: `Epistream ${source.head.version}`,
  });
  const hash = createHash('sha256');
  for await (const { columns } of source.windows()) {
    const rows = columns.reduce((sum, { values }) => sum + values.length, 0);
    if (rows === 0) continue;
    const [time, value] = [new BigInt64Array(rows), new Float64Array(rows)];
    const names = { source: new Array<string>(rows), channel: new Array<string>(rows), unit: new Array<string>(rows) };
    let at = 0;
    for (const [i, { timesMs, values }] of columns.entries()) {
      const one = series[i];
      names.source.fill(one?.sourceId ?? '', at, at + values.length);
      names.channel.fill(one?.channel ?? '', at, at + values.length);
      names.unit.fill(one?.unit ?? '', at, at + values.length);
      value.set(values, at);
      for (const timeMs of timesMs) time[at++] = nanoseconds(timeMs);
    }
    hash.update(new Uint8Array(value.buffer));
    const columnData = Object.entries({ ...names, time, value }).map(([name, data]) => ({ name, data }));
    await writer.write({ columnData, rowGroupSize: rows });
    written.rows += rows;
    written.points += rows;
  }
  await writer.finish();
  await checkValues(part, written.points, hash.digest('hex'));
}

async function checkValues(part: string, points: number, expected: string): Promise<void> {
  const file = await asyncBufferFromFile(part);
  const metadata = await parquetMetadataAsync(file);
  const hash = createHash('sha256');
  let rowStart = 0;
  for (const { num_rows } of metadata.row_groups) {
    const rowEnd = rowStart + Number(num_rows);
    const values = new Float64Array(rowEnd - rowStart);
    const onChunk = ({ columnData, rowStart: from }: { columnData: ArrayLike<unknown>; rowStart: number }) => {
      values.set(columnData as ArrayLike<number>, from - rowStart);
    };
    await parquetRead({ file, metadata, columns: ['value'], rowStart, rowEnd, onChunk });
    hash.update(new Uint8Array(values.buffer));
    rowStart = rowEnd;
  }
  if (rowStart !== points) throw notWhole(part, `${points} points were written and ${rowStart} come back`);
  if (hash.digest('hex') !== expected) throw notWhole(part);
}
