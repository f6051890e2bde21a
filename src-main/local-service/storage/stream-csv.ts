// The raw file of a streamed entry: its points as CSV, a line each, channel after channel in the order of the chunks.
import { tellValue } from './chunk-bytes.ts';
import type { Points, StoredChannel, StoredChunk } from './points.ts';

/** Lines written before the text is handed on. */
const LINES_AT_ONCE = 4096;

/**
 * Quote a text cell.
 *
 * A text that a spreadsheet would take for a formula gets an apostrophe in front; numbers are never touched.
 */
function cell(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

function* linesOf({ name, units }: StoredChannel, { times, values }: StoredChunk): Generator<string> {
  const head = `${cell(name)},`;
  const tail = `,${cell(units ?? '')}\r\n`;
  for (let from = 0; from < times.length; from += LINES_AT_ONCE) {
    let lines = '';
    const end = Math.min(from + LINES_AT_ONCE, times.length);
    for (let at = from; at < end; at++) lines += `${head}${times[at]},${tellValue(values[at] ?? 0)}${tail}`;
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
export async function* streamCsv(points: Points, entryId: number): AsyncGenerator<string> {
  yield 'channel,unix_time_seconds,value,units\r\n';
  const { channels } = await points.series(entryId);
  for (const channel of channels) {
    for await (const chunks of points.chunks(channel.id, null)) {
      for (const chunk of chunks) yield* linesOf(channel, chunk);
    }
  }
}
