// The wide table of a growth in pages, for a browser that saves them. Nothing is remembered between two pages: what must stay
// the same is in the cursor, and where it did not, the export ends with a fault rather than with columns that moved.
import { createHash } from 'node:crypto';
import type { Argument, Value } from '../../../contract/table.ts';
import { safeFileName } from '../../../delivery/client/safe-file-name.ts';
import { openPoints } from '../../../export/points.ts';
import { answerExport, type ExportStore } from '../../../export/questions.ts';
import { tableHead, tableRows } from '../../../export/wide-csv.ts';
import { AgentError } from '../../../model/agent-error.ts';

type Cursor = Argument<'growth', 'exportPage'>['cursor'];

const CSV = { separator: ',', decimal: '.', resample: null } as const;

/**
 * Write some rows of a growth.
 *
 * @param store - the queue.
 * @param growthId - the growth.
 * @param cursor - where the former page ended; null: from the beginning.
 * @param made - the moment and the program's version.
 * @returns the page.
 * @throws `export.nothing-found`; `export.changed` when a channel came meanwhile; those of the store.
 */
export async function exportGrowthPage(
  store: ExportStore,
  growthId: string,
  cursor: Cursor,
  made: { atMs: number; version: string },
): Promise<Value<'growth', 'exportPage'>> {
  const options = { version: made.version, nowMs: () => made.atMs };
  const source = await openPoints((question) => answerExport(store, question, made), { growth: growthId }, options);
  const columns = createHash('sha256').update(JSON.stringify(source.head.series)).digest('hex').slice(0, 16);
  const { fromMs: startMs, toMs } = source.head;
  const at = cursor ?? { startMs, fromMs: startMs, toMs, stepMs: Math.max(1, toMs - startMs), columns };
  if (at.columns !== columns) throw changed();
  const head = { ...source.head, fromMs: at.startMs };
  const window = await source.window(at.fromMs, Math.min(at.toMs, at.fromMs + at.stepMs));
  const written = { rows: 0, points: 0 };
  const rows = tableRows(window, head, CSV, written);
  const next = { ...at, fromMs: window.toMs, stepMs: 2 * Math.max(1, window.toMs - at.fromMs) };
  return {
    fileName: safeFileName(`${head.title}.csv`),
    text: cursor === null ? tableHead(head, CSV) + rows : rows,
    points: written.points,
    damagedPoints: window.damagedPoints,
    pointsGone: head.pointsGone,
    done: at.toMs > at.startMs ? (window.toMs - at.startMs) / (at.toMs - at.startMs) : 1,
    next: window.toMs < at.toMs ? next : null,
  };
}

function changed(): AgentError {
  return new AgentError({
    code: 'export.changed',
    message: 'A channel was added to the growth while it was exported; no file was made.',
    hint: 'Export it again.',
    retry: 'later',
  });
}
