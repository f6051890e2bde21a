// The drill, ended by hand; its whole minute is in test/long.
import { test } from 'vitest';
import { walkThroughDrill } from '../support/drill-walk.ts';
import { button } from '../support/on-page.ts';

test('cuts the service off while recording goes on until somebody brings it back, and every point arrives, once and unaltered', () =>
  walkThroughDrill((page) => button(page, 'Bring it back now').click()));
