// The raw file of a streamed entry: its points as CSV, a line each, channel after channel in the order of the chunks.

import { unpackChunk } from './chunk-bytes.ts';
import type { ServiceDatabase } from './sqlite/database.ts';

/** Chunks read at a time. The statement ends before the next await: an open one would hold up every writer. */
const CHUNKS_AT_ONCE = 64;
/** Lines written before the text is handed on. */
const LINES_AT_ONCE = 4096;

interface ChunkRow {
  channel_id: number;
  chunk_index: number;
  name: string;
  units: string | null;
  data: Buffer;
}

/**
 * Quote a text cell.
 *
 * A text that a spreadsheet would take for a formula gets an apostrophe in front; numbers are never touched.
 */
function cell(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

function* linesOf({ name, units, data }: ChunkRow): Generator<string> {
  const { times, values } = unpackChunk(data);
  const head = `${cell(name)},`;
  const tail = `,${cell(units ?? '')}\r\n`;
  for (let from = 0; from < times.length; from += LINES_AT_ONCE) {
    let lines = '';
    const end = Math.min(from + LINES_AT_ONCE, times.length);
    for (let at = from; at < end; at++) lines += `${head}${times[at]},${values[at]}${tail}`;
    yield lines;
  }
}

/**
 * Write a stream as CSV.
 *
 * @param entryId - the number of its entry.
 * @returns text in parts: a header, then channel, Unix time in seconds, value, unit. Numbers stand as the shortest text that
 *   gives the same double again.
 */
export async function* streamCsv(db: ServiceDatabase, entryId: number): AsyncGenerator<string> {
  const next = db.prepare<[number, number, number], ChunkRow>(
    `SELECT k.channel_id, k.chunk_index, c.name, c.units, k.data FROM channel c JOIN chunk k ON k.channel_id = c.id
     WHERE c.entry_id = ? AND (k.channel_id, k.chunk_index) > (?, ?)
     ORDER BY k.channel_id, k.chunk_index LIMIT ${CHUNKS_AT_ONCE}`,
  );
  yield 'channel,unix_time_seconds,value,units\r\n';
  let rows = next.all(entryId, 0, -1);
  while (rows.length > 0) {
    for (const row of rows) yield* linesOf(row);
    const last = rows.at(-1);
    rows = last === undefined ? [] : next.all(entryId, last.channel_id, last.chunk_index);
  }
}
