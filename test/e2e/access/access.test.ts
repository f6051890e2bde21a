// No page of the screen breaks a rule of WCAG 2.1 AA: every page in one theme, one page in every theme. Every page in every
// theme and size is in test/long.
import { expect, test } from 'vitest';
import { walkThroughAccess } from '../../support/rigs/access-walk.ts';

test('breaks no rule of WCAG 2.1 AA on any page, nor on one page in any theme', async () => {
  expect(await walkThroughAccess(false)).toEqual([]);
});
