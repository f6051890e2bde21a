// A backfill plan as text and as JSON.

import type { OldDataPlan } from '../../agent/old-data/plan-old-data.ts';
import type { PlanFile, PlanRun, SourcePlan } from '../../agent/old-data/plan-source.ts';
import { formatCount } from '../../model/format.ts';

/** Files that are listed of a folder; the rest is counted. */
const LISTED = 20;

const day = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 16).replace('T', ' ');

/** Print a plan. Takes whether as JSON, and whether it is all that was asked for. */
export function tellPlan(plan: OldDataPlan, { isJson, isPlan }: { isJson: boolean; isPlan: boolean }): void {
  console.log(isJson ? JSON.stringify(asJson(plan), null, 2) : describePlan(plan, isPlan).join('\n'));
}

/** The plan as values: what the text says, file by file. */
function asJson({ sources, catalogueFault, isCatalogueCut }: OldDataPlan): unknown {
  return {
    catalogue: catalogueFault === null ? 'asked' : catalogueFault.message,
    isCatalogueCut,
    sources: sources.map(({ sourceId, folder, foreignEntries, runs, files }) => ({
      sourceId,
      folder,
      foreignEntries,
      runs,
      files,
    })),
  };
}

/** The plan in lines. With `isPlan` every file is named that is not there whole. */
function describePlan({ sources, catalogueFault, isCatalogueCut }: OldDataPlan, isPlan: boolean): string[] {
  const lines: string[] = [];
  if (catalogueFault) {
    lines.push(`The catalogue could not be asked: ${catalogueFault.message}`, `  hint: ${catalogueFault.hint}`);
    lines.push('What follows goes by what this agent itself has read; what others have sent is not known.', '');
  }
  if (isCatalogueCut) lines.push('The catalogue holds more entries than were looked through.', '');
  for (const source of sources) lines.push(...describeSource(source, isPlan));
  return lines;
}

function describeSource({ sourceId, folder, runs, files, foreignEntries }: SourcePlan, isPlan: boolean): string[] {
  const lines = [`Source ${sourceId}: ${filesText(files.length)} in ${folder}`];
  if (foreignEntries > 0)
    lines.push(`  ${formatCount(foreignEntries)} entries of the catalogue were made by others for it`);
  for (const run of runs) {
    lines.push(describeRun(run));
    if (!isPlan) continue;
    const shown = files.filter(
      (file) => folderOf(file) === run.name && (file.state !== 'there' || file.entries.length > 0),
    );
    lines.push(...shown.slice(0, LISTED).map(describeFile));
    if (shown.length > LISTED) lines.push(`      and ${formatCount(shown.length - LISTED)} more (--json lists all)`);
  }
  const missing = files.reduce((sum, { missingBytes }) => sum + missingBytes, 0);
  const held = files.filter(({ leftBytes }) => leftBytes > 0);
  lines.push(missing === 0 ? '  Nothing is missing.' : `  Missing: ${formatCount(missing)} bytes.`);
  if (held.length > 0) {
    lines.push(
      `  Left alone, since it cannot be told or sent without doubling something: parts of ${filesText(held.length)}.`,
    );
    for (const why of new Set(held.map((file) => file.why))) lines.push(`    ${why}`);
  }
  return [...lines, ''];
}

function folderOf({ path }: PlanFile): string {
  const cut = path.lastIndexOf('/');
  return cut === -1 ? '.' : path.slice(0, cut);
}

function describeRun({ name, files, byState, missingBytes, fromMs, toMs }: PlanRun): string {
  const words = {
    new: 'new',
    partly: 'partly there',
    there: 'there already',
    held: 'left alone',
    unreadable: 'unreadable',
  };
  const states = Object.entries(words).flatMap(([state, word]) => {
    const count = byState[state as keyof typeof words];
    return count === 0 ? [] : [`${formatCount(count)} ${word}`];
  });
  return `  ${name}: ${filesText(files)}, ${day(fromMs)} to ${day(toMs)} UTC: ${states.join(', ')}; ${formatCount(missingBytes)} bytes missing`;
}

const STATE_WORDS = {
  new: 'new          ',
  partly: 'partly there ',
  there: 'there already',
  held: 'left alone   ',
  unreadable: 'unreadable   ',
} as const;

function describeFile({ path, state, missingBytes, thereBytes, leftBytes, why, entries }: PlanFile): string {
  const parts = [
    ...(missingBytes > 0 ? [`${formatCount(missingBytes)} bytes missing`] : []),
    ...(thereBytes > 0 ? [`${formatCount(thereBytes)} bytes there: ${entries.join(', ')}`] : []),
    ...(leftBytes > 0 ? [`${formatCount(leftBytes)} bytes left alone`] : []),
    ...(why === '' ? [] : [why]),
  ];
  return `      ${STATE_WORDS[state]} ${path}: ${parts.join('; ')}`;
}

function filesText(files: number): string {
  return files === 1 ? '1 file' : `${formatCount(files)} files`;
}
