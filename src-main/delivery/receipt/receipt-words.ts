// A receipt as text for the terminal.
import { formatCount, formatTime } from '../../model/format.ts';
import type { Receipt } from './receipt.ts';

/** An instant as people and programs read it alike: UTC, with what there is of fractions. */
export function instant(timeMs: number | null): string {
  return timeMs === null ? '-' : formatTime(timeMs);
}

/**
 * Say how the delivery of a stream stands, in one sentence.
 *
 * @returns "confirmed" only when every acknowledged point was compared with what the service gave back.
 */
function standing(receipt: Receipt): string {
  const { stream, counts, confirmation, corrections } = receipt;
  const { pointsWaiting, pointsRefused, pointsResent, pointsAcknowledged } = counts;
  const refusedAgain = corrections.reduce((sum, { refused }) => sum + refused, 0);
  const again = refusedAgain > 0 ? ` and ${formatCount(refusedAgain)} of these were refused again` : '';
  const resent =
    pointsResent > 0 ? `, ${formatCount(pointsResent)} of them were sent again in another stream${again}` : '';
  const kept =
    pointsRefused > 0
      ? ` ${formatCount(pointsRefused)} points were refused by the service and are kept here${resent}.`
      : '';
  const held = heldSentence(receipt);
  if (held !== '' && counts.pointsStored === 0) return held;
  const refused = held === '' ? kept : `${kept} ${held}`;
  if (stream.state !== 'delivered') {
    const settled = pointsRefused > 0 ? 'was delivered or refused' : 'is delivered';
    const kind = stream.state === 'open' ? 'It is still being written.' : 'It takes no more readings.';
    if (pointsWaiting === 0) return `Every point stored so far ${settled}. ${kind}${refused}`;
    const upTo =
      stream.deliveredUpToMs === null ? '' : ` Everything up to ${instant(stream.deliveredUpToMs)} ${settled}.`;
    return `${formatCount(pointsWaiting)} points are stored here and not yet delivered.${upTo} ${kind}${refused}`;
  }
  switch (confirmation?.outcome) {
    case 'confirmed':
      return `Confirmed point by point: all ${formatCount(pointsAcknowledged)} delivered points were read back.${refused}`;
    case 'counted': {
      const { pointsCompared, pointsExpected } = confirmation;
      const rest = 'the rest is confirmed by count, since it is no longer kept here, or too much of one moment';
      return `Delivered: ${formatCount(pointsCompared)} of ${formatCount(pointsExpected)} points were read back one by one; ${rest}.${refused}`;
    }
    case 'differs':
      return `The service gives back something else than was delivered: ${confirmation.notes[0] ?? ''}${refused}`;
    case undefined:
      return `Delivered: the service counted all ${formatCount(pointsAcknowledged)} points. Not read back yet.${refused}`;
  }
}

/** What of the stream is not sent, since the service held it; empty: nothing. */
function heldSentence({ counts: { pointsHeld }, heldIn }: Receipt): string {
  if (pointsHeld === 0) return '';
  const where = heldIn.map((name) => `"${name}"`).join(', ');
  return `${formatCount(pointsHeld)} points were at the service already, in ${where}, and were not sent again.`;
}

/** The numbers of a receipt, each with its name, in the order in which points go their way. */
function countLines({ counts, refusedCells, refusedByService }: Receipt): [string, string][] {
  const listed = (all: number, shown: number) =>
    shown < all && shown > 0 ? ` (the first ${formatCount(shown)} are listed)` : '';
  const refusedListed = refusedByService.reduce((sum, { points }) => sum + points, 0);
  return [
    ['Rows read', formatCount(counts.rowsRead)],
    ['Cells that are not numbers', formatCount(counts.cellsRefused) + listed(counts.cellsRefused, refusedCells.length)],
    ['Points stored', formatCount(counts.pointsStored)],
    ['Points acknowledged', formatCount(counts.pointsAcknowledged)],
    ['Points refused by the service', formatCount(counts.pointsRefused) + listed(counts.pointsRefused, refusedListed)],
    ['Points waiting', formatCount(counts.pointsWaiting)],
    ['Points read back', formatCount(counts.pointsReadBack)],
  ];
}

/** In which streams refused points went out again and how they stand there; and whose points this stream takes. */
function correctionLines({ correctionOf, corrections }: Receipt): string[] {
  const state = (points: number, acknowledged: number, refused: number) =>
    [
      `${formatCount(acknowledged)} of ${formatCount(points)} points acknowledged`,
      ...(refused > 0 ? [`${formatCount(refused)} refused again`] : []),
    ].join(', ');
  return [
    ...correctionOf.map(
      (id) => `corrected part of stream ${id}: it sends points again which the service refused there`,
    ),
    ...corrections.map(
      ({ stream, name, points, acknowledged, refused }) =>
        `sent again in stream ${stream}, "${name}": ${state(points, acknowledged, refused)}`,
    ),
  ];
}

/** How a person proves a hash with the tools of any system. */
const HASH_HINT =
  'Each hash is SHA-256 over the bytes of the file from the first to the last named: ' +
  'tail -c +$((FROM+1)) FILE | head -c $((TO-FROM)) | sha256sum';

/**
 * Write a receipt for the terminal.
 *
 * @returns text of several lines; control characters of names and logs are shown, not sent.
 */
export function receiptText(receipt: Receipt): string {
  const { stream, service, channels, source, marks, confirmation } = receipt;
  const lines = [
    stream.name,
    standing(receipt),
    `entry ${service.dataId ?? 'none yet'}${service.address === null ? '' : ` at ${service.address}`}`,
    `readings from ${instant(stream.firstReadingMs)} to ${instant(stream.lastReadingMs)}; ${stream.pointsPerChunk ?? '?'} points a chunk`,
    ...countLines(receipt).map(([name, value]) => `  ${name.padEnd(30)} ${value}`),
    `${channels.length} channels: stored, acknowledged, refused`,
    ...channels.map(
      ({ name, unit, stored, acknowledged, refused }) =>
        `  ${`${name}${unit === '' ? '' : ` [${unit}]`}`.padEnd(30)} ${stored}, ${acknowledged}, ${refused}`,
    ),
    ...receipt.refusedCells.map(
      ({ place, line, byte, channel, text, reason }) =>
        `not a number: ${place}${line === null ? '' : `:${line}`}${byte === null ? '' : ` (byte ${byte})`} ${channel} "${text}": ${reason}`,
    ),
    ...correctionLines(receipt),
    ...receipt.refusedByService.map(
      ({ channel, index, points, words, resentIn }) =>
        `refused by the service: ${channel}, chunk ${index}, ${points} points${resentIn === null ? '' : `, sent again in stream ${resentIn}`}: ${words}`,
    ),
    ...receipt.gaps.map(({ fromMs, toMs, cause }) => `gap: ${instant(fromMs)} to ${instant(toMs)}: ${cause}`),
    ...(marks.count > 0 ? [`${marks.count} ${marks.count === 1 ? 'mark' : 'marks'} of event logs`] : []),
    ...marks.first.map(({ timeMs, text, place, line }) => `mark: ${instant(timeMs)} ${place}:${line ?? '?'} ${text}`),
    ...(confirmation?.notes ?? []).map((note) => `read back: ${note}`),
    ...receipt.disagreements.map((words) => `DOES NOT AGREE: ${words}`),
    ...source.map(({ place, fromByte, toByte, sha256 }) => `sha256 ${sha256}  ${place} bytes ${fromByte}..${toByte}`),
    ...(source.length > 0 ? [HASH_HINT] : []),
  ];
  return lines.map(showControls).join('\n');
}

/** Characters that would steer a terminal, turn the direction of text, or break a line, shown as their code. */
export function showControls(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => {
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}
