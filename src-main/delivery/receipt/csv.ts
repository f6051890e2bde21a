// Stored points as CSV (RFC 4180), one point a line. Numbers are written so that reading them gives the same double, and
// are never touched; text cells that a spreadsheet would take for a formula get an apostrophe in front.
// Source: RFC 4180; OWASP, "CSV Injection".
import type { ChannelFacts, StoredPage } from '../../model/receipt.ts';
import { instant } from './receipt-words.ts';

export const CSV_HEADER = 'unix_ms,time_utc,channel,unit,value,state,service_words\r\n';

/** Write a text cell: harmless in a spreadsheet, quoted where CSV asks for it. */
export function textCell(text: string): string {
  const isFormula = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u.test(text) || /^[\t\r\n]/.test(text);
  const harmless = isFormula ? `'${text}` : text;
  return /[",\r\n;\t]/.test(harmless) || harmless !== harmless.trim()
    ? `"${harmless.replaceAll('"', '""')}"`
    : harmless;
}

/** Write a number with the fewest digits that give back the same double. */
export function numberCell(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/**
 * Write a page of stored points.
 *
 * @param storedPage - the page.
 * @param channels - the stream's channels.
 * @param options - how many of its points to pass over and how many to write at most.
 * @returns lines, channel after channel within each block, how many points they hold, and whether some are left.
 */
export function pageToCsv(
  { blocks }: StoredPage,
  channels: readonly ChannelFacts[],
  { skip = 0, limit = Number.POSITIVE_INFINITY } = {},
): { text: string; points: number; isCut: boolean } {
  const heads = new Map(channels.map(({ id, name, unit }) => [id, `${textCell(name)},${textCell(unit)}`]));
  const lines: string[] = [];
  let at = 0;
  for (const { state, words, rows, timesMs, channelIds, values } of blocks) {
    const stamps = Array.from(timesMs, (timeMs) => `${numberCell(timeMs)},${textCell(instant(timeMs))}`);
    const tail = `,${state},${textCell(words)}\r\n`;
    for (const [column, id] of channelIds.entries()) {
      const head = heads.get(id) ?? `channel ${id},`;
      for (let row = 0; row < rows; row++, at++) {
        if (at < skip) continue;
        if (lines.length >= limit) return { text: lines.join(''), points: lines.length, isCut: true };
        lines.push(`${stamps[row]},${head},${numberCell(values[column * rows + row] as number)}${tail}`);
      }
    }
  }
  return { text: lines.join(''), points: lines.length, isCut: false };
}
