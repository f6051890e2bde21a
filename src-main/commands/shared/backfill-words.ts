// The plan of old data as text and as JSON.

import type { OldDataPlan, PlanFile, PlanState, SourcePlan } from '../../agent/old-data/plan-old-data.ts';
import { showControls } from '../../delivery/receipt/receipt-words.ts';
import { formatBytes, formatCount, formatCounted } from '../../model/format.ts';

/** Files of a source that are listed; the rest is counted. */
const LISTED = 20;

const STATE_WORDS: Readonly<Record<PlanState, string>> = {
  new: 'new',
  partly: 'partly there',
  there: 'there already',
  question: 'question',
  unreadable: 'unreadable',
};

/** Write the plan as JSON, with every file. */
export function planAsJson({ sources, catalogueFault, isCatalogueCut }: OldDataPlan): string {
  return JSON.stringify({ catalogue: catalogueFault?.message ?? 'asked', isCatalogueCut, sources }, null, 2);
}

/** Write the plan in lines. */
export function planAsText({ sources, catalogueFault, isCatalogueCut }: OldDataPlan): string {
  const lines: string[] = [];
  if (catalogueFault) {
    lines.push(`The catalogue could not be asked: ${catalogueFault.message}`, `  hint: ${catalogueFault.hint}`);
    lines.push('This list goes by what this agent has read; what others have sent is not known.', '');
  }
  if (isCatalogueCut) lines.push('The catalogue has more entries than were looked through.', '');
  for (const source of sources) lines.push(...describeSource(source), '');
  return [...lines, 'Nothing was sent.'].map(showControls).join('\n');
}

function describeSource(source: SourcePlan): string[] {
  const { sourceId, folder, files, foreignEntries, openEntries } = source;
  const states = Object.entries(STATE_WORDS).flatMap(([state, word]) => {
    const count = files.filter((file) => file.state === state).length;
    return count === 0 ? [] : [`${formatCount(count)} ${word}`];
  });
  const lines = [`Source ${sourceId}: ${[formatCounted(files.length, 'file'), ...states].join(', ')}; in ${folder}`];
  const shown = files.filter(({ state, unreadBytes }) => state !== 'there' || unreadBytes > 0);
  lines.push(...shown.slice(0, LISTED).map(describeFile));
  if (shown.length > LISTED) lines.push(`  and ${formatCount(shown.length - LISTED)} more (--json lists all)`);
  if (foreignEntries > 0)
    lines.push(`  Compared with ${formatCounted(foreignEntries, 'entry', 'entries')} of the service that others made.`);
  if (openEntries.length > 0) {
    lines.push(`  Still open: ${openEntries.slice(0, LISTED).join(', ')}.`);
    lines.push('    If another agent still sends this log, end it first, or what both read is stored twice.');
  }
  return [...lines, ...describeWay(source)];
}

function describeFile({ path, state, unreadBytes, points, why, entries }: PlanFile): string {
  const share =
    points === null || points.there === 0
      ? []
      : [
          `${formatCount(points.there)} of ${formatCounted(points.all, 'point')} are at the service: ${entries.join(', ')}`,
        ];
  const parts = [`${formatBytes(unreadBytes)} not read`, ...share, ...(why === '' ? [] : [why])];
  return `  ${STATE_WORDS[state].padEnd(13)} ${path}: ${parts.join('; ')}`;
}

/** What has it read, and from which setting on. */
function describeWay({ sourceId, files, backfill }: SourcePlan): string[] {
  const open = files.filter(({ state }) => state !== 'there' && state !== 'unreadable');
  if (open.length === 0) return ['  Nothing is missing.'];
  const bytes = open.reduce((sum, { unreadBytes }) => sum + unreadBytes, 0);
  const run = 'The agent reads it after what is new, and "epistream run --drain-and-exit" reads, delivers and exits.';
  const left = `  To read: ${formatBytes(bytes)} of ${formatCounted(open.length, 'file')}. Points that are at the service already are left out.`;
  if (typeof backfill === 'object') {
    return [left, `  "backfill: ${backfill.fromDate}" of source ${sourceId} reads what is from that day on. ${run}`];
  }
  if (backfill === 'all') return [left, `  "backfill: all" is set for source ${sourceId}. ${run}`];
  const firstMs = Math.min(...open.flatMap((file) => file.firstMs ?? []));
  const day = Number.isFinite(firstMs) ? new Date(firstMs).toISOString().slice(0, 10) : '2026-11-01';
  return [
    left,
    `  Write "backfill: all" into the settings of source ${sourceId}, or a first day such as "backfill: ${day}". ${run}`,
  ];
}
