import { test } from 'vitest';
import { hasPty } from '../support/serial/pty.ts';
import { expectSoundSoak } from '../support/serial/serial-soak.ts';

test.skipIf(!hasPty)('instruments on troubled lines: no wrong value or unit is stored, and every gap is named', () => {
  expectSoundSoak(4);
});
