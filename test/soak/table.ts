// The table that a soak ends with, and below it whatever was wrong.
import type { GapRow } from '../../src-main/model/queue.ts';
import type { Verdict } from './judge.ts';
import type { TroubledLine } from './troubled-line.ts';
import type { ChannelTruth } from './truth.ts';

/** What a source told, counted: reasons of refused cells, codes of notes and faults. */
export interface Counts {
  readonly refused: Map<string, number>;
  readonly notes: Map<string, number>;
  /** By channel: the unit under which it is kept now. */
  readonly units: Map<string, string>;
  /** Wall clock at the last reading, Unix ms. */
  lastMs: number;
}

export interface SoakRow {
  readonly line: TroubledLine;
  readonly verdicts: readonly (readonly [ChannelTruth, Verdict])[];
  readonly counts: readonly Counts[];
  readonly gaps: readonly GapRow[];
}

export interface SoakFacts {
  readonly minutes: number;
  readonly seed: number;
  readonly delayP99Ms: number;
  readonly delayMaxMs: number;
}

const WRONG_SHOWN = 40;

/**
 * Draw the table.
 *
 * @returns its text, and whether nothing wrong was stored and nothing is missing without a gap.
 */
export function drawSoak(rows: readonly SoakRow[], facts: SoakFacts): { table: string; isClean: boolean } {
  const head = [
    ...[
      'line',
      'asked',
      'taken',
      'refused',
      'wrong',
      'turned',
      'wrong units',
      'unplugged',
      'off',
      'holes made',
      'other holes',
      'gaps',
      'unnamed',
    ],
  ];
  const cells = rows.map(cellsOf);
  const sums = head.map((_, c) => (c === 0 ? 'all' : sum(cells.map((row) => Number(row[c])))));
  const all = [head, ...cells, sums].map((row) => row.map(String));
  const widths = head.map((_, c) => Math.max(...all.map((row) => (row[c] ?? '').length)));
  const draw = (row: readonly string[]) =>
    row.map((cell, c) => (c === 0 ? cell.padEnd(widths[c] ?? 0) : cell.padStart(widths[c] ?? 0))).join('  ');
  const faults = rows.flatMap(({ verdicts }) =>
    verdicts.flatMap(([, { wrong, wrongUnits, unnamed }]) => [...wrong, ...wrongUnits, ...unnamed]),
  );
  const isClean = faults.length === 0 && rows.every(({ verdicts }) => verdicts.every(([, { taken }]) => taken > 0));
  const { minutes, seed, delayP99Ms, delayMaxMs } = facts;
  const lines = [
    `${minutes} min, --seed ${seed}; event loop delay p99 ${delayP99Ms.toFixed(0)} ms, max ${delayMaxMs.toFixed(0)} ms`,
    ...all.map(draw),
    ...rows.flatMap(describe),
    ...faults.slice(0, WRONG_SHOWN),
    ...(faults.length > WRONG_SHOWN ? [`and ${faults.length - WRONG_SHOWN} more`] : []),
  ];
  return { table: lines.join('\n'), isClean };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
const tell = (counts: readonly (readonly [string, number])[]) =>
  counts.map(([what, count]) => `${what} ${count}`).join('; ') || 'none';

function cellsOf({ line, verdicts, counts, gaps }: SoakRow): (string | number)[] {
  const sources = new Set(line.truths.map(({ sourceId }) => sourceId));
  const of = (kind: string) => line.outages.filter((outage) => outage.kind === kind).length;
  const all = verdicts.map(([, verdict]) => verdict);
  return [
    line.name,
    sum(line.truths.map(({ said }) => said.length)),
    sum(all.map(({ taken }) => taken)),
    sum(counts.flatMap(({ refused }) => [...refused.values()])),
    sum(all.map(({ wrong }) => wrong.length)),
    line.turns,
    sum(all.map(({ wrongUnits }) => wrongUnits.length)),
    of('unplugged'),
    of('switched off'),
    sum(all.map(({ outagesSeen }) => outagesSeen)),
    sum(all.map(({ holes }) => holes)),
    gaps.filter(({ sourceId }) => sources.has(sourceId)).length,
    sum(all.map(({ unnamed }) => unnamed.length)),
  ];
}

/** The faults of a line and the reports of its sources about them. */
function describe({ line, counts }: SoakRow): string[] {
  const merged = (pick: (one: Counts) => Map<string, number>) => {
    const total = new Map<string, number>();
    for (const one of counts) for (const [what, n] of pick(one)) total.set(what, (total.get(what) ?? 0) + n);
    return [...total].sort((a, b) => b[1] - a[1]);
  };
  return [
    '',
    `${line.name}: done to replies: ${tell(Object.entries(line.deeds))}`,
    `  refused: ${tell(merged(({ refused }) => refused))}`,
    ...(line.turns > 0
      ? [`  unit turned ${line.turns} times; done to its replies: ${tell(Object.entries(line.unitDeeds))}`]
      : []),
    `  told: ${tell(merged(({ notes }) => notes))}`,
  ];
}
