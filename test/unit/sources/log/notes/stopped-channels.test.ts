import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Readings } from '../../../../../src-main/model/readings.ts';
import { CHANNELS_MAX, StoppedChannels } from '../../../../../src-main/sources/log/notes/stopped-channels.ts';
import { chance } from '../../../../support/logs/log-walk.ts';

const LOOK_MS = 500;
type Row = [number, ...number[]];

function block(channels: readonly string[], rows: readonly Row[]): Readings {
  return {
    channels,
    timesMs: Float64Array.from(rows, ([timeMs]) => timeMs),
    values: Float64Array.from(rows.flatMap(([, ...values]) => values)),
  };
}

/** A folder of files that a tool writes; it is looked at each half second. */
class Folder {
  nowMs = 1_000_000;
  /** The channels that have stopped now, and all that ever did. */
  stopped: readonly string[] = [];
  readonly ever = new Set<string>();
  readonly watch = new StoppedChannels(({ message }) => {
    const list = /go on: (.*)\.$/.exec(message)?.[1] ?? '';
    this.stopped = [...list.matchAll(/(\S+) \(every/g)].map(([, name = '']) => name);
    for (const name of this.stopped) this.ever.add(name);
  });
  readonly #files = new Map<string, (fromMs: number, toMs: number) => Row[]>();

  add(name: string, rows: (fromMs: number, toMs: number) => Row[]): void {
    this.#files.set(name, rows);
  }

  kill(name: string): void {
    this.#files.delete(name);
  }

  pass(durationMs: number): void {
    const until = this.nowMs + durationMs;
    while (this.nowMs < until) {
      const formerMs = this.nowMs;
      this.nowMs += LOOK_MS;
      this.watch.look(this.nowMs);
      for (const [name, rows] of this.#files) {
        const fresh = rows(formerMs, this.nowMs);
        if (fresh.length > 0) this.watch.heard(name, block([name], fresh), true);
      }
      this.watch.publish();
    }
  }
}

/** A row each `everyMs`, handed over at once or in bursts as a program that buffers does. */
function beat(everyMs: number, burstMs: number, seed: number) {
  const pick = chance(seed);
  return (fromMs: number, toMs: number): Row[] => {
    const rows: Row[] = [];
    const [from, to] = [fromMs, toMs].map((timeMs) => Math.floor(timeMs / burstMs) * burstMs) as [number, number];
    for (let at = Math.ceil(from / everyMs) * everyMs; at < to; at += everyMs) rows.push([at, pick(50)]);
    return rows;
  };
}

/** A row now and then, each value a new one. */
function onChange(meanMs: number, seed: number) {
  const pick = chance(seed);
  let value = 0;
  return (fromMs: number, toMs: number): Row[] => {
    if (pick(meanMs) >= toMs - fromMs) return [];
    value += 1 + pick(9);
    return [[fromMs + pick(toMs - fromMs), value]];
  };
}

test('a dead logger has stopped, a quiet log on change has not, and neither does anybody else', () => {
  fc.assert(
    fc.property(
      fc.nat(1_000_000),
      fc.constantFrom(500, 1000, 2000, 5000),
      fc.constantFrom(500, 1000, 10_000),
      fc.constantFrom(5000, 30_000, 120_000),
      (seed, everyMs, burstMs, meanMs) => {
        const folder = new Folder();
        folder.add('dies', beat(everyMs, burstMs, seed));
        folder.add('lives', beat(1000, 1000, seed + 1));
        folder.add('shutter', onChange(meanMs, seed + 2));
        folder.pass(200_000);
        expect([...folder.ever]).toEqual([]);
        folder.kill('dies');
        folder.kill('shutter');
        folder.pass(200_000);
        expect(folder.stopped).toEqual(['dies']);
        expect([...folder.ever]).toEqual(['dies']);
      },
    ),
    { numRuns: 40 },
  );
});

test('a ramp that is logged on change has not stopped when it is steady', () => {
  const folder = new Folder();
  folder.add('ramp', (fromMs) => [[fromMs, fromMs]]);
  folder.add('lives', beat(1000, 1000, 1));
  folder.pass(60_000);
  folder.kill('ramp');
  folder.pass(60_000);
  expect([...folder.ever]).toEqual([]);
});

test('where nothing is written any more no channel counts as stopped alone', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.constantFrom(1000, 7000), (seed, everyMs) => {
      const folder = new Folder();
      folder.add('a', beat(everyMs, 500, seed));
      folder.add('b', beat(1000, 500, seed + 1));
      folder.add('shutter', onChange(20_000, seed + 2));
      folder.pass(180_000);
      for (const name of ['a', 'b', 'shutter']) folder.kill(name);
      folder.pass(300_000);
      expect([...folder.ever]).toEqual([]);
    }),
    { numRuns: 20 },
  );
});

test('a channel that is heard again has not stopped any more', () => {
  const folder = new Folder();
  folder.add('a', beat(1000, 500, 1));
  folder.add('b', beat(1000, 500, 2));
  folder.pass(60_000);
  folder.kill('a');
  folder.pass(60_000);
  expect(folder.stopped).toEqual(['a']);
  folder.add('a', beat(1000, 500, 3));
  folder.pass(2000);
  expect(folder.stopped).toEqual([]);
});

test('a column that is empty from now on has stopped, though its file goes on', () => {
  const folder = new Folder();
  const pass = (seconds: number, isThere: boolean) => {
    for (let n = 0; n < seconds; n++) {
      folder.nowMs += 1000;
      folder.watch.look(folder.nowMs);
      folder.watch.heard('f', block(['p', 't'], [[folder.nowMs, n % 2, isThere ? n % 3 : Number.NaN]]), true);
      folder.watch.publish();
    }
  };
  pass(60, true);
  expect(folder.stopped).toEqual([]);
  pass(60, false);
  expect(folder.stopped).toEqual(['t']);
});

test('while the PC slept nothing was missed', () => {
  const folder = new Folder();
  folder.add('a', beat(1000, 500, 1));
  folder.add('b', beat(1000, 500, 2));
  folder.pass(60_000);
  folder.nowMs += 8 * 3_600_000;
  folder.pass(5000);
  expect([...folder.ever]).toEqual([]);
});

test('rows of the past teach the beat and are not missed', () => {
  const folder = new Folder();
  const rows = Array.from({ length: 500 }, (_, n): Row => [n * 1000, n % 5]);
  folder.watch.heard('old', block(['old'], rows), false);
  folder.add('new', beat(1000, 1000, 1));
  folder.pass(600_000);
  expect([...folder.ever]).toEqual([]);
  // One row now, and its beat is known at once.
  folder.watch.heard('old', block(['old'], [[500_000, 1]]), true);
  folder.pass(100_000);
  expect(folder.stopped).toEqual(['old']);
});

test(`watches ${CHANNELS_MAX} channels and no more`, () => {
  const notes: string[] = [];
  const watch = new StoppedChannels(({ message }) => notes.push(message));
  const names = Array.from({ length: CHANNELS_MAX + 500 }, (_, n) => `c${n}`);
  let nowMs = 0;
  const go = (channels: readonly string[], seconds: number) => {
    for (let n = 0; n < seconds; n++) {
      nowMs += 1000;
      watch.look(nowMs);
      watch.heard('f', block(channels, [[nowMs, ...channels.map(() => n % 2)]]), true);
    }
  };
  go(names, 20);
  go(['other'], 200);
  watch.publish();
  expect(notes.at(-1)).toMatch(new RegExp(`go on: c0 .* and ${CHANNELS_MAX - 5} more\\.$`));
});
