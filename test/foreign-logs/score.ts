// How much of the truth a reading of a log gives: points, names and units, and the first thing that is wrong.
import type { ReadChannel, ReadThrough } from './read-through.ts';
import type { TrueChannel, TruePoint, Truth } from './truth.ts';

export interface Score {
  /** Points that are true; such as are none; such as lack without a word. */
  readonly right: number;
  readonly wrong: number;
  readonly missing: number;
  /** Points that lack and were refused, or wait behind a question. */
  readonly refused: number;
  readonly waiting: number;
  /** Channels that have the name, and the unit, that the file gives. */
  readonly named: number;
  readonly inUnit: number;
  /** Channels that should be there, without those that need not. */
  readonly channels: number;
  /** The first fault and its kind; empty: none. */
  readonly fault: string;
  readonly faultKind: '' | 'events' | 'names' | 'units' | 'extra' | 'times' | 'values' | 'missing';
}

/** True where nothing is false, and nothing that was read so far lacks without a word. */
export function isTrue({ faultKind }: Score): boolean {
  return faultKind === '';
}

/** Compare what was read with the truth. */
export function scoreOf(read: ReadThrough, truth: Truth): Score {
  const faults: { kind: Score['faultKind']; text: string }[] = [];
  const note = (kind: Score['faultKind'], text: string) => faults.push({ kind, text });
  if (read.isEvents) note('events', 'taken for an event log');
  const sum = { right: 0, wrong: 0, missing: 0, refused: 0, waiting: 0, named: 0, inUnit: 0, channels: 0 };
  const pairs = pairUp(read.channels, truth.channels);
  for (const [index, channel] of truth.channels.entries()) {
    const own = pairs.get(index) ?? null;
    const due = channel.points.filter(({ line }) => line < read.readTo);
    sum.waiting += channel.points.length - due.length;
    if (!channel.isOptional) sum.channels += 1;
    if (own === null) {
      if (channel.isOptional || due.length === 0) continue;
      const told = due.filter(({ line }) => isRefused(read, line, null));
      sum.refused += told.length;
      sum.missing += due.length - told.length;
      if (told.length < due.length) note('missing', `no channel for ${channel.names.join(' or ')}`);
      continue;
    }
    const [name = '', unit = ''] = [own.name, own.unit];
    const isNamed = channel.names.some((one) => isCalled(one, name));
    const isInUnit = channel.names.some((one) => isCalled(one, name) && one.endsWith(`|${unit}`));
    if (!channel.isOptional) sum.named += Number(isNamed);
    if (!channel.isOptional) sum.inUnit += Number(isInUnit);
    const shown = `channel "${name}" in "${unit}" for ${channel.names.join(' or ')}`;
    if (!isNamed) note('names', shown);
    else if (!isInUnit) note('units', shown);
    compare(own, due, truth.toleranceMs, {
      right: () => {
        sum.right += 1;
      },
      wrong: (kind, text) => {
        sum.wrong += 1;
        note(kind, `${name}: ${text}`);
      },
      missing: ({ line, timeMs, value }) => {
        if (channel.isOptional) return;
        if (line >= read.listedTo || isRefused(read, line, name)) {
          sum.refused += 1;
          return;
        }
        sum.missing += 1;
        note('missing', `${name}: line ${line}, ${new Date(timeMs).toISOString()}, ${value}: missing`);
      },
    });
  }
  const paired = new Set(pairs.values());
  for (const channel of read.channels) {
    if (paired.has(channel) || channel.values.length === 0) continue;
    sum.wrong += channel.values.length;
    note('extra', `a channel "${channel.name}" in "${channel.unit}" that is none, of ${truth.channels.length}`);
  }
  const [first] = [...faults].sort((a, b) => RANK.indexOf(a.kind) - RANK.indexOf(b.kind));
  return { ...sum, fault: first?.text ?? '', faultKind: first?.kind ?? '' };
}

/** What is told first where several things are wrong. */
const RANK: readonly Score['faultKind'][] = ['events', 'times', 'values', 'names', 'extra', 'units', 'missing'];

/** A column without a name is called by its place, which depends on how many cells its stamp has; one of two alike has a number. */
function isCalled(accepted: string, name: string): boolean {
  const wanted = accepted.slice(0, accepted.lastIndexOf('|'));
  const own = name.replace(/ \(\d+\)$/, '');
  if (wanted.startsWith('column ')) return /^column \d+$/.test(own);
  return wanted === own || wanted === name;
}

function isRefused({ refused }: ReadThrough, line: number, channel: string | null): boolean {
  return refused.some(
    (one) => one.line === line && (one.channel === '' || channel === null || one.channel === channel),
  );
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
      if (pairs.has(index)) continue;
      const found = [...left].find((one) => matches(one, channel));
      if (found === undefined) continue;
      pairs.set(index, found);
      left.delete(found);
    }
  }
  return pairs;
}

interface Told {
  right(): void;
  wrong(kind: 'times' | 'values', text: string): void;
  missing(point: TruePoint): void;
}

/** Lay the points of a channel beside the true ones, both in the order of time. */
function compare({ timesMs, values }: ReadChannel, due: readonly TruePoint[], toleranceMs: number, told: Told): void {
  const read = timesMs.map((timeMs, index) => ({ timeMs, value: values[index] as number }));
  const byTime = (a: { timeMs: number; value: number }, b: { timeMs: number; value: number }) =>
    a.timeMs - b.timeMs || a.value - b.value;
  read.sort(byTime);
  const points = [...due].sort(byTime);
  const times = new Set(points.map(({ timeMs }) => Math.round(timeMs)));
  const wrong = ({ timeMs, value }: { timeMs: number; value: number }) => {
    const near = [-1, 0, 1].some((by) => times.has(Math.round(timeMs) + by));
    const same = points.find((point) => point.value === value);
    const ought = near || same === undefined ? '' : ` for ${new Date(same.timeMs).toISOString()}`;
    told.wrong(near ? 'values' : 'times', `${value} at ${new Date(timeMs).toISOString()}${ought}`);
  };
  let [i, j] = [0, 0];
  while (i < points.length || j < read.length) {
    const [point, own] = [points[i], read[j]];
    if (own === undefined) {
      told.missing(point as TruePoint);
      i += 1;
      continue;
    }
    const apart = point === undefined ? Number.NEGATIVE_INFINITY : own.timeMs - point.timeMs;
    const isSameTime = Math.abs(apart) <= toleranceMs;
    if (point !== undefined && isSameTime && Object.is(own.value, point.value)) {
      told.right();
      i += 1;
      j += 1;
    } else if (point === undefined || (isSameTime ? own.value < point.value : apart < 0)) {
      wrong(own);
      j += 1;
    } else {
      told.missing(point);
      i += 1;
    }
  }
}
