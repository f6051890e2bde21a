// A random walk: a writer that appends, rotates, truncates, replaces, renames and copies, a reader that looks at random
// and is killed at random, and the account of what must have come of it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LogReader } from './log-reader.ts';
import type { Deed } from './log-writer.ts';

const HEADER = 'time,v\n';
/** A whole line, and its value. */
const WHOLE = /^\d+\.5,(\d+)\n/gm;

/** A small, seeded source of chance (mulberry32). */
export function chance(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

export interface Walk {
  /** What happened, to be read when it went wrong. */
  readonly story: string[];
  /** Lines that stood whole in a file of the folder at one look. */
  readonly seen: ReadonlySet<number>;
  /** Lines written into a file that the reader knew, and that may have been destroyed before a look. */
  readonly exposed: ReadonlySet<number>;
  /** Values that came, in order. */
  readonly delivered: readonly number[];
  readonly gaps: number;
}

export interface Writer {
  does(deed: Deed): Promise<void>;
}

/**
 * Walk once. Takes folder (empty), writer, seed, steps, and whether the reader skips the files that it finds at first and is asked
 * for half way.
 *
 * @returns the account; the reader has been brought to rest.
 */
export async function walk(
  folder: string,
  writer: Writer,
  seed: number,
  steps: number,
  isFilled = false,
): Promise<Walk> {
  const pick = chance(seed);
  const isNarrow = pick(2) === 0;
  const backfill = isFilled ? 'from-now' : 'all';
  const reader = new LogReader({ path: folder, match: isNarrow ? '*.csv' : '*.csv*', backfill });
  const story: string[] = [];
  const seen = new Set<number>();
  const exposed = new Set<number>();
  /** The reader has read lines of the file that is log.csv now. */
  let isKnown = false;
  let next = 1;
  let half = '';
  const line = () => {
    const written = `${1_790_000_000 + next}.5,${next}\n`;
    next += 1;
    return written;
  };
  const some = () => Array.from({ length: 1 + pick(4) }, line).join('');
  const exists = () => readdirSync(folder).includes('log.csv');
  const tell = async (deed: Deed) => {
    if (deed.do !== 'append' && deed.do !== 'copy' && deed.do !== 'replace') isKnown = false;
    if (isKnown && 'text' in deed) for (const [, value] of deed.text.matchAll(WHOLE)) exposed.add(Number(value));
    story.push(JSON.stringify(deed));
    await writer.does(deed);
  };
  const append = async (text: string) => {
    const start = exists() ? '' : HEADER;
    await tell({ do: 'append', file: 'log.csv', text: start + half + text });
    half = '';
  };
  /** End a half line, since what follows would take it away for good. */
  const endHalf = async () => {
    if (half !== '') await append('');
  };

  const deeds: (() => Promise<void>)[] = [
    () => append(some()),
    () => append(some()),
    () => append(some()),
    async () => {
      // A half line: the rest comes with the next append.
      await append('');
      const whole = line();
      const cut = 1 + pick(whole.length - 2);
      half = whole.slice(cut);
      await tell({ do: 'append', file: 'log.csv', text: whole.slice(0, cut) });
    },
    async () => {
      await endHalf();
      if (exists()) await tell({ do: 'rename', file: 'log.csv', to: 'log.csv.1' });
      if (pick(2) === 0) await append(some());
    },
    async () => {
      await endHalf();
      if (!exists()) return;
      await tell({ do: 'copy', file: 'log.csv', to: 'log.csv.1' });
      await tell({ do: 'truncate', file: 'log.csv', bytes: 0 });
      if (pick(2) === 0) await tell({ do: 'append', file: 'log.csv', text: HEADER + some() });
    },
    async () => {
      await endHalf();
      if (exists()) await tell({ do: 'rewrite', file: 'log.csv', text: HEADER + some() });
    },
    async () => {
      await endHalf();
      if (exists()) await tell({ do: 'recreate', file: 'log.csv', text: HEADER + some() });
    },
    async () => {
      await endHalf();
      if (!exists()) return;
      const text = readFileSync(join(folder, 'log.csv'), 'utf8');
      await tell({ do: 'replace', file: 'log.csv', text: (text === '' ? HEADER : text) + some() });
    },
    async () => {
      await endHalf();
      if (exists()) await tell({ do: 'rename', file: 'log.csv', to: `log-20260921-${10 + pick(19)}.csv` });
    },
    async () => {
      if (half === '' && exists()) await tell({ do: 'copy', file: 'log.csv', to: 'copy of log.csv' });
    },
  ];

  /** Lines that stand whole in a watched file now: what a look cannot miss. */
  const standing = () => {
    const names = readdirSync(folder).filter((name) => !isNarrow || name.endsWith('.csv'));
    const texts = names.map((name) => readFileSync(join(folder, name), 'utf8'));
    return texts.flatMap((text) => [...text.matchAll(WHOLE)].map(([, value]) => Number(value)));
  };
  /** Lines that were there at the first look and are skipped; they may be gone before they are asked for. */
  let old: ReadonlySet<number> = new Set();
  const lookAround = () => {
    for (const value of standing()) seen.add(value);
    if (isFilled && !reader.sink.kept.has('@folder')) old = new Set(standing());
  };
  let told = 0;
  const tellArrivals = (what: string) => {
    const { captures } = reader.sink;
    const fresh = captures.slice(told).flatMap(({ blocks }) => blocks.map(({ values }) => values.join(' ')));
    story.push(`${what}, read ${fresh.join('; ') || 'nothing'}`);
    told = captures.length;
  };
  for (let step = 0; step < steps; step++) {
    if (isFilled && step === Math.floor(steps / 2)) {
      story.push('killed; old data is asked for');
      await reader.kill();
      reader.use({ backfill: 'all' });
    }
    for (let deed = pick(4); deed > 0; deed--) await deeds[pick(deeds.length)]?.();
    const what = pick(10);
    if (what < 7) {
      lookAround();
      await reader.look(pick(4) === 0 ? 3000 : 500);
      isKnown = exists() && isRead(readFileSync(join(folder, 'log.csv'), 'utf8'), reader.sink.values('v'));
      tellArrivals('look');
    } else if (what === 7) {
      story.push('killed');
      await reader.kill();
    } else {
      story.push(what === 8 ? 'killed before the commit' : 'killed after the commit');
      if (isFilled && !reader.sink.kept.has('@folder')) old = new Set(standing());
      await reader.lookAndDie(what === 8 ? 'before' : 'after');
      tellArrivals('died');
    }
  }
  await endHalf();
  for (let rest = 0; rest < 4; rest++) {
    lookAround();
    // What may be the next run of a series waits a minute at most.
    await reader.look(30_000);
    tellArrivals('look');
  }
  await reader.kill();
  for (const value of old) seen.delete(value);
  for (const value of standing()) seen.add(value);
  const delivered = reader.sink.channels.flatMap((channel) => reader.sink.values(channel));
  return { story, seen, exposed, delivered, gaps: reader.sink.gaps.length };
}

/** True when the last whole line of a file has come. */
function isRead(text: string, values: readonly number[]): boolean {
  const last = [...text.matchAll(WHOLE)].at(-1)?.[1];
  return last !== undefined && values.includes(Number(last));
}
