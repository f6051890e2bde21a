// A source may be stopped at any moment of trouble: while it asks for a unit that is not told, in the middle of a try. What was
// not read until then is a gap with its name, as if it were read then.
import { expect, onTestFinished, test } from 'vitest';
import type { InstrumentInput } from '../../../../../src-main/model/instrument.ts';
import type { Gap } from '../../../../../src-main/sources/serial/line/gap-watch.ts';
import { startPlayedRig } from '../../../../support/serial/serial-rig.ts';
import { bytes, dialog } from '../../../../support/serial/serial-samples.ts';

const EVERY_MS = 500;
/** A reading may be so late before it is missing, milliseconds. */
const LATE_MS = EVERY_MS + 1000;
const TIMEOUT_MS = 400;

const instrument: InstrumentInput = {
  ...{ name: 'thermometer', title: 'Thermometer that tells its unit', family: 'line-ascii' },
  protocol: { commands: 'getters', reply_end: 'any' },
  timing: { gap_ms: 50, settle_ms: 100 },
  lookups: { unit: { ask: 'UNIT?', reply: { pattern: '[KCF]' } } },
  questions: [1, 2].map((sensor) => ({
    ...{ id: `sensor-${sensor}`, ask: `TEMP${sensor}?`, reply: { pattern: '[0-9.]+' } },
    channels: [{ name: `sensor ${sensor}`, quantity: 'temperature', unit: { lookup: 'unit' } }],
  })),
};
const talk = [dialog('UNIT?\r\n', 'K\r\n'), dialog('TEMP1?\r\n', '300\r\n'), dialog('TEMP2?\r\n', '500\r\n')];

/** Up to when gaps cover a time; readings that came and were not stored end one, the next may be late. */
function coveredFrom(fromMs: number, gaps: readonly Gap[]): number {
  let coveredMs = fromMs;
  for (const gap of gaps.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const wideMs = gap.cause.includes('not stored') ? LATE_MS : 0;
    if (gap.fromMs - wideMs <= coveredMs) coveredMs = Math.max(coveredMs, gap.toMs + wideMs);
  }
  return coveredMs;
}

test.each(Array.from({ length: 40 }, (_, at) => at + 1))('%i: each hole up to the stop is named', async (seed) => {
  let state = seed * 7919;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const rig = await startPlayedRig(onTestFinished, { instrument, talk, everyMs: EVERY_MS, timeoutMs: TIMEOUT_MS });
  rig.emulator.interfere = (out) => {
    const said = Buffer.from(out).toString('latin1');
    const chance = random() / (said === 'K\r\n' ? 6 : 1);
    if (chance < 0.03) return null;
    if (chance < 0.06) return { bytes: bytes(`\x80${said}`), delayMs: 0 };
    if (chance < 0.08) return { bytes: out.subarray(0, 1), delayMs: 0 };
    return { bytes: out, delayMs: chance < 0.1 ? TIMEOUT_MS * (1 + 1.6 * random()) : 0 };
  };
  await rig.pass(20_000 + random() * 20_000);
  const stopMs = rig.clock.nowMs();
  await rig.stop();
  const unnamed = ['sensor 1', 'sensor 2'].flatMap((channel) => {
    const times = [...rig.sink.points(channel).map(({ timeMs }) => timeMs), stopMs].sort((a, b) => a - b);
    return times.slice(1).flatMap((toMs, at) => {
      const fromMs = times[at] as number;
      if (toMs - fromMs <= LATE_MS || coveredFrom(fromMs, rig.sink.gaps) >= toMs) return [];
      return [`${channel}: ${fromMs - stopMs} to ${toMs - stopMs} ms`];
    });
  });
  expect(unnamed).toEqual([]);
});
