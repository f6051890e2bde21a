import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawLine, type Pen } from '../../../../../src-renderer/ui/plot/line-path.ts';

type Stroke = [number, number][];

/** What a pen draws, stroke by stroke. */
function penOf(strokes: Stroke[]): Pen {
  return { moveTo: (x, y) => strokes.push([[x, y]]), lineTo: (x, y) => strokes.at(-1)?.push([x, y]) };
}

const own = { key: '', name: '', title: '', unit: '', colour: 0 };
const asWords = (strokes: Stroke[]) => strokes.map((stroke) => stroke.map(([x, y]) => `${x},${y}`).join(' '));

/** Strokes of a line; one pixel a unit in both directions. */
function strokesOf(xs: number[], values: (number | null)[], from: number, to: number): Stroke[] {
  const strokes: Stroke[] = [];
  const toY = (value: number) => (value < 0 ? Number.NaN : value);
  drawLine({ ...own, xs, values }, { from, to }, (x) => x, toY, penOf(strokes));
  return strokes;
}

test('draws through every point, with the neighbours that lead into the span', () => {
  expect(asWords(strokesOf([0, 10, 20, 30, 40], [1, 2, 3, 4, 5], 12, 28))).toEqual(['10,2 20,3 30,4']);
});

test('breaks at null, and at what the scale cannot show', () => {
  const strokes = strokesOf([0, 10, 20, 30, 40, 50], [1, 2, null, 4, -1, 6], 0, 50);
  expect(asWords(strokes)).toEqual(['0,1 10,2', '30,4 31,4', '50,6 51,6']);
});

test('loses no extreme of a pixel column, however many points lie in it', () => {
  const rows = fc.array(fc.tuple(fc.nat({ max: 60 }), fc.nat({ max: 1000 })), { minLength: 1, maxLength: 400 });
  fc.assert(
    fc.property(rows, (unsorted) => {
      const points = unsorted.toSorted(([a], [b]) => a - b);
      const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
      const drawn = strokesOf(xs, ys, 0, 60).flat();
      for (const column of new Set(xs)) {
        const its = points.filter(([x]) => x === column).map(([, y]) => y);
        const seen = drawn.filter(([x]) => x === column).map(([, y]) => y);
        expect(Math.max(...seen)).toBe(Math.max(...its));
        expect(Math.min(...seen)).toBe(Math.min(...its));
        expect(seen).toContain(its[0]);
        expect(seen).toContain(its.at(-1));
      }
    }),
  );
});

test('a stepped line holds each value until the next, also over columns of many points, and breaks as others do', () => {
  const strokes: Stroke[] = [];
  const line = { ...own, isStepped: true, xs: [0, 10, 10.1, 20, 30, 40], values: [1, 2, 5, 3, null, 4] };
  const asIs = (at: number) => at;
  drawLine(line, { from: 0, to: 40 }, asIs, asIs, penOf(strokes));
  expect(asWords(strokes)).toEqual(['0,1 10,1 10,2 10,2 10,5 20,5 20,3', '40,4 41,4']);
});
