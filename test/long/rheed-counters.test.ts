import { describe, test } from 'vitest';
import { amount } from '../support/effort.ts';
import { expectCounted, KINDS } from '../support/played-cameras.ts';

const FPS = amount(1, 1, 2) === 2 ? [30, 120] : [120];

describe.each(FPS)('at %i frames per second', (fps) => {
  test.each(KINDS)('%s: counted is written, losses are named, nothing goes backwards', (kind) =>
    expectCounted(kind, fps, 'whole'),
  );
});
