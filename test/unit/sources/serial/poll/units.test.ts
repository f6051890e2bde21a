// A unit that is set at the instrument may be changed there at any time: no reading goes out under another one than its own.
import { describe, expect, onTestFinished, test } from 'vitest';
import type { InstrumentInput } from '../../../../../src-main/model/instrument.ts';
import { amount, sampleOf } from '../../../../support/run/effort.ts';
import { type AtEnd, type PlayedRigOptions, startPlayedRig } from '../../../../support/serial/serial-rig.ts';
import { bytes, dialog } from '../../../../support/serial/serial-samples.ts';

const gauge: InstrumentInput = {
  name: 'gauge-with-unit',
  title: 'Gauge that tells its unit',
  family: 'line-ascii',
  protocol: { commands: 'getters', reply_end: 'any' },
  timing: { gap_ms: 2, settle_ms: 20 },
  lookups: { unit: { ask: 'UNIT?', reply: { pattern: '[A-Za-z]+' } } },
  questions: [
    {
      id: 'pressure',
      ask: 'PR?',
      reply: { pattern: '[0-9.]+' },
      channels: [{ name: 'pressure', quantity: 'pressure', unit: { lookup: 'unit' }, steady: false }],
    },
    { id: 'other', ask: 'T?', reply: { pattern: '[0-9.]+' }, channels: [{ name: 'temperature', unit: '°C' }] },
  ],
};
const talk = [dialog('UNIT?\r\n', 'mbar\r\n'), dialog('PR?\r\n', '1000\r\n'), dialog('T?\r\n', '20\r\n')];
/** What it says after somebody has changed the unit at its front. */
const TORR: Readonly<Record<string, string>> = { 'mbar\r\n': 'Torr\r\n', '1000\r\n': '750\r\n' };
const text = (some: Uint8Array) => Buffer.from(some).toString('latin1');

async function start(atEnd: AtEnd, options: Partial<PlayedRigOptions> = {}) {
  const rig = await startPlayedRig(atEnd, { instrument: gauge, talk, everyMs: 1000, ...options });
  const points: { unit: string; value: number; timeMs: number }[] = [];
  /** What is stored under which unit, as the recorder sees it. */
  rig.sink.beforeCapture = ({ blocks }) => {
    const unit = rig.sink.declared.get('pressure')?.unit ?? '';
    for (const { channels, timesMs, values } of blocks) {
      if (channels[0] !== 'pressure') continue;
      for (const [row, value] of values.entries()) points.push({ unit, value, timeMs: timesMs[row] as number });
    }
  };
  const turn = () => {
    rig.emulator.interfere = (out) => ({ bytes: bytes(TORR[text(out)] ?? text(out)), delayMs: 0 });
  };
  const askedFor = (question: string) => rig.emulator.asked.filter((one) => text(one).startsWith(question)).length;
  return { rig, points, turn, askedFor };
}

const UNIT_OF: Readonly<Record<number, string>> = { 1000: 'mbar', 750: 'Torr' };
const isTrue = ({ unit, value }: { unit: string; value: number }) => UNIT_OF[value] === unit;

describe('a unit that is changed at the front', () => {
  // At each moment between two times that it is told; every third of them in `npm test`.
  test.each(
    sampleOf(
      Array.from({ length: 12 }, (_, at) => 30_000 + 333 * at),
      3,
    ),
  )('after %i ms: nothing goes out under another one, and what is missing is a gap', async (afterMs) => {
    const { rig, points, turn } = await start(onTestFinished);
    await rig.pass(afterMs);
    turn();
    const beganMs = rig.clock.nowMs();
    await rig.until(() => points.some(({ unit }) => unit === 'Torr'));
    await rig.pass(20_000);
    await rig.stop();
    expect(points.filter((point) => !isTrue(point))).toEqual([]);
    const [gap, ...more] = rig.sink.gaps;
    expect(more).toEqual([]);
    const before = points.filter(({ unit }) => unit === 'mbar').at(-1)?.timeMs as number;
    const after = points.find(({ unit }) => unit === 'Torr')?.timeMs as number;
    if (after - before > 1500) {
      expect(gap?.cause).toContain('the unit was changed from mbar to Torr');
      expect(gap?.fromMs).toBeLessThanOrEqual(before);
      expect(gap?.toMs).toBeGreaterThan(after - 1500);
      expect(gap?.toMs).toBeLessThan(beganMs + 10_000);
    }
    // Half a minute of it was read before, and some seconds at most are missing.
    expect(after - before).toBeLessThan(5000);
  });

  test('while the disk is slow: what was read before goes out under its own', async ({ onTestFinished }) => {
    const { rig, points, turn } = await start(onTestFinished);
    await rig.pass(10_000);
    const keep = rig.sink.beforeCapture;
    const disk = Promise.withResolvers<void>();
    rig.sink.beforeCapture = async (capture) => {
      await keep(capture);
      await disk.promise;
    };
    await rig.pass(20_000);
    turn();
    await rig.pass(20_000);
    disk.resolve();
    await rig.pass(20_000);
    await rig.stop();
    expect(points.filter((point) => !isTrue(point))).toEqual([]);
    expect(new Set(points.map(({ unit }) => unit))).toEqual(new Set(['mbar', 'Torr']));
    expect(points.filter(({ unit }) => unit === 'mbar').length).toBeGreaterThan(25);
  });
});

test('a unit reply that was disturbed is asked for again at once', async ({ onTestFinished }) => {
  let told = 0;
  const { rig, points } = await start(onTestFinished, {
    before: (emulator) => {
      emulator.interfere = (out) => {
        const isFirst = text(out) === 'mbar\r\n' && told++ === 0;
        return { bytes: isFirst ? bytes('m\x80ar\r\n') : out, delayMs: 0 };
      };
    },
  });
  await rig.pass(5000);
  await rig.stop();
  expect(points.length).toBeGreaterThan(3);
  expect(points.filter((point) => !isTrue(point))).toEqual([]);
  expect(rig.sink.notes.has('serial.unit')).toBe(false);
});

test('at the stop the unit is asked for once more: nothing is missing', async ({ onTestFinished }) => {
  const { rig, points, askedFor } = await start(onTestFinished);
  await rig.pass(60_500);
  await rig.stop();
  expect(points).toHaveLength(askedFor('PR?'));
  expect(rig.sink.gaps).toEqual([]);
});

test.each(['stopped', 'unplugged'])(
  '%s while the unit is not told: what was read is a gap with its name',
  async (how) => {
    const { rig, points } = await start(onTestFinished);
    await rig.pass(30_000);
    rig.emulator.interfere = (out) => (text(out) === 'mbar\r\n' ? null : { bytes: out, delayMs: 0 });
    await rig.pass(10_000);
    const lastMs = points.at(-1)?.timeMs as number;
    if (how === 'unplugged') await rig.unplug();
    await rig.pass(100);
    await rig.stop();
    expect(points.at(-1)?.timeMs).toBe(lastMs);
    const gap = rig.sink.gaps.find(
      ({ cause }) => cause.includes('before their unit was told') || cause.includes('was not told after'),
    );
    expect(gap?.fromMs).toBe(lastMs);
    expect(gap?.toMs).toBeGreaterThan(lastMs + 5000);
  },
);

test('the position does not pass what waits for its unit: a kill then is a gap from there on', async ({
  onTestFinished,
}) => {
  const { rig, points } = await start(onTestFinished);
  await rig.pass(30_000);
  rig.emulator.interfere = (out) => (text(out) === 'mbar\r\n' ? null : { bytes: out, delayMs: 0 });
  const stored = rig.sink.values('temperature').length;
  await rig.until(() => rig.sink.values('temperature').length > stored + 8);
  const { lastMs } = JSON.parse(rig.sink.kept.get('serial') ?? '{}') as { lastMs: number };
  expect(lastMs).toBeLessThanOrEqual(points.at(-1)?.timeMs as number);
});

test('an instrument that tells no unit is read without one, after a minute', async ({ onTestFinished }) => {
  const { rig, points } = await start(onTestFinished, { talk: talk.slice(1) });
  await rig.pass(180_000);
  await rig.stop();
  expect(new Set(points.map(({ unit }) => unit))).toEqual(new Set(['']));
  expect(rig.sink.notes.get('serial.unit')?.message).toContain('does not tell its unit');
  expect((points[0]?.timeMs ?? 0) - (rig.sink.points('temperature')[0]?.timeMs ?? 0)).toBeLessThan(3000);
});

test('what it costs: one question each two seconds', async ({ onTestFinished }) => {
  const { rig, askedFor } = await start(onTestFinished);
  await rig.pass(600_000);
  await rig.stop();
  expect(askedFor('PR?')).toBeGreaterThan(595);
  expect(askedFor('UNIT?')).toBeLessThan(310);
  expect(rig.sink.gaps).toEqual([]);
});

/** A gauge that only talks, and is asked for its unit. */
const talker: InstrumentInput = {
  ...gauge,
  questions: [],
  protocol: { commands: 'getters', reply_end: 'any', talks: true },
  unsolicited: [
    {
      ...{ id: 'p', expected_ms: 1000, reply: { pattern: 'p=([0-9.]+)' } },
      channels: [{ name: 'pressure', field: 1, unit: { lookup: 'unit' }, steady: false }],
    },
  ],
};

test.each(
  sampleOf(
    Array.from({ length: 12 }, (_, at) => 20_000 + 333 * at),
    3,
  ),
)(
  'after %i ms, at one that goes on talking while it is asked: nothing goes out under another unit',
  async (afterMs) => {
    const { rig, points } = await start(onTestFinished, { instrument: talker, talk: talk.slice(0, 1) });
    let [isTorr, isOver] = [false, false];
    // Its answers are on their way for a while, and tell the unit that it had when it was asked.
    rig.emulator.interfere = () => ({ bytes: bytes(isTorr ? 'Torr\r\n' : 'mbar\r\n'), delayMs: 800 });
    const say = async () => {
      for (; !isOver; await rig.clock.sleep(100)) rig.emulator.send(bytes(isTorr ? 'p=750\r\n' : 'p=1000\r\n'));
    };
    void say();
    await rig.pass(afterMs);
    isTorr = true;
    await rig.until(() => points.some(({ unit }) => unit === 'Torr'));
    await rig.pass(5000);
    isOver = true;
    await rig.pass(2000);
    await rig.stop();
    expect(points.filter((point) => !isTrue(point))).toEqual([]);
    expect(points.length).toBeGreaterThan(50);
  },
);

test('a gauge that only talks, and tells its unit when asked, goes on after a unit that was not told', async () => {
  const { rig, points } = await start(onTestFinished, { instrument: talker, talk: talk.slice(0, 1) });
  let isOver = false;
  const say = async () => {
    for (; !isOver; await rig.clock.sleep(1000)) rig.emulator.send(bytes('p=1000\r\n'));
  };
  void say();
  await rig.pass(20_000);
  rig.emulator.interfere = () => null;
  await rig.pass(20_000);
  const before = points.length;
  rig.emulator.interfere = (out) => ({ bytes: out, delayMs: 0 });
  await rig.pass(20_000);
  isOver = true;
  await rig.pass(2000);
  await rig.stop();
  expect(points.filter((point) => !isTrue(point))).toEqual([]);
  expect(points.length).toBeGreaterThan(before + 30);
});

test.each(amount([1], [2], [1, 2, 3, 4, 5, 6, 7, 8]))(
  'an hour of trouble, %i: no reading goes out under another unit, and each hole is a gap',
  async (seed) => {
    let state = seed * 7919;
    const random = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
    const { rig, points } = await start(onTestFinished, { timeoutMs: 300 });
    let isTorr = false;
    let isCalm = false;
    rig.emulator.interfere = (out) => {
      const said = bytes(isTorr ? (TORR[text(out)] ?? text(out)) : text(out));
      const chance = isCalm ? 1 : random();
      if (chance < 0.03) return null;
      if (chance < 0.06) return { bytes: bytes(`\x80${text(said)}`), delayMs: 0 };
      if (chance < 0.08) return { bytes: said.subarray(0, 2), delayMs: 0 };
      return { bytes: said, delayMs: chance < 0.1 ? 450 : 0 };
    };
    let changes = 0;
    for (let passedMs = 0; passedMs < 3_600_000; ) {
      // A unit that is changed and changed back before it is asked for is not noticed: that is known and left.
      const stepMs = 20_000 + Math.floor(random() * 30_000);
      passedMs += stepMs;
      await rig.pass(stepMs);
      if (random() < 0.7) {
        isTorr = !isTorr;
        changes += 1;
      }
      if (random() < 0.1) {
        await rig.unplug();
        await rig.pass(random() * 10_000);
        await rig.plugIn();
      }
    }
    isCalm = true;
    await rig.pass(60_000);
    await rig.stop();
    expect(changes).toBeGreaterThan(60);
    expect(points.length).toBeGreaterThan(1500);
    // Both units are met, and each value under its own.
    expect(new Set(points.map(({ unit }) => unit))).toEqual(new Set(['mbar', 'Torr']));
    expect(points.filter((point) => !isTrue(point))).toEqual([]);
    const isNamed = (fromMs: number, toMs: number) => {
      let reachedMs = fromMs;
      for (const gap of [...rig.sink.gaps].sort((a, b) => a.fromMs - b.fromMs)) {
        if (gap.fromMs <= reachedMs + 2500) reachedMs = Math.max(reachedMs, gap.toMs);
      }
      return reachedMs >= toMs - 2500;
    };
    const holes = points.flatMap(({ timeMs }, at) => {
      const beforeMs = points[at - 1]?.timeMs ?? timeMs;
      return timeMs - beforeMs > 3000 && !isNamed(beforeMs, timeMs) ? [[beforeMs, timeMs]] : [];
    });
    expect(holes).toEqual([]);
  },
);
