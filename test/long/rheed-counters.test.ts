import { describe, test } from 'vitest';
import { expectCounted, KINDS } from '../support/played-cameras.ts';

describe.each([30, 120])('at %i frames per second', (fps) => {
  test.each(KINDS)('%s: counted is written, losses are named, nothing goes backwards', (kind) =>
    expectCounted(kind, fps),
  );
});
