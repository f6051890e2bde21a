import { expect, test } from 'vitest';
import { checkNode } from '../../../../src-main/commands/shared/check-node.ts';

test('a Node that cannot load the program is refused with the one that can', () => {
  expect(() => checkNode({ node: '20.20.2' })).toThrow('Epistream needs Node 24 or later; this is Node 20.20.2.');
  expect(() => checkNode({ node: '22.21.0' })).toThrow(expect.objectContaining({ code: 'node.version' }));
  for (const node of ['24.0.0', '24.21.0', '26.1.0']) expect(() => checkNode({ node })).not.toThrow();
  expect(() => checkNode({ node: '22.21.0', electron: '41.0.0' })).not.toThrow();
});
