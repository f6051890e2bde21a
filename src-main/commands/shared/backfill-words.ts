// The plan of old data as text and as JSON.

import { z } from 'zod';
import type { OldDataPlan, PlanFile, PlanState, SourcePlan } from '../../agent/old-data/plan-old-data.ts';
import { showControls } from '../../delivery/receipt/receipt-words.ts';
import { formatBytes, formatCount, formatCounted } from '../../model/format.ts';

/** Files of a source that are listed; the rest is counted. */
const LISTED = 20;
/** Entries that are named at a place, and files that could not be read. */
const NAMED = 3;
const FAULTS_NAMED = 10;

/** What a fault tells of the files that it is about. */
const FaultFiles = z.object({ files: z.array(z.string()) });

const STATE_WORDS: Readonly<Record<PlanState, string>> = {
  new: 'new',
  partly: 'partly there',
  there: 'there already',
  question: 'question',
};

/** Write the plan as JSON, with every file. */
export function planAsJson({ sources, catalogueFault, isCatalogueCut }: OldDataPlan): string {
  const catalogue = catalogueFault?.message ?? 'asked';
  const all = sources.map((source) => ({ ...source, fault: source.fault?.message ?? null }));
  return JSON.stringify({ catalogue, isCatalogueCut, sources: all }, null, 2);
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
  const { sourceId, folder, files, fault, openEntries } = source;
  const states = Object.entries(STATE_WORDS).flatMap(([state, word]) => {
    const count = files.filter((file) => file.state === state).length;
    return count === 0 ? [] : [`${formatCount(count)} ${word}`];
  });
  const counts = states.length === 0 ? '' : ` (${states.join(', ')})`;
  const lines = [`Source ${sourceId}: ${formatCounted(files.length, 'file')} to read${counts} in ${folder}`];
  lines.push(...files.slice(0, LISTED).map(describeFile));
  if (files.length > LISTED) lines.push(`  and ${formatCount(files.length - LISTED)} more (--json lists all)`);
  if (files.length > 0 && openEntries.length > 0) {
    lines.push(`  The service shows as open: ${namesOf(openEntries)}.`);
    lines.push('    If another agent still sends this log, end it first, or what both read is stored twice.');
  }
  if (fault) {
    lines.push(`  Reading ends with: ${fault.message}`, `    hint: ${fault.hint}`);
    // The message may speak of the first of them only.
    const paths = FaultFiles.safeParse(fault.context).data?.files ?? [];
    if (paths.length > 1) lines.push(`    files: ${namesOf(paths, FAULTS_NAMED)}`);
  }
  return [...lines, ...describeWay(source)];
}

function describeFile({ path, state, bytes, points, span, pointsThere, entries, why }: PlanFile): string {
  const there = pointsThere === 0 ? '' : `; ${formatCount(pointsThere)} at the service already, in ${namesOf(entries)}`;
  const question = why === '' ? '' : `; ${why}`;
  const dates = span === null ? '' : `, ${minuteOf(span.firstMs)} to ${minuteOf(span.lastMs)} UTC`;
  const size = `${formatBytes(bytes)}, ${formatCounted(points, 'point')}${dates}`;
  return `  ${STATE_WORDS[state].padEnd(13)} ${path}: ${size}${there}${question}`;
}

function namesOf(names: readonly string[], most = NAMED): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`;
}

/** Which setting reads it, and when. */
function describeWay({ sourceId, files, fault, backfill }: SourcePlan): string[] {
  if (files.length === 0) return fault === null ? ['  No file of it has rows that were not read yet.'] : [];
  const lines = ['  Points that are at the service already are not sent again.'];
  if (files.some(({ state }) => state === 'question'))
    lines.push('  Epistream asks before it sends files marked "question": see epistream resend --held.');
  const how = 'The agent reads it after what is new; "epistream run --drain-and-exit" reads it, delivers and exits.';
  if (typeof backfill === 'object')
    return [...lines, `  "backfill: ${backfill.fromDate}" is set: what is from that day on is read. ${how}`];
  if (backfill === 'all') return [...lines, `  "backfill: all" is set: all of it is read. ${how}`];
  const setting = '"backfill: all", or a day to begin with such as "backfill: 2026-11-01",';
  return [...lines, `  To have it read, write ${setting} into the settings of source ${sourceId}. ${how}`];
}

const minuteOf = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 16).replace('T', ' ');
