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
const acknowledge: LimitInput = { is: 'acknowledge' };
const walk = (of: ChannelLimit, inputs: readonly (number | LimitInput)[], stepMs = 1000) =>
  inputs.reduce<LimitState>((state, input, at) => {
    const read = typeof input === 'number' ? ({ is: 'reading', timeMs: at * stepMs, value: input } as const) : input;
    return stepLimit(of, state, read);
  }, NORMAL);

test.each<[string, readonly (number | LimitInput)[], Partial<LimitState>]>([
  ['within its limits nothing happens', [300, 619, 21], { is: 'normal' }],
  ['at the limit it is beyond', [300, 620], { is: 'active', level: 'hi', value: 620 }],
  ['below as above', [300, 9], { is: 'active', level: 'lolo', value: 9 }],
  ['within again it stays until a person has seen it', [630, 300], { is: 'cleared', level: 'hi', value: 630 }],
  ['seen and within again it is over', [630, acknowledge, 300], { is: 'normal' }],
  ['within again and seen it is over', [630, 300, acknowledge], { is: 'normal' }],
  ['seen, a worse level is told anew', [630, acknowledge, 651], { is: 'active', level: 'hihi' }],
  ['seen, the other side is told anew', [630, acknowledge, 15], { is: 'active', level: 'lo' }],
  ['the highest level stands while it falls back', [651, 630], { is: 'active', level: 'hihi', value: 651 }],
  ['beyond again is told anew', [651, 300, 630], { is: 'active', level: 'hihi' }],
  ['a growth that ends clears nothing that nobody has seen', [651, { is: 'off' }], { is: 'cleared', level: 'hihi' }],
  ['a growth that ends ends what was seen', [651, acknowledge, { is: 'off' }], { is: 'normal' }],
])('%s', (_, inputs, expected) => {
  expect(walk(limit(), inputs)).toMatchObject(expected);
});

test('a value counts as within only inside of the deadband', () => {
  const of = limit({ deadband: 5 });
  expect(walk(of, [620, acknowledge, 616])).toMatchObject({ is: 'acknowledged' });
  expect(walk(of, [620, acknowledge, 614])).toMatchObject({ is: 'normal' });
});

test('delays count time without a break, by the stamps', () => {
  const of = limit({ onDelayMs: 3000, offDelayMs: 2000 });
  expect(walk(of, [630, 630, 630])).toMatchObject({ is: 'normal' });
  expect(walk(of, [630, 630, 300, 630, 630, 630])).toMatchObject({ is: 'normal' });
  expect(walk(of, [630, 630, 630, 630])).toMatchObject({ is: 'active', sinceMs: 3000 });
  expect(walk(of, [630, 630, 630, 630, acknowledge, 300, 630, 300, 300])).toMatchObject({ is: 'acknowledged' });
  expect(walk(of, [630, 630, 630, 630, acknowledge, 300, 300, 300])).toMatchObject({ is: 'normal' });
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
  { weight: 1, arbitrary: fc.constant<LimitInput>({ is: 'acknowledge' }) },
  { weight: 1, arbitrary: fc.constant<LimitInput>({ is: 'off' }) },
);

test('nothing but a person ends an alarm, whatever comes and however long nothing comes', () => {
  const gap = fc.constantFrom(1000, 1000, 1000, 3_600_000);
  fc.assert(
    fc.property(anyLimit, fc.array(fc.tuple(anyInput, gap), { maxLength: 40 }), (own, steps) => {
      const of = limit(own);
      let [state, timeMs, unseen]: [LimitState, number, boolean] = [NORMAL, 0, false];
      for (const [input, gapMs] of steps) {
        timeMs += gapMs;
        const before = state;
        state = stepLimit(of, state, typeof input === 'number' ? { is: 'reading', timeMs, value: input } : input);
        if (typeof input !== 'number' && input.is === 'acknowledge') unseen = false;
        // Told at once where no delay holds it back, and never for a value that is within.
        const isBeyond = typeof input === 'number' && levelOf(of, input) !== null;
        if (isBeyond && of.onDelayMs === 0) expect(state.is).not.toBe('normal');
        if (state.is === 'active' && before.is !== 'active') {
          expect(isBeyond).toBe(true);
          unseen = true;
        }
        expect(state.is === 'active' || state.is === 'cleared').toBe(unseen);
        if (state.is !== 'normal') expect(state.level).not.toBeNull();
      }
    }),
    walks(3000),
  );
});
