import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Readings } from '../../../../../src-main/model/readings.ts';
import { CHANNELS_MAX, type Silence, SilenceWatch } from '../../../../../src-main/sources/log/notes/silence.ts';
import { chance } from '../../../../support/logs/log-walk.ts';

const LOOK_MS = 500;

function block(channels: readonly string[], rows: readonly (readonly [number, ...number[]])[]): Readings {
  return {
    channels,
    timesMs: Float64Array.from(rows, ([timeMs]) => timeMs),
    values: Float64Array.from(rows.flatMap(([, ...values]) => values)),
  };
}

/** A folder of files that a tool writes; it is looked at each half second. */
class Folder {
  readonly watch = new SilenceWatch();
  nowMs = 1_000_000;
  readonly #files: { name: string; rows: (fromMs: number, toMs: number) => [number, ...number[]][]; deadMs: number }[] =
    [];
  /** What was ever said of a channel. */
  readonly said = new Map<string, Set<Silence>>();

  add(name: string, rows: (fromMs: number, toMs: number) => [number, ...number[]][]): void {
    this.#files.push({ name, rows, deadMs: Infinity });
  }

  kill(name: string): void {
    for (const file of this.#files) if (file.name === name) file.deadMs = this.nowMs;
  }

  pass(durationMs: number): void {
    const until = this.nowMs + durationMs;
    while (this.nowMs < until) {
      const formerMs = this.nowMs;
      this.nowMs += LOOK_MS;
      this.watch.look(this.nowMs);
      for (const { name, rows, deadMs } of this.#files) {
        const fresh = rows(formerMs, this.nowMs).filter(([timeMs]) => timeMs < deadMs);
        if (fresh.length > 0) this.watch.heard(name, block([name], fresh), true);
      }
      for (const { channel, silence } of this.watch.judge()) {
        this.said.set(channel, (this.said.get(channel) ?? new Set()).add(silence));
      }
    }
  }

  silenceOf(channel: string): Silence | undefined {
    return this.watch.judge().find((one) => one.channel === channel)?.silence;
  }
}

/** A row each `everyMs`, handed over at once or in bursts as a program that buffers does. */
function beat(everyMs: number, burstMs: number, seed: number) {
  const pick = chance(seed);
  return (fromMs: number, toMs: number): [number, ...number[]][] => {
    const rows: [number, ...number[]][] = [];
    const [from, to] = [fromMs, toMs].map((timeMs) => Math.floor(timeMs / burstMs) * burstMs) as [number, number];
    for (let at = Math.ceil(from / everyMs) * everyMs; at < to; at += everyMs) rows.push([at, pick(50)]);
    return rows;
  };
}

/** A row now and then, each value a new one. */
function onChange(meanMs: number, seed: number) {
  const pick = chance(seed);
  let value = 0;
  return (fromMs: number, toMs: number): [number, ...number[]][] => {
    if (pick(meanMs) >= toMs - fromMs) return [];
    value += 1 + pick(9);
    return [[fromMs + pick(toMs - fromMs), value]];
  };
}

describe('silence', () => {
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
          expect(folder.said.get('dies')).toBeUndefined();
          folder.kill('dies');
          folder.kill('shutter');
          folder.pass(200_000);
          expect(folder.silenceOf('dies')).toBe('stopped');
          expect([...(folder.said.get('shutter') ?? [])].filter((silence) => silence !== 'quiet')).toEqual([]);
          expect(folder.said.get('lives')).toBeUndefined();
        },
      ),
      { numRuns: 40 },
    );
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
        expect([folder.silenceOf('a'), folder.silenceOf('b')]).toEqual(['overdue', 'overdue']);
      }),
      { numRuns: 20 },
    );
  });

  test('a channel that is heard again is silent no more', () => {
    const folder = new Folder();
    folder.add('a', beat(1000, 500, 1));
    folder.add('b', beat(1000, 500, 2));
    folder.pass(60_000);
    folder.kill('a');
    folder.pass(60_000);
    expect(folder.silenceOf('a')).toBe('stopped');
    folder.add('a', beat(1000, 500, 3));
    folder.pass(2000);
    expect(folder.silenceOf('a')).toBeUndefined();
  });

  test('a column that is empty from now on has stopped, though its file goes on', () => {
    const watch = new SilenceWatch();
    let nowMs = 0;
    const pass = (seconds: number, isThere: boolean) => {
      for (let n = 0; n < seconds; n++) {
        nowMs += 1000;
        watch.look(nowMs);
        watch.heard('f', block(['p', 't'], [[nowMs, n % 2, isThere ? n % 3 : Number.NaN]]), true);
      }
    };
    pass(60, true);
    expect(watch.judge()).toEqual([]);
    pass(60, false);
    expect(watch.judge()).toMatchObject([{ channel: 't', silence: 'stopped', lastMs: 60_000, beatMs: 1000 }]);
  });

  test('while the PC slept nothing was missed', () => {
    const folder = new Folder();
    folder.add('a', beat(1000, 500, 1));
    folder.add('b', beat(1000, 500, 2));
    folder.pass(60_000);
    folder.nowMs += 8 * 3_600_000;
    folder.pass(5000);
    expect(folder.said.size).toBe(0);
  });

  test('rows of the past teach the rhythm and are not missed', () => {
    const watch = new SilenceWatch();
    const rows = Array.from({ length: 500 }, (_, n): [number, number] => [n * 1000, n % 5]);
    watch.look(0);
    watch.heard('old', block(['old'], rows), false);
    for (let nowMs = 500; nowMs < 600_000; nowMs += 500) {
      watch.look(nowMs);
      watch.heard('new', block(['new'], [[nowMs, nowMs % 1000]]), true);
    }
    expect(watch.judge()).toEqual([]);
    // One row now, and its rhythm is known at once.
    watch.heard('old', block(['old'], [[500_000, 1]]), true);
    for (let nowMs = 600_000; nowMs < 700_000; nowMs += 500) {
      watch.look(nowMs);
      watch.heard('new', block(['new'], [[nowMs, nowMs % 1000]]), true);
    }
    expect(watch.judge()).toMatchObject([{ channel: 'old', silence: 'stopped' }]);
  });

  test(`remembers ${CHANNELS_MAX} channels and no more`, () => {
    const watch = new SilenceWatch();
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
    expect(watch.judge().map(({ channel }) => channel)).toEqual(names.slice(0, CHANNELS_MAX));
  });
});
