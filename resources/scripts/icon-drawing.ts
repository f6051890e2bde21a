// Small pictures without a drawing program: a shape is a function that says whether a point lies inside, a picture is a
// list of shapes with colours, and each pixel is the mean of 8 x 8 points.
import { PNG } from 'pngjs';

/** Tells whether a point of the unit square (0..1, downwards) lies inside. */
export type Shape = (x: number, y: number) => boolean;

/** A shape filled with one colour, `#rrggbb`; later layers lie above earlier ones. */
export interface Layer {
  readonly shape: Shape;
  readonly colour: string;
}

const POINTS_PER_SIDE = 8;

export const disc =
  (cx: number, cy: number, radius: number): Shape =>
  (x, y) =>
    (x - cx) ** 2 + (y - cy) ** 2 <= radius ** 2;

export const ring = (cx: number, cy: number, radius: number, width: number): Shape =>
  without(disc(cx, cy, radius), disc(cx, cy, radius - width));

export const without =
  (shape: Shape, hole: Shape): Shape =>
  (x, y) =>
    shape(x, y) && !hole(x, y);

/** A square with round corners, `margin` away from the edges. */
export const square =
  (margin: number, radius: number): Shape =>
  (x, y) => {
    const half = 0.5 - margin;
    const dx = Math.max(Math.abs(x - 0.5) - (half - radius), 0);
    const dy = Math.max(Math.abs(y - 0.5) - (half - radius), 0);
    return dx ** 2 + dy ** 2 <= radius ** 2;
  };

/** A line of straight parts with round ends. */
export const stroke =
  (points: readonly (readonly [number, number])[], width: number): Shape =>
  (x, y) =>
    points.slice(1).some((to, index) => distanceToPart(x, y, points[index] ?? to, to) <= width / 2);

/** A closed outline of straight parts, filled, its corners rounded by `radius`. */
export const polygon =
  (points: readonly (readonly [number, number])[], radius: number): Shape =>
  (x, y) => {
    const closed = [...points, ...points.slice(0, 1)];
    const edge = stroke(closed, radius * 2);
    let isInside = false;
    for (let i = 1; i < closed.length; i += 1) {
      const [ax, ay] = closed[i - 1] ?? [0, 0];
      const [bx, by] = closed[i] ?? [0, 0];
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isInside = !isInside;
    }
    return isInside || edge(x, y);
  };

function distanceToPart(
  x: number,
  y: number,
  [ax, ay]: readonly [number, number],
  [bx, by]: readonly [number, number],
): number {
  const length2 = (bx - ax) ** 2 + (by - ay) ** 2;
  const along = length2 === 0 ? 0 : ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length2;
  const t = Math.min(1, Math.max(0, along));
  return Math.hypot(x - ax - t * (bx - ax), y - ay - t * (by - ay));
}

/**
 * Draw layers as a square PNG.
 *
 * @param layers - the layers from back to front.
 * @param sizePx - the side in pixels.
 * @returns the bytes of the file, 8 bit RGBA.
 */
export function drawPng(layers: readonly Layer[], sizePx: number): Buffer {
  const png = new PNG({ width: sizePx, height: sizePx });
  for (let row = 0; row < sizePx; row += 1) {
    for (let column = 0; column < sizePx; column += 1) {
      png.data.set(pixel(layers, column, row, sizePx), (row * sizePx + column) * 4);
    }
  }
  return PNG.sync.write(png);
}

function pixel(layers: readonly Layer[], column: number, row: number, sizePx: number): number[] {
  const sum = [0, 0, 0];
  let covered = 0;
  for (let i = 0; i < POINTS_PER_SIDE ** 2; i += 1) {
    const x = (column + ((i % POINTS_PER_SIDE) + 0.5) / POINTS_PER_SIDE) / sizePx;
    const y = (row + (Math.floor(i / POINTS_PER_SIDE) + 0.5) / POINTS_PER_SIDE) / sizePx;
    const layer = layers.findLast(({ shape }) => shape(x, y));
    if (!layer) continue;
    covered += 1;
    for (let c = 0; c < 3; c += 1)
      sum[c] = (sum[c] ?? 0) + Number.parseInt(layer.colour.slice(1 + 2 * c, 3 + 2 * c), 16);
  }
  const mean = sum.map((value) => Math.round(value / Math.max(1, covered)));
  return [...mean, Math.round((255 * covered) / POINTS_PER_SIDE ** 2)];
}
