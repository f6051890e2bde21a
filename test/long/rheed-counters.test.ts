import { describe, test } from 'vitest';
import { expectCounted, KINDS } from '../support/rheed/played-cameras.ts';
import { amount } from '../support/run/effort.ts';

const FPS = amount(1, 1, 2) === 2 ? [30, 120] : [120];

describe.each(FPS)('at %i frames per second', (fps) => {
  test.each(KINDS)('%s: counted is written, losses are named, nothing goes backwards', (kind) =>
    expectCounted(kind, fps, 'whole'),
  );
});
