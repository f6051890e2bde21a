import { expect, test } from 'vitest';
import { addBehind } from '../../../../../src-renderer/ui/plot/channel-order.ts';

test('new keys never move those that are shown; those that are gone give way', () => {
  expect(addBehind([], ['T', 'p'], 3)).toEqual(['T', 'p']);
  expect(addBehind(['T', 'p'], ['new', 'T', 'p', 'last'], 3)).toEqual(['T', 'p', 'new']);
  expect(addBehind(['T', 'p'], ['p', 'new'], 3)).toEqual(['p', 'new']);
});

test('while the keys are not known nothing changes', () => {
  expect(addBehind(['T', 'p'], [], 3)).toEqual(['T', 'p']);
});
