// The drill, ended by hand; its whole minute is in test/long.
import { test } from 'vitest';
import { button } from '../support/page/on-page.ts';
import { walkThroughDrill } from '../support/rigs/drill-walk.ts';

test('cuts the service off while recording goes on until somebody brings it back, and every point arrives, once and unaltered', () =>
  walkThroughDrill((page) => button(page, 'Bring it back now').click()));
