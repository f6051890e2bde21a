// A receipt as one HTML file: no script, nothing loaded, every text escaped. It opens in any browser, prints, and can be
// kept beside the data for years. Names and cells come from logs and may hold anything, markup included.
import { formatCount } from '../../model/format.ts';
import type { Receipt } from './receipt.ts';
import { correctionLines, countLines, HASH_HINT, instant, showControls, standing } from './receipt-words.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return showControls(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

const STYLE = `
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1b1b1b; background: #fff; }
h1 { font-size: 1.3rem; margin-bottom: .2rem; } h2 { font-size: 1.05rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .25rem .8rem .25rem 0; border-bottom: 1px solid #ddd; vertical-align: top; overflow-wrap: anywhere; }
td.n, th.n { text-align: right; } code { font-size: .85em; overflow-wrap: anywhere; }
.bad { color: #8a1c1c; font-weight: 600; }`;

type Cell = string | number;

function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const cell = (tag: 'td' | 'th', value: Cell, isNumber: boolean) =>
    `<${tag}${isNumber ? ' class="n"' : ''}>${escapeHtml(typeof value === 'number' ? formatCount(value) : value)}</${tag}>`;
  const first = rows[0] ?? [];
  const heads = head.map((text, at) => cell('th', text, typeof first[at] === 'number')).join('');
  const body = rows.map(
    (row) => `<tr>${row.map((value) => cell('td', value, typeof value === 'number')).join('')}</tr>`,
  );
  return `<table><thead><tr>${heads}</tr></thead><tbody>\n${body.join('\n')}\n</tbody></table>`;
}

function section(title: string, head: readonly string[], rows: readonly (readonly Cell[])[], note = ''): string {
  if (rows.length === 0) return '';
  return `<h2>${escapeHtml(title)}</h2>\n${note === '' ? '' : `<p>${escapeHtml(note)}</p>\n`}${table(head, rows)}`;
}

/**
 * Write a receipt as a page.
 *
 * @returns a whole HTML document in UTF-8.
 */
export function receiptPage(receipt: Receipt): string {
  const { stream, service, channels, refusedCells, refusedByService, source, gaps, marks, confirmation } = receipt;
  const isBad = confirmation?.outcome === 'differs' || receipt.disagreements.length > 0;
  const about: [string, string][] = [
    ['Entry of the service', service.dataId ?? 'none yet'],
    ['Processed entry', service.processedDataId || '-'],
    ['Service', service.address ?? '-'],
    ['Source', stream.sourceId],
    ['Period', stream.period],
    ['Readings', `${instant(stream.firstReadingMs)} to ${instant(stream.lastReadingMs)}`],
    ['Delivered up to', instant(stream.deliveredUpToMs)],
    ['Opened, closed, delivered', [stream.openedMs, stream.closedMs, stream.deliveredMs].map(instant).join(', ')],
    ['Points a chunk', String(stream.pointsPerChunk ?? 'not fixed yet')],
    ['Read back', confirmation === null ? 'not yet' : `${confirmation.outcome}, ${instant(confirmation.atMs)}`],
  ];
  const parts = [
    table(['', ''], [...about, ...countLines(receipt)]),
    section(
      'Does not agree',
      ['What'],
      receipt.disagreements.map((words) => [words]),
    ),
    section(
      'What the read-back found',
      ['What'],
      (confirmation?.notes ?? []).map((note) => [note]),
    ),
    section(
      'Channels',
      ['Name', 'Unit', 'Stored', 'Acknowledged', 'Refused', 'Waiting', 'Open'],
      channels.map((c) => [c.name, c.unit, c.stored, c.acknowledged, c.refused, c.waiting, c.open]),
    ),
    section(
      'Refused by the service, kept here',
      ['Channel', 'Chunk', 'Points', 'From', 'To', 'In the words of the service', 'Sent again in stream'],
      refusedByService.map((r) => [
        ...[r.channel, r.index, r.points, instant(r.firstMs), instant(r.lastMs), r.words],
        String(r.resentIn ?? '-'),
      ]),
    ),
    section(
      'Corrected streams',
      ['What'],
      correctionLines(receipt).map((line) => [line]),
    ),
    section(
      'Cells that are not numbers',
      ['Place', 'Line', 'Byte', 'Channel', 'Text', 'Why'],
      refusedCells.map((c) => [c.place, String(c.line ?? '-'), String(c.byte ?? '-'), c.channel, c.text, c.reason]),
    ),
    section(
      'Gaps',
      ['From', 'To', 'Cause'],
      gaps.map(({ fromMs, toMs, cause }) => [instant(fromMs), instant(toMs), cause]),
    ),
    section(
      marks.count > marks.first.length ? `The first of ${marks.count} marks of event logs` : 'Marks of event logs',
      ['Time', 'File', 'Line', 'Text'],
      marks.first.map(({ timeMs, text, place, line }) => [instant(timeMs), place, String(line ?? '-'), text]),
    ),
    section(
      'Source bytes',
      ['File', 'From byte', 'To byte', 'SHA-256'],
      source.map(({ place, fromByte, toByte, sha256 }) => [place, fromByte, toByte, sha256]),
      HASH_HINT,
    ),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(`Receipt ${stream.name}`)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escapeHtml(stream.name)}</h1>
<p${isBad ? ' class="bad"' : ''}>${escapeHtml(standing(receipt))}</p>
${parts.filter((part) => part !== '').join('\n')}
<p>Made ${escapeHtml(instant(receipt.madeMs))} by Epistream ${escapeHtml(receipt.version)}.</p>
</body>
</html>
`;
}
