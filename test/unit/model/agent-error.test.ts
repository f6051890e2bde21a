import { expect, test } from 'vitest';
import { isNotTaken } from '../../../src-main/model/agent-error.ts';

test('the service did not take what was not sent, what it refused and what its key may not do; of all else nobody knows', () => {
  expect(['not-sent', 'held', 'refused'].every((kind) => isNotTaken({ kind }))).toBe(true);
  expect(['ambiguous', 'not-the-service', 'of a later version'].some((kind) => isNotTaken({ kind }))).toBe(false);
});
