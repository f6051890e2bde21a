import { expect, test } from 'vitest';
import { HeldEntries } from '../../../../src-main/agent/old-data/held-entries.ts';
import { HeldSeries } from '../../../../src-main/delivery/client/held-series.ts';

/** Says that it has many points, and has two. */
class LongSeries extends HeldSeries {
  override get points(): number {
    return 900_000;
  }
}

test('an entry is read once as long as there is room; over 2 million points the one that was asked for first goes', async () => {
  const read: string[] = [];
  const seriesOf = async ({ dataId }: { dataId: string }) => {
    read.push(dataId);
    const firstMs = Number(dataId) * 1000;
    return new Map([['v', new LongSeries(Float64Array.of(firstMs, firstMs + 500), Float64Array.of(1, 2))]]);
  };
  const held = new HeldEntries({ seriesOf });
  const entries = ['1', '2', '3'].map((dataId) => ({ dataId, name: dataId, isOpen: false }));
  const namesAt = async (firstMs: number, lastMs: number) =>
    (await held.overlapping(entries, { firstMs, lastMs })).map(({ name }) => name);
  expect(await namesAt(2000, 2500)).toEqual(['2']);
  expect(await namesAt(3000, 3500)).toEqual(['3']);
  expect(read).toEqual(['1', '2', '3']);
  expect(await namesAt(1000, 1500)).toEqual(['1']);
  expect(await namesAt(3000, 3500)).toEqual(['3']);
  expect(read).toEqual(['1', '2', '3', '1']);
  // All that overlap are there, however many points they have.
  expect(await namesAt(0, 9000)).toEqual(['1', '2', '3']);
  expect(await namesAt(0, 9000)).toEqual(['1', '2', '3']);
  expect(read).toEqual(['1', '2', '3', '1', '2']);
});
