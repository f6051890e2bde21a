// How much of the truth a reading of a log gives, and the worst thing that is wrong.
import type { ReadChannel, ReadThrough } from './read-through.ts';
import type { TrueChannel, TruePoint, Truth } from './truth.ts';

/**
 * Kinds of faults, the worst first. `jump`: the time goes back where it does not; `extra`: a channel that is none; `missing`:
 * points lack without a word.
 */
const FAULTS = ['events', 'jump', 'times', 'values', 'names', 'extra', 'units', 'missing'] as const;
export type FaultKind = (typeof FAULTS)[number];

export interface Score {
  /** Points that are true, and such as are none. */
  readonly right: number;
  readonly wrong: number;
  /** Points that lack without a word, and such as were refused. */
  readonly missing: number;
  readonly refused: number;
  /** The kinds of all faults, the worst first. */
  readonly kinds: readonly FaultKind[];
  /** The worst of them as text; empty: none. */
  readonly fault: string;
}

/** Compare what was read with the truth. Rows behind a question are not due. */
export function scoreOf(read: ReadThrough, truth: Truth): Score {
  const faults = new Map<FaultKind, string>();
  const note = (kind: FaultKind, text: string) => faults.set(kind, faults.get(kind) ?? text);
  const sum = { right: 0, wrong: 0, missing: 0, refused: 0 };
  if (read.isEvents) note('events', 'taken for an event log');
  const isRefused = refusalsOf(read);
  const pairs = pairUp(read.channels, truth.channels);
  for (const [index, channel] of truth.channels.entries()) {
    const own = pairs.get(index);
    const shown = channel.names.join(' or ');
    const due = channel.points.filter(({ line }) => line < read.readTo);
    // Of two equal points at one instant one may be refused.
    const open = due.filter(({ line }) => !isRefused(line, own?.name ?? null));
    if (!channel.isOptional) sum.refused += due.length - open.length;
    if (own === undefined) {
      if (channel.isOptional || open.length === 0) continue;
      sum.missing += open.length;
      note('missing', `no channel for ${shown}`);
      continue;
    }
    const fitting = channel.names.filter((one) => isCalled(one, own.name));
    const called = `channel "${own.name}" in "${own.unit}" for ${shown}`;
    if (fitting.length === 0) note('names', called);
    else if (!fitting.some((one) => one.endsWith(`|${own.unit}`))) note('units', called);
    const trueTimes = channel.points.map(({ timeMs }) => timeMs);
    if (goesBack(own.timesMs) > goesBack(trueTimes)) note('jump', `the time of "${own.name}" goes back`);
    const { right, wrong, lacking } = compare(own, open, truth.toleranceMs);
    sum.right += right;
    sum.wrong += wrong.length;
    const [first] = wrong;
    if (first !== undefined) note(...describe(first, own.name, open, truth));
    // A point that stands elsewhere lacks where it should be.
    const missing = channel.isOptional ? [] : lacking.slice(wrong.length);
    const unlisted = missing.filter(({ line }) => line >= read.listedTo).length;
    sum.refused += unlisted;
    sum.missing += missing.length - unlisted;
    const lost = missing.find(({ line }) => line < read.listedTo);
    if (lost)
      note('missing', `"${own.name}", line ${lost.line}: ${lost.value} at ${shownTime(lost.timeMs)} is missing`);
  }
  const paired = new Set(pairs.values());
  for (const channel of read.channels) {
    if (paired.has(channel) || channel.values.length === 0) continue;
    sum.wrong += channel.values.length;
    note('extra', `a channel "${channel.name}" in "${channel.unit}" that is none, of ${truth.channels.length}`);
  }
  const kinds = FAULTS.filter((kind) => faults.has(kind));
  return { ...sum, kinds, fault: faults.get(kinds[0] ?? 'events') ?? '' };
}

const shownTime = (timeMs: number) => new Date(timeMs).toISOString();

/** A column without a name is called by its place, which depends on how many cells its stamp has; one of two alike has a number. */
function isCalled(accepted: string, name: string): boolean {
  const wanted = accepted.slice(0, accepted.lastIndexOf('|'));
  const own = name.replace(/ \(\d+\)$/, '');
  if (wanted.startsWith('column ')) return /^column \d+$/.test(own);
  return wanted === own || wanted === name;
}

/** How often the time goes back. */
function goesBack(timesMs: readonly number[]): number {
  return timesMs.filter((timeMs, index) => timeMs < (timesMs[index - 1] ?? Number.NEGATIVE_INFINITY)).length;
}

/** Tells whether a value of a line was refused, by its channel or (null) any. */
function refusalsOf({ refused }: ReadThrough): (line: number, channel: string | null) => boolean {
  const byLine = Map.groupBy(refused, ({ line }) => line);
  return (line, channel) => {
    const own = byLine.get(line) ?? [];
    return own.some((one) => one.channel === '' || channel === null || one.channel === channel);
  };
}

/** Which channel was read for which true one: first by name and unit, then by name, then by its values. */
function pairUp(read: readonly ReadChannel[], channels: readonly TrueChannel[]): Map<number, ReadChannel> {
  const pairs = new Map<number, ReadChannel>();
  const left = new Set(read);
  const fits: ((one: ReadChannel, channel: TrueChannel) => boolean)[] = [
    ({ name, unit }, { names }) => names.includes(`${name}|${unit}`),
    ({ name, unit }, { names }) => names.some((one) => isCalled(one, name) && one.endsWith(`|${unit}`)),
    ({ name }, { names }) => names.some((one) => isCalled(one, name)),
    ({ values }, { points }) => {
      const known = new Set(points.map(({ value }) => value));
      return values.length > 0 && values.filter((value) => known.has(value)).length * 2 > values.length;
    },
  ];
  for (const matches of fits) {
    for (const [index, channel] of channels.entries()) {
      if (left.size === 0) return pairs;
      if (pairs.has(index)) continue;
      const found = [...left].find((one) => matches(one, channel));
      if (found === undefined) continue;
      pairs.set(index, found);
      left.delete(found);
    }
  }
  return pairs;
}

interface Point {
  readonly timeMs: number;
  readonly value: number;
}

/** Lay the points of a channel beside the true ones, both in the order of time. */
function compare({ timesMs, values }: ReadChannel, due: readonly TruePoint[], toleranceMs: number) {
  const byTime = (a: Point, b: Point) => a.timeMs - b.timeMs || a.value - b.value;
  const read = timesMs.map((timeMs, index): Point => ({ timeMs, value: values[index] as number })).sort(byTime);
  const points = [...due].sort(byTime);
  const wrong: Point[] = [];
  const lacking: TruePoint[] = [];
  let [i, right] = [0, 0];
  for (const own of read) {
    let point = points[i];
    while (point !== undefined && isBefore(point, own, toleranceMs)) {
      lacking.push(point);
      i += 1;
      point = points[i];
    }
    const isTrue = point !== undefined && isSameTime(point, own, toleranceMs) && Object.is(point.value, own.value);
    if (!isTrue) wrong.push(own);
    i += Number(isTrue);
    right += Number(isTrue);
  }
  lacking.push(...points.slice(i));
  return { right, wrong, lacking };
}

function isSameTime(one: Point, other: Point, toleranceMs: number): boolean {
  return Math.abs(one.timeMs - other.timeMs) <= toleranceMs;
}

function isBefore(point: Point, own: Point, toleranceMs: number): boolean {
  return isSameTime(point, own, toleranceMs) ? point.value < own.value : point.timeMs < own.timeMs;
}

/** A wrong point: where the log has its instant its value is wrong, else its time. */
function describe(wrong: Point, name: string, points: readonly TruePoint[], truth: Truth): [FaultKind, string] {
  const shown = `"${name}": ${wrong.value} at ${shownTime(wrong.timeMs)}`;
  const beside = points.find((point) => isSameTime(point, wrong, 1));
  if (beside !== undefined) return ['values', `${shown} for ${beside.value}`];
  const isInstant = truth.channels.some((channel) => channel.points.some((point) => isSameTime(point, wrong, 1)));
  if (isInstant) return ['values', `${shown} that is none`];
  const same = points.find(({ value }) => value === wrong.value);
  return ['times', same === undefined ? shown : `${shown} for ${shownTime(same.timeMs)}`];
}
