import { describe, expect, test } from 'vitest';
import type { Clock } from '../../../../src-main/platform/clock.ts';
import { declareGrowth, GrowthModel, growthRate } from '../../../../src-main/sources/simulator/growth-model.ts';
import { findMoment, RECIPE, RECIPE_S } from '../../../../src-main/sources/simulator/growth-recipe.ts';
import { openSimulatorSource } from '../../../../src-main/sources/simulator/simulator-source.ts';
import { MemorySink } from '../../../support/logs/log-sink.ts';

const NAMES = declareGrowth(100).map(({ name }) => name);
const indexOf = (name: string) => NAMES.indexOf(name);

/** Time passes only by sleeping; it is aborted at a given moment. */
class PlayedClock implements Clock {
  wallMs: number;
  monoMs = 5000;
  readonly #endMs: number;
  readonly #abort: AbortController;
  constructor(wallMs: number, endMs: number, abort: AbortController) {
    this.wallMs = wallMs;
    this.#endMs = endMs;
    this.#abort = abort;
  }
  nowMs = () => this.wallMs;
  monotonicMs = () => this.monoMs;
  sleep(durationMs: number): Promise<void> {
    this.wallMs += durationMs;
    this.monoMs += durationMs;
    if (this.wallMs >= this.#endMs) this.#abort.abort();
    return Promise.resolve();
  }
}

async function play(sink: MemorySink, from: number, to: number, own: object = {}): Promise<void> {
  const abort = new AbortController();
  const clock = new PlayedClock(from, to, abort);
  await openSimulatorSource({ id: 's', seed: 7, speed: 1, intervalMs: 100, clock, ...own }).run(sink, abort.signal);
}

describe('the simulated growth', () => {
  test('has the same values for the same seed at the same growth time, asked in any order', () => {
    const one = new GrowthModel(3);
    const other = new GrowthModel(3);
    const times = [0, 31.4, 100.1, 700, 31.4, 5000.7];
    const first = times.map((time) => one.valuesAt(time));
    const second = times
      .toReversed()
      .map((time) => other.valuesAt(time))
      .toReversed();
    expect(first).toEqual(second);
    expect(new GrowthModel(4).valuesAt(31.4)).not.toEqual(first[1]);
  });

  test('gives only finite values, within what such a tool can show', () => {
    const model = new GrowthModel(1);
    for (let time = 0; time < 2 * RECIPE_S; time += 3.7) {
      const values = model.valuesAt(time);
      expect(values).toHaveLength(NAMES.length);
      expect(values.every(Number.isFinite)).toBe(true);
      const at = (name: string) => values[indexOf(name)] as number;
      expect(at('chamber pressure')).toBeGreaterThan(1e-11);
      expect(at('chamber pressure')).toBeLessThan(1e-5);
      expect(Math.abs(at('substrate temperature') - at('substrate setpoint'))).toBeLessThan(12);
      expect(at('frame')).toBe(Math.floor(time * 30));
      expect([0, 1]).toContain(at('Ga shutter'));
    }
  });

  test('oscillates once a monolayer while a layer grows on a still sample, and dies away', () => {
    const phase = RECIPE.findIndex(({ name }) => name === 'buffer');
    const startS = RECIPE.slice(0, phase).reduce((sum, { durationS }) => sum + durationS, 0);
    const rate = growthRate(['As', 'Ga']);
    const model = new GrowthModel(1);
    const mean = (atS: number) => {
      let sum = 0;
      for (let i = -2; i <= 2; i++)
        sum += model.valuesAt(startS + atS + i * 0.02)[indexOf('RHEED intensity')] as number;
      return sum / 5;
    };
    const swing = (layer: number) => mean(layer / rate) - mean((layer + 0.5) / rate);
    expect(swing(1)).toBeGreaterThan(250);
    expect(swing(4)).toBeGreaterThan(100);
    expect(swing(4)).toBeLessThan(swing(1));
    expect(swing(25)).toBeLessThan(60);
  });

  test('raises the pressure with the shutters and grows nothing without arsenic', () => {
    const model = new GrowthModel(1);
    const pressureAt = (time: number) => model.valuesAt(time)[indexOf('chamber pressure')] as number;
    const idleS = RECIPE_S - 100;
    expect(findMoment(idleS).phase.open).toEqual([]);
    expect(pressureAt(40)).toBeGreaterThan(100 * pressureAt(idleS));
    expect(growthRate(['Ga'])).toBe(0);
  });
});

describe('the simulator as a source', () => {
  test('gives ten readings a second with rising stamps, and a position with each', async () => {
    const sink = new MemorySink();
    await play(sink, 1_700_000_000_000, 1_700_000_003_000);
    const stamps = sink.points('frame').map(({ timeMs }) => timeMs);
    expect(stamps).toEqual(Array.from({ length: 30 }, (_, i) => 1_700_000_000_000 + i * 100));
    expect(sink.values('frame').slice(0, 11)).toEqual([0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30]);
    expect([...sink.declared.keys()]).toEqual(NAMES);
    for (const capture of sink.captures) expect(capture.positions).toHaveLength(1);
  });

  test('goes on after a restart: growth time and frames went on, stamps never go back, the pause is a gap', async () => {
    const sink = new MemorySink();
    await play(sink, 1_700_000_000_000, 1_700_000_002_000);
    await play(sink, 1_700_000_007_000, 1_700_000_008_000);
    const frames = sink.values('frame');
    expect(frames[20]).toBe(210);
    expect(sink.gaps).toEqual([
      { fromMs: 1_700_000_001_900, toMs: 1_700_000_007_000, cause: 'the agent was not running' },
    ]);
    // The wall clock was set back while it was away.
    await play(sink, 1_600_000_000_000, 1_600_000_001_000);
    const stamps = sink.points('frame').map(({ timeMs }) => timeMs);
    for (let i = 1; i < stamps.length; i++) expect(stamps[i]).toBeGreaterThan(stamps[i - 1] as number);
  });

  test('hands nothing over twice when a capture fails', async () => {
    const sink = new MemorySink();
    sink.beforeCapture = () => {
      if (sink.captures.length === 5) throw new Error('disk full');
    };
    await expect(play(sink, 1_700_000_000_000, 1_700_000_002_000)).rejects.toThrow('disk full');
    sink.beforeCapture = () => undefined;
    await play(sink, 1_700_000_000_600, 1_700_000_002_000);
    const frames = sink.values('frame');
    expect(new Set(frames).size).toBe(frames.length);
  });

  test('runs faster than time when told to, and ends after its duration', async () => {
    const sink = new MemorySink();
    await play(sink, 1_700_000_000_000, 1_800_000_000_000, { speed: 60, durationMs: 2000 });
    expect(sink.values('frame')).toHaveLength(20);
    expect(sink.values('frame')[10]).toBe(60 * 30);
  });
});
