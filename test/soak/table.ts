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
 * Print the table, and what was wrong.
 *
 * @returns whether units were changed, nothing wrong was stored and nothing is missing without a gap.
 */
export function printSoak(rows: readonly SoakRow[], { minutes, seed, delayP99Ms, delayMaxMs }: SoakFacts): boolean {
  console.log(
    `${minutes} min, --seed ${seed}; event loop delay p99 ${delayP99Ms.toFixed(0)} ms, max ${delayMaxMs.toFixed(0)} ms`,
  );
  console.table(Object.fromEntries(rows.map((row) => [row.line.name, cellsOf(row)])));
  for (const row of rows) console.log(describe(row));
  const all = rows.flatMap(({ verdicts }) => verdicts.map(([, verdict]) => verdict));
  const faults = all.flatMap(({ wrong, wrongUnits, unnamed }) => [...wrong, ...wrongUnits, ...unnamed]);
  for (const fault of faults.slice(0, WRONG_SHOWN)) console.log(fault);
  if (faults.length > WRONG_SHOWN) console.log(`and ${faults.length - WRONG_SHOWN} more`);
  return faults.length === 0 && all.every(({ taken }) => taken > 0) && rows.some(({ line }) => line.turns > 0);
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
const tell = (counts: readonly (readonly [string, number])[]) =>
  counts.map(([what, count]) => `${what} ${count}`).join('; ') || 'none';

function cellsOf({ line, verdicts, counts, gaps }: SoakRow): Readonly<Record<string, number>> {
  const sources = new Set(line.truths.map(({ sourceId }) => sourceId));
  const of = (kind: string) => line.outages.filter((outage) => outage.kind === kind).length;
  const all = verdicts.map(([, verdict]) => verdict);
  return {
    asked: sum(line.truths.map(({ said }) => said.length)),
    taken: sum(all.map(({ taken }) => taken)),
    refused: sum(counts.flatMap(({ refused }) => [...refused.values()])),
    wrong: sum(all.map(({ wrong }) => wrong.length)),
    turned: line.turns,
    'wrong units': sum(all.map(({ wrongUnits }) => wrongUnits.length)),
    unplugged: of('unplugged'),
    off: of('switched off'),
    'holes made': sum(all.map(({ outagesSeen }) => outagesSeen)),
    'other holes': sum(all.map(({ holes }) => holes)),
    gaps: gaps.filter(({ sourceId }) => sources.has(sourceId)).length,
    unnamed: sum(all.map(({ unnamed }) => unnamed.length)),
  };
}

/** The faults of a line and the reports of its sources about them. */
function describe({ line, counts }: SoakRow): string {
  const merged = (pick: (one: Counts) => Map<string, number>) => {
    const total = new Map<string, number>();
    for (const one of counts) for (const [what, n] of pick(one)) total.set(what, (total.get(what) ?? 0) + n);
    return [...total].sort((a, b) => b[1] - a[1]);
  };
  return [
    `${line.name}: done to replies: ${tell(Object.entries(line.deeds))}`,
    `  refused: ${tell(merged(({ refused }) => refused))}`,
    `  done to replies that tell a unit: ${tell(Object.entries(line.unitDeeds))}`,
    `  told: ${tell(merged(({ notes }) => notes))}\n`,
  ].join('\n');
}
