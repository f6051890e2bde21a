// A channel against its limits: named cases, and the invariants over random walks.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type LimitInput,
  type LimitState,
  levelOf,
  NORMAL,
  stepLimit,
} from '../../../../src-main/agent/status/channel-limit.ts';
import type { ChannelLimit } from '../../../../src-main/model/channel.ts';
import { walks } from '../../../support/run/effort.ts';

const limit = (more: Partial<ChannelLimit> = {}): ChannelLimit => ({
  ...{ sourceId: 's', channel: 'T', hihi: 650, hi: 620, lo: 20, lolo: 10, deadband: 0, onDelayMs: 0, offDelayMs: 0 },
  ...{ isAlways: true, guidance: '' },
  ...more,
});
const acknowledge: LimitInput = { kind: 'acknowledge' };
const walk = (of: ChannelLimit, inputs: readonly (number | LimitInput)[], stepMs = 1000) =>
  inputs.reduce<LimitState>((state, input, at) => {
    const read = typeof input === 'number' ? ({ kind: 'reading', timeMs: at * stepMs, value: input } as const) : input;
    return stepLimit(of, state, read);
  }, NORMAL);

test.each<[string, readonly (number | LimitInput)[], Partial<LimitState>]>([
  ['no alarm within the limits', [300, 619, 21], { kind: 'normal' }],
  ['a value at the limit raises the alarm', [300, 620], { kind: 'active', level: 'hi', value: 620 }],
  ['a value below the lower limit raises it too', [300, 9], { kind: 'active', level: 'lolo', value: 9 }],
  ['within again, it waits for the operator', [630, 300], { kind: 'cleared', level: 'hi', value: 630 }],
  ['acknowledged and then within again, it ends', [630, acknowledge, 300], { kind: 'normal' }],
  ['within again and then acknowledged, it ends', [630, 300, acknowledge], { kind: 'normal' }],
  ['acknowledged, a worse level raises it again', [630, acknowledge, 651], { kind: 'active', level: 'hihi' }],
  ['acknowledged, the other limit raises it again', [630, acknowledge, 15], { kind: 'active', level: 'lo' }],
  ['it keeps the highest level while the value falls back', [651, 630], { kind: 'active', level: 'hihi', value: 651 }],
  ['beyond the limit again, it is active again', [651, 300, 630], { kind: 'active', level: 'hihi' }],
  [
    'the end of a growth keeps an alarm that is not acknowledged',
    [651, { kind: 'off' }],
    { kind: 'cleared', level: 'hihi' },
  ],
  ['the end of a growth ends an acknowledged alarm', [651, acknowledge, { kind: 'off' }], { kind: 'normal' }],
])('%s', (_, inputs, expected) => {
  expect(walk(limit(), inputs)).toMatchObject(expected);
});

test('a value counts as within only inside the deadband', () => {
  const of = limit({ deadband: 5 });
  expect(walk(of, [620, acknowledge, 616])).toMatchObject({ kind: 'acknowledged' });
  expect(walk(of, [620, acknowledge, 614])).toMatchObject({ kind: 'normal' });
});

test('delays count uninterrupted time, by the timestamps', () => {
  const of = limit({ onDelayMs: 3000, offDelayMs: 2000 });
  expect(walk(of, [630, 630, 630])).toMatchObject({ kind: 'normal' });
  expect(walk(of, [630, 630, 300, 630, 630, 630])).toMatchObject({ kind: 'normal' });
  expect(walk(of, [630, 630, 630, 630])).toMatchObject({ kind: 'active', sinceMs: 3000 });
  expect(walk(of, [630, 630, 630, 630, acknowledge, 300, 630, 300, 300])).toMatchObject({ kind: 'acknowledged' });
  expect(walk(of, [630, 630, 630, 630, acknowledge, 300, 300, 300])).toMatchObject({ kind: 'normal' });
});

const anyLimit = fc.record({
  deadband: fc.constantFrom(0, 3, 40),
  onDelayMs: fc.constantFrom(0, 2000, 5000),
  offDelayMs: fc.constantFrom(0, 2000, 5000),
  hihi: fc.constantFrom(null, 650),
  lo: fc.constantFrom(null, 20),
});
const anyInput = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(5, 15, 22, 300, 615, 619, 620, 640, 650, 700) },
  { weight: 1, arbitrary: fc.constant<LimitInput>({ kind: 'acknowledge' }) },
  { weight: 1, arbitrary: fc.constant<LimitInput>({ kind: 'off' }) },
);

test('only the operator ends an alarm, whatever values come and however long none come', () => {
  const gap = fc.constantFrom(1000, 1000, 1000, 3_600_000);
  fc.assert(
    fc.property(anyLimit, fc.array(fc.tuple(anyInput, gap), { maxLength: 40 }), (own, steps) => {
      const of = limit(own);
      let [state, timeMs, unseen]: [LimitState, number, boolean] = [NORMAL, 0, false];
      for (const [input, gapMs] of steps) {
        timeMs += gapMs;
        const before = state;
        state = stepLimit(of, state, typeof input === 'number' ? { kind: 'reading', timeMs, value: input } : input);
        if (typeof input !== 'number' && input.kind === 'acknowledge') unseen = false;
        // Told at once where no delay holds it back, and never for a value that is within.
        const isBeyond = typeof input === 'number' && levelOf(of, input) !== null;
        if (isBeyond && of.onDelayMs === 0) expect(state.kind).not.toBe('normal');
        if (state.kind === 'active' && before.kind !== 'active') {
          expect(isBeyond).toBe(true);
          unseen = true;
        }
        expect(state.kind === 'active' || state.kind === 'cleared').toBe(unseen);
        if (state.kind !== 'normal') expect(state.level).not.toBeNull();
      }
    }),
    walks(3000),
  );
});
