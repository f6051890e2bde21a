import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawLine, type Pen } from '../../../../../src-renderer/ui/plot/line-path.ts';

type Stroke = [number, number][];

/** Strokes of a line; one pixel a unit in both directions. */
function strokesOf(xs: number[], values: (number | null)[], from: number, to: number): Stroke[] {
  const strokes: Stroke[] = [];
  const pen: Pen = {
    moveTo: (x, y) => strokes.push([[x, y]]),
    lineTo: (x, y) => strokes.at(-1)?.push([x, y]),
  };
  const line = { key: '', name: '', title: '', unit: '', colour: 0, xs, values };
  const toY = (value: number) => (value < 0 ? Number.NaN : value);
  drawLine(line, { from, to }, (x) => x, toY, pen);
  return strokes;
}

test('draws through every point, with the neighbours that lead into the span', () => {
  expect(strokesOf([0, 10, 20, 30, 40], [1, 2, 3, 4, 5], 12, 28)).toEqual([
    [
      [10, 2],
      [20, 3],
      [30, 4],
    ],
  ]);
});

test('breaks at null, and at what the scale cannot show', () => {
  expect(strokesOf([0, 10, 20, 30, 40, 50], [1, 2, null, 4, -1, 6], 0, 50)).toEqual([
    [
      [0, 1],
      [10, 2],
    ],
    [
      [30, 4],
      [31, 4],
    ],
    [
      [50, 6],
      [51, 6],
    ],
  ]);
});

test('loses no extreme of a pixel column, however many points lie in it', () => {
  const rows = fc.array(fc.tuple(fc.nat({ max: 60 }), fc.nat({ max: 1000 })), { minLength: 1, maxLength: 400 });
  fc.assert(
    fc.property(rows, (unsorted) => {
      const points = unsorted.toSorted(([a], [b]) => a - b);
      const drawn = strokesOf(
        points.map(([x]) => x),
        points.map(([, y]) => y),
        0,
        60,
      ).flat();
      for (const column of new Set(points.map(([x]) => x))) {
        const ys = points.filter(([x]) => x === column).map(([, y]) => y);
        const seen = drawn.filter(([x]) => x === column).map(([, y]) => y);
        expect(Math.max(...seen)).toBe(Math.max(...ys));
        expect(Math.min(...seen)).toBe(Math.min(...ys));
        expect(seen).toContain(ys[0]);
        expect(seen).toContain(ys.at(-1));
      }
    }),
  );
});

test('a stepped line holds each value until the next, also over columns of many points, and breaks as others do', () => {
  const strokes: Stroke[] = [];
  const pen: Pen = {
    moveTo: (x, y) => strokes.push([[x, y]]),
    lineTo: (x, y) => strokes.at(-1)?.push([x, y]),
  };
  const line = { key: '', name: '', title: '', unit: '', colour: 0, isStepped: true };
  const data = { xs: [0, 10, 10.1, 20, 30, 40], values: [1, 2, 5, 3, null, 4] };
  drawLine(
    { ...line, ...data },
    { from: 0, to: 40 },
    (x) => x,
    (y) => y,
    pen,
  );
  expect(strokes).toEqual([
    [
      [0, 1],
      [10, 1],
      [10, 2],
      [10, 2],
      [10, 5],
      [20, 5],
      [20, 3],
    ],
    [
      [40, 4],
      [41, 4],
    ],
  ]);
});
