// Part A, row 15: a data folder is put back from an older copy.
import { describe, test } from 'vitest';
import { putBackOlder } from '../../support/faults/older-queue.ts';

describe('15: an older copy of the data folder', () => {
  test.each([
    ['verify', 'append', 'same'],
    ['verify', 'append', 'new'],
    ['repeat', 'replace', 'same'],
    ['repeat', 'replace', 'new'],
  ] as const)(
    'under %s, at a service that would %s, where the %s queue has sent since',
    async (resend, repeat, sender) => {
      await putBackOlder({ resend, repeat, sender, rows: [23, 34, 11], pointsPerChunk: 5 });
    },
  );
});
