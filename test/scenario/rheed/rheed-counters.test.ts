// Stalls, recordings that restart, and 30 frames per second: test/long.
import { describe, test } from 'vitest';
import { expectCounted, KINDS } from '../../support/rheed/played-cameras.ts';

const FPS = 120;

describe(`at ${FPS} frames per second`, () => {
  test.each(KINDS)('%s: counted is written, losses are named, nothing goes backwards', (kind) =>
    expectCounted(kind, FPS, 'short'),
  );
});
