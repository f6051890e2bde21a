// The comparison by windows against the comparison of the whole, with windows of a few points so that every edge is met.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HeldSeries } from '../../../../src-main/delivery/client/held-series.ts';
import { type ComparedChannel, compareByWindows } from '../../../../src-main/delivery/receipt/compare-windows.ts';
import type { ChannelFacts, StoredPage } from '../../../../src-main/model/receipt.ts';
import { tellColumns } from '../../../support/rigs/series.ts';
import { walks } from '../../../support/run/effort.ts';

const BLOCK_ROWS = 4;
const SIZES = { groupPoints: 20, windowPoints: 8 };

interface Point {
  readonly timeMs: number;
  readonly value: number;
}
const columns = (points: readonly Point[]) => ({
  timesMs: Float64Array.from(points, ({ timeMs }) => timeMs),
  values: Float64Array.from(points, ({ value }) => value),
});

/** Close stamps and few values, so that a point has many that it could be taken for. */
const point = fc.record({
  timeMs: fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 60 }) },
    fc.double({ min: 0, max: 60, noNaN: true }),
  ),
  value: fc.constantFrom(0, 1, 2.5),
});
/** What the service makes of a point: rounds it, loses it, doubles it, moves it, alters it. */
const fate = fc.oneof(
  { weight: 8, arbitrary: fc.constant('rounded' as const) },
  fc.constantFrom('lost', 'doubled', 'moved', 'altered', 'null'),
);
const suffer = ({ timeMs, value }: Point, what: string): Point[] => {
  const rounded = { timeMs: Math.round(timeMs), value };
  if (what === 'lost') return [];
  if (what === 'doubled') return [rounded, rounded];
  if (what === 'moved') return [{ timeMs: rounded.timeMs + 2, value }];
  if (what === 'altered') return [{ timeMs: rounded.timeMs, value: value + 7 }];
  return [what === 'null' ? { timeMs: rounded.timeMs, value: Number.NaN } : rounded];
};

async function compare(
  stored: readonly (readonly Point[])[],
  read: readonly (readonly Point[])[],
  isTurned: readonly boolean[],
) {
  const channels = stored.map((points, at): ComparedChannel => {
    const facts: ChannelFacts = {
      id: at,
      name: `c${at}`,
      unit: '',
      acknowledged: points.length,
      refused: 0,
      waiting: 0,
      open: 0,
    };
    const samplesMs = points.map(({ timeMs }) => timeMs);
    return { facts, points: points.length, samplesMs };
  });
  const blocks = stored.flatMap((points, at) =>
    Array.from({ length: Math.ceil(points.length / BLOCK_ROWS) }, (_, i) => {
      const some = points.slice(i * BLOCK_ROWS, (i + 1) * BLOCK_ROWS);
      return { state: 'acknowledged' as const, words: '', rows: some.length, channelIds: [at], ...columns(some) };
    }),
  );
  const page = async (_: number, after: number): Promise<StoredPage> => {
    return { blocks: blocks.slice(after, after + 2), next: after + 2 < blocks.length ? after + 2 : null, damaged: [] };
  };
  let scans = 0;
  const verdicts = await compareByWindows(
    1,
    channels,
    {
      store: { storedPage: page },
      scan: async (listener) => {
        scans += 1;
        for (const [at, points] of read.entries()) {
          const { timesMs, values } = columns(points);
          const series = { name: `c${at}`, timesMs: [...timesMs], values: [...values], units: null };
          tellColumns([series], listener, isTurned[at]);
        }
      },
      signal: new AbortController().signal,
    },
    SIZES,
  );
  return { verdicts: verdicts ?? [], scans };
}

const channel = fc.array(fc.tuple(point, fate), { maxLength: 60, size: 'max' });

test('finds as many points window by window as in the whole, whatever was lost, doubled, moved or shuffled', async () => {
  const seen = { all: 0, some: 0, windows: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(channel, { minLength: 1, maxLength: 3 }),
      fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
      fc.infiniteStream(fc.nat()),
      async (given, isTurned, chance) => {
        const stored = given.map((points) => points.map(([each]) => each));
        const shuffled = (points: Point[]) =>
          points
            .map((each) => [chance.next().value as number, each] as const)
            .sort(([p], [q]) => p - q)
            .map(([, each]) => each);
        const read = given.map((points) => shuffled(points.flatMap(([each, what]) => suffer(each, what))));
        const { verdicts, scans } = await compare(stored, read, isTurned);
        for (const [at, { compared, matched, found }] of verdicts.entries()) {
          const { timesMs, values } = columns(read[at] as Point[]);
          const whole = new HeldSeries(timesMs, values).take(columns(stored[at] as Point[]));
          expect(found).toBe(read[at]?.length);
          // More points of one stamp than a window holds are skipped, and counted as not compared.
          if (compared < (stored[at]?.length as number)) continue;
          expect(matched).toBe(whole);
          seen[matched === compared ? 'all' : 'some'] += 1;
        }
        if (scans > (isTurned.includes(true) ? 2 : 1)) seen.windows += 1;
      },
    ),
    walks(400),
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(20);
});

test('skips points of one stamp that fit no window and reports them as not compared; compares the others', async () => {
  const heap = Array.from({ length: 30 }, (_, i) => ({ timeMs: 50, value: i }));
  const others = Array.from({ length: 10 }, (_, i) => ({ timeMs: i, value: i }));
  const { verdicts } = await compare([[...others, ...heap]], [[...heap, ...others]], []);
  expect(verdicts[0]).toMatchObject({ compared: 10, matched: 10, found: 40 });
});
