// Holds what was stored against what was said, and the gaps of the ledger against the outages that were made.
import type { GapRow } from '../../src-main/model/queue.ts';
import type { ChannelTruth, Outage } from './truth.ts';

/** Longer than so many intervals between two points is a hole that must be named: the source's own rule for misses. */
const OUTAGE_INTERVALS = 1.5;
/** A reply that was under way when an outage began still comes: what ended just then was no outage's hole, milliseconds. */
const UNDER_WAY_MS = 100;
/** A refused reading is noted a moment after it came, where its gap ends, milliseconds. */
const NOTED_MS = 50;
/** Where no outage was made: polls come a little late on a busy machine, and one that was answered late is none missed. */
const HOLE_INTERVALS = 3;
/** Gaps of readings that came and whose unit nobody knew. */
const NOT_STORED = /readings? (was|were) not stored/;

export interface Points {
  readonly timesMs: ArrayLike<number>;
  readonly values: ArrayLike<number>;
  /** The unit that each is stored under. */
  readonly units: ArrayLike<string>;
}

export interface Verdict {
  readonly taken: number;
  /** Stored values that differ from what the instrument said then, each as text. */
  readonly wrong: readonly string[];
  /** Stored values that are right, under a unit that they were not in, each as text. */
  readonly wrongUnits: readonly string[];
  /** Outages that left a hole, and of these the ones that no gap covers, as text. */
  readonly outagesSeen: number;
  readonly unnamed: readonly string[];
  /** Holes without an outage: single replies that failed, and failed again when repeated. */
  readonly holes: number;
}

/**
 * Judge one channel. Takes what was said, what is stored (in stored order), the gaps of its source, when readings of it were
 * refused with their text, the outages of its line, when the recording was stopped, Unix ms, and by how much the clock of
 * the recorder may differ, when it is another process.
 */
export function judgeChannel(
  truth: ChannelTruth,
  points: Points,
  gaps: readonly GapRow[],
  refusedMs: readonly number[],
  outages: readonly Outage[],
  stoppedMs: number,
  clocksApartMs = 0,
): Verdict {
  const times = Array.from(points.timesMs);
  return {
    taken: times.length,
    wrong: findWrong(truth, times, Array.from(points.values), clocksApartMs),
    wrongUnits: findWrongUnits(truth, times, points),
    ...judgeHoles(truth, { times, refusedMs, stoppedMs }, gaps, outages),
  };
}

function findWrong(
  truth: ChannelTruth,
  times: readonly number[],
  values: readonly number[],
  clocksApartMs: number,
): string[] {
  const wrong: string[] = [];
  let lastN = -1;
  for (const [at, value] of values.entries()) {
    const timeMs = times[at] as number;
    const tell = (why: string) =>
      wrong.push(`${truth.sourceId} ${truth.channel}: ${value} at ${new Date(timeMs).toISOString()}: ${why}`);
    const said = truth.find(value);
    if (!said) {
      tell('never said on this channel');
      continue;
    }
    if (said.n === lastN) tell('stored twice');
    else if (said.n < lastN) tell(`stored behind a later one (${said.n} after ${lastN})`);
    lastN = Math.max(lastN, said.n);
    if (said.deed === 'silence') tell('it was never sent');
    // A process that stood still waits longer than intended: a late reply is right while its own question is the last one.
    const isPast = () => truth.asks.some((ms) => ms > said.askedMs && ms < timeMs + clocksApartMs);
    if (said.deed === 'late' && isPast()) tell('its reply was made late, and taken for that to another question');
    if (timeMs < said.askedMs - clocksApartMs) tell(`stamped ${said.askedMs - timeMs} ms before it was said`);
    const next = truth.said[said.n + 1];
    if (truth.isAsked && next && timeMs > next.askedMs + clocksApartMs) tell('stamped after the next question was put');
  }
  return wrong;
}

function findWrongUnits(truth: ChannelTruth, times: readonly number[], { values, units }: Points): string[] {
  return times.flatMap((timeMs, at) => {
    const said = truth.find(values[at] as number);
    if (!said || said.unit === units[at]) return [];
    const what = `${truth.sourceId} ${truth.channel}: ${said.value} ${said.unit} at ${new Date(timeMs).toISOString()}`;
    return [`${what}: stored in "${units[at]}"`];
  });
}

function judgeHoles(
  truth: ChannelTruth,
  seen: { readonly times: readonly number[]; readonly refusedMs: readonly number[]; readonly stoppedMs: number },
  gaps: readonly GapRow[],
  outages: readonly Outage[],
): Pick<Verdict, 'outagesSeen' | 'unnamed' | 'holes'> {
  const { everyMs, sourceId, channel } = truth;
  const refused = new Set(seen.refusedMs);
  const times = [...seen.times, ...refused, seen.stoppedMs].sort((a, b) => a - b);
  let outagesSeen = 0;
  let holes = 0;
  const unnamed: string[] = [];
  for (let at = 1; at < times.length; at++) {
    const [fromMs, toMs] = [times[at - 1] as number, times[at] as number];
    const made = outages.filter((outage) => outage.fromMs < toMs - UNDER_WAY_MS && outage.toMs > fromMs);
    const limit = made.length > 0 ? OUTAGE_INTERVALS : HOLE_INTERVALS;
    if (toMs - fromMs <= limit * everyMs) continue;
    outagesSeen += made.length;
    if (made.length === 0) holes += 1;
    const named = gaps.map((gap) => (NOT_STORED.test(gap.cause) ? widen(gap, limit * everyMs, everyMs) : gap));
    if (isCovered(fromMs, refused.has(toMs) ? toMs - NOTED_MS : toMs, named)) continue;
    const what = made.map(({ kind, ...o }) => `${kind} for ${o.toMs - o.fromMs} ms`).join(', ') || 'no outage made';
    const near = named.filter((gap) => gap.fromMs < toMs && gap.toMs > fromMs);
    const told =
      near.map((gap) => `${gap.fromMs - fromMs} to ${gap.toMs - fromMs} ms: ${gap.cause}`).join('; ') || 'none';
    unnamed.push(
      `${sourceId} ${channel}: nothing from ${new Date(fromMs).toISOString()} for ${toMs - fromMs} ms (${what}); gaps: ${told}`,
    );
  }
  return { outagesSeen, unnamed, holes };
}

/** A gap that begins an interval before a reading and ends with one: up to the readings beside it there is no hole. */
const widen = (gap: GapRow, limitMs: number, everyMs: number): GapRow => ({
  ...gap,
  fromMs: gap.fromMs + everyMs - limitMs,
  toMs: gap.toMs + limitMs,
});

/** Whether gaps cover a time without a hole between them. */
function isCovered(fromMs: number, toMs: number, gaps: readonly GapRow[]): boolean {
  let coveredMs = fromMs;
  for (const gap of [...gaps].sort((a, b) => a.fromMs - b.fromMs)) {
    if (gap.fromMs <= coveredMs) coveredMs = Math.max(coveredMs, gap.toMs);
  }
  return coveredMs >= toMs;
}
