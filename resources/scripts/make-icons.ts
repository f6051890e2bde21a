// Draws every icon of the application: "npx n24 resources/scripts/make-icons.ts". The results are committed, because a
// packager must not depend on a script having run; the script stays, because nobody can edit a PNG by hand.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { disc, drawPng, type Layer, polygon, ring, type Shape, square, stroke, without } from './icon-drawing.ts';

const top = join(import.meta.dirname, '../..');
const icons = join(top, 'resources/icons');

const path: [number, number][] = [];
for (let i = 0; i <= 24; i += 1) {
  const t = i / 24;
  // A smooth rise: flat at both ends, like points on their way from one level to the next.
  path.push([0.2 + 0.6 * t, 0.7 - 0.4 * t * t * (3 - 2 * t)]);
}
const at = (index: number): [number, number] => path[index] ?? [0.5, 0.5];

/** The application: three points on their way, on petrol. */
const application: Layer[] = [
  { shape: square(0.04, 0.2), colour: '#0a6c84' },
  { shape: stroke(path, 0.055), colour: '#a9d2dd' },
  ...[0, 12, 24].map((index) => ({ shape: disc(...at(index), 0.085), colour: '#ffffff' })),
];

const tick = stroke(
  [
    [0.28, 0.52],
    [0.44, 0.68],
    [0.73, 0.34],
  ],
  0.12,
);
const bang: Shape = (x, y) =>
  stroke(
    [
      [0.5, 0.37],
      [0.5, 0.62],
    ],
    0.12,
  )(x, y) || disc(0.5, 0.79, 0.065)(x, y);
const arrow: Shape = (x, y) =>
  stroke(
    [
      [0.5, 0.72],
      [0.5, 0.32],
    ],
    0.11,
  )(x, y) ||
  stroke(
    [
      [0.33, 0.47],
      [0.5, 0.3],
      [0.67, 0.47],
    ],
    0.11,
  )(x, y);

/** The states of the tray, told apart by outline alone: disc, ring, triangle, square. */
const states: Record<'ok' | 'busy' | 'attention' | 'stopped', Shape> = {
  ok: without(disc(0.5, 0.5, 0.47), tick),
  busy: (x, y) => ring(0.5, 0.5, 0.47, 0.11)(x, y) || arrow(x, y),
  attention: without(
    polygon(
      [
        [0.5, 0.12],
        [0.93, 0.89],
        [0.07, 0.89],
      ],
      0.06,
    ),
    bang,
  ),
  stopped: square(0.12, 0.08),
};

/** Colours on a light and on a dark bar, each at least 3:1 against it. */
const colours: Record<keyof typeof states, { light: string; dark: string }> = {
  ok: { light: '#14733f', dark: '#5ccb8f' },
  busy: { light: '#155fa0', dark: '#74b6ef' },
  attention: { light: '#a63f00', dark: '#ffa461' },
  stopped: { light: '#525f67', dark: '#b7c3ca' },
};

/** Electron takes the file that fits the scale of the screen by these endings. */
const scales = { '': 16, '@1.25x': 20, '@1.5x': 24, '@2x': 32, '@3x': 48, '@4x': 64 };

const sizes = [16, 24, 32, 48, 64, 128, 256, 512];
const drawn = new Map(sizes.map((size) => [size, drawPng(application, size)]));
const png = (size: number): Buffer => drawn.get(size) ?? Buffer.alloc(0);

function write(file: string, bytes: Buffer): void {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, bytes);
}

/** Windows: a directory of pictures, each a PNG. Source: "Icons", Microsoft Win32 documentation. */
function makeIco(of: readonly number[]): Buffer {
  const head = Buffer.alloc(6 + 16 * of.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(of.length, 4);
  let offset = head.length;
  of.forEach((size, index) => {
    const entry = 6 + 16 * index;
    head.writeUInt8(size % 256, entry);
    head.writeUInt8(size % 256, entry + 1);
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(png(size).length, entry + 8);
    head.writeUInt32LE(offset, entry + 12);
    offset += png(size).length;
  });
  return Buffer.concat([head, ...of.map(png)]);
}

/** macOS: named blocks, each a PNG. Source: the block types of Apple's "iconutil". */
function makeIcns(of: readonly (readonly [string, number])[]): Buffer {
  const blocks = of.map(([type, size]) => {
    const head = Buffer.alloc(8);
    head.write(type, 'latin1');
    head.writeUInt32BE(8 + png(size).length, 4);
    return Buffer.concat([head, png(size)]);
  });
  const head = Buffer.alloc(8);
  head.write('icns', 'latin1');
  head.writeUInt32BE(8 + blocks.reduce((sum, block) => sum + block.length, 0), 4);
  return Buffer.concat([head, ...blocks]);
}

for (const size of sizes) write(join(icons, 'app', `${size}x${size}.png`), png(size));
write(join(icons, 'icon.ico'), makeIco([16, 24, 32, 48, 64, 128, 256]));
write(
  join(icons, 'icon.icns'),
  makeIcns([
    ['ic07', 128],
    ['ic08', 256],
    ['ic09', 512],
  ]),
);
write(join(top, 'src-renderer/icon.png'), png(64));
for (const [state, shape] of Object.entries(states) as [keyof typeof states, Shape][]) {
  for (const bar of ['light', 'dark'] as const) {
    for (const [ending, size] of Object.entries(scales)) {
      const picture = drawPng([{ shape, colour: colours[state][bar] }], size);
      write(join(icons, 'tray', `${state}-on-${bar}${ending}.png`), picture);
    }
  }
}
