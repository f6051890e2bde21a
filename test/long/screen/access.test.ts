// No page of the screen breaks a rule of WCAG 2.1 AA in any theme or size.
import { expect, test } from 'vitest';
import { walkThroughAccess } from '../../support/rigs/access-walk.ts';

test('breaks no rule of WCAG 2.1 AA on any page, in any theme, at any size', async () => {
  expect(await walkThroughAccess(true)).toEqual([]);
});
