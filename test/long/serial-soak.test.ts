import { test } from 'vitest';
import { amount } from '../support/run/effort.ts';
import { hasPty } from '../support/serial/pty.ts';
import { expectSoundSoak } from '../support/serial/serial-soak.ts';

test.skipIf(!hasPty)('instruments on troubled lines: no wrong value or unit is stored, and every gap is named', () => {
  expectSoundSoak(amount(4, 8, 1800));
});
