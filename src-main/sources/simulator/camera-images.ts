// Images as a camera program leaves them behind: numbered bitmaps, small and never alike.
import { Buffer } from 'node:buffer';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeNoise } from './seeded-noise.ts';

const WIDTH = 32;
const HEIGHT = 24;
const noise = makeNoise(7, 'camera');

/** A bitmap of 256 greys. */
function bitmap(seed: number): Buffer {
  const head = Buffer.alloc(54 + 1024);
  head.write('BM', 0, 'latin1');
  head.writeUInt32LE(head.length + WIDTH * HEIGHT, 2);
  head.writeUInt32LE(head.length, 10);
  for (const [at, value] of [40, WIDTH, HEIGHT].entries()) head.writeUInt32LE(value, 14 + 4 * at);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(8, 28);
  for (let grey = 0; grey < 256; grey++) head.fill(grey, 54 + 4 * grey, 57 + 4 * grey);
  const greys = Uint8Array.from({ length: WIDTH * HEIGHT }, (_, at) => 128 + 40 * noise(seed * 4096 + at));
  return Buffer.concat([head, greys]);
}

/**
 * Make a writer of numbered images.
 *
 * @param folder - it is there.
 * @param keep - so many are kept, the newest; absent: all.
 * @returns writes the image of a number; one that is there is written over.
 * @throws the writer: those of the file system.
 */
export function makeImageWriter(folder: string, keep = Number.POSITIVE_INFINITY): (number: number) => void {
  let seed = 0;
  const pathOf = (number: number) => join(folder, `rheed_${String(number).padStart(4, '0')}.bmp`);
  return (number) => {
    writeFileSync(pathOf(number), bitmap(seed++));
    if (number >= keep) rmSync(pathOf(number - keep), { force: true });
  };
}
