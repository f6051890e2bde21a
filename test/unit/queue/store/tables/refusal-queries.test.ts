import { expect, test } from 'vitest';
import { chunkOf, emptyCommit, GA, openSmallQueue } from '../../../../support/rigs/small-queue.ts';

test('tells the refused cells of a source that were read in a span, with their text', () => {
  const { queue } = openSmallQueue([chunkOf(0, [GA])]);
  const cell = {
    streamId: 1,
    place: 'run.csv',
    line: 3,
    byte: 40,
    channel: 'Ga',
    text: '<Over>',
    reason: 'over range',
  };
  const refusals = [10, 20, 30].map((atMs) => ({ sourceId: 's', atMs, ...cell }));
  queue.commit({ ...emptyCommit, sequence: 2, refusals });
  const found = queue.listRefusedCells('s', 15, 30, 10);
  expect(found).toMatchObject([
    { sourceId: 's', channel: 'Ga', timeMs: 20, text: '<Over>', reason: 'over range' },
    { timeMs: 30 },
  ]);
  expect(queue.listRefusedCells('s', 0, 100, 1)).toHaveLength(1);
  expect(queue.listRefusedCells('other', 0, 100, 10)).toEqual([]);
});
