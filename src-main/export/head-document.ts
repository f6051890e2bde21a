import type { ExportHead } from './points.ts';
import { udunits } from './udunits.ts';

/** Everything of an export but its points, as a document for other programs: plain JSON, times in Unix milliseconds. */
export function headDocument(head: ExportHead) {
  const { title, madeMs, version, fromMs, toMs, growth, gaps, notes, events, sessions, receipts } = head;
  return {
    format: 'epistream-export-1',
    title,
    madeMs,
    version,
    fromMs,
    toMs,
    growth,
    pointsNotKeptHere: head.pointsGone,
    series: head.series.map(({ sourceId, channel, unit }) => ({
      source: sourceId,
      channel,
      unit,
      udunits: udunits(unit),
    })),
    gaps: gaps.map(({ sourceId, ...gap }) => ({ source: sourceId, ...gap })),
    notes,
    events,
    areNotesAndEventsCut: head.areMarksCut,
    rheedSessions: sessions,
    receipts,
  };
}
