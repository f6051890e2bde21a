// The raw file of a streamed entry: its points as CSV, a line each, channel after channel in the order of the chunks.

import { unpackChunk } from './chunk-bytes.ts';
import type { ServiceDatabase } from './database.ts';

/** Chunks read at a time. The statement ends before the next await: an open one would hold up every writer. */
const CHUNKS_AT_ONCE = 64;

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

function linesOf({ name, units, data }: ChunkRow): string {
  const { times, values } = unpackChunk(data);
  const head = `${cell(name)},`;
  const tail = `,${cell(units ?? '')}\r\n`;
  let lines = '';
  for (let at = 0; at < times.length; at++) lines += `${head}${times[at]},${values[at]}${tail}`;
  return lines;
}

/**
 * Write a stream as CSV.
 *
 * @param entryId - the number of its entry.
 * @returns text in pieces: a header, then channel, Unix time in seconds, value, unit. Numbers stand as the shortest text that
 *   gives the same double again.
 */
export function streamCsv(db: ServiceDatabase, entryId: number): ReadableStream<Uint8Array> {
  const next = db.prepare<[number, number, number], ChunkRow>(
    `SELECT k.channel_id, k.chunk_index, c.name, c.units, k.data FROM channel c JOIN chunk k ON k.channel_id = c.id
     WHERE c.entry_id = ? AND (k.channel_id, k.chunk_index) > (?, ?)
     ORDER BY k.channel_id, k.chunk_index LIMIT ${CHUNKS_AT_ONCE}`,
  );
  const encoder = new TextEncoder();
  let last = { channel_id: 0, chunk_index: -1 };
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode('channel,unix_time_seconds,value,units\r\n')),
    pull: (controller) => {
      const rows = next.all(entryId, last.channel_id, last.chunk_index);
      last = rows.at(-1) ?? last;
      if (rows.length > 0) controller.enqueue(encoder.encode(rows.map(linesOf).join('')));
      else controller.close();
    },
  });
}
