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
  ['within its limits nothing happens', [300, 619, 21], { kind: 'normal' }],
  ['at the limit it is beyond', [300, 620], { kind: 'active', level: 'hi', value: 620 }],
  ['below as above', [300, 9], { kind: 'active', level: 'lolo', value: 9 }],
  ['within again it stays until a person has seen it', [630, 300], { kind: 'cleared', level: 'hi', value: 630 }],
  ['seen and within again it is over', [630, acknowledge, 300], { kind: 'normal' }],
  ['within again and seen it is over', [630, 300, acknowledge], { kind: 'normal' }],
  ['seen, a worse level is told anew', [630, acknowledge, 651], { kind: 'active', level: 'hihi' }],
  ['seen, the other side is told anew', [630, acknowledge, 15], { kind: 'active', level: 'lo' }],
  ['the highest level stands while it falls back', [651, 630], { kind: 'active', level: 'hihi', value: 651 }],
  ['beyond again is told anew', [651, 300, 630], { kind: 'active', level: 'hihi' }],
  [
    'a growth that ends clears nothing that nobody has seen',
    [651, { kind: 'off' }],
    { kind: 'cleared', level: 'hihi' },
  ],
  ['a growth that ends ends what was seen', [651, acknowledge, { kind: 'off' }], { kind: 'normal' }],
])('%s', (_, inputs, expected) => {
  expect(walk(limit(), inputs)).toMatchObject(expected);
});

test('a value counts as within only inside of the deadband', () => {
  const of = limit({ deadband: 5 });
  expect(walk(of, [620, acknowledge, 616])).toMatchObject({ kind: 'acknowledged' });
  expect(walk(of, [620, acknowledge, 614])).toMatchObject({ kind: 'normal' });
});

test('delays count time without a break, by the stamps', () => {
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

test('nothing but a person ends an alarm, whatever comes and however long nothing comes', () => {
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
