// The pictures of the tray and the application, as they are committed: made by resources/scripts/make-icons.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';

const icons = join(import.meta.dirname, '../../../resources/icons');
const TONES = ['ok', 'busy', 'attention', 'stopped'] as const;
const SCALES = { '': 16, '@1.25x': 20, '@1.5x': 24, '@2x': 32, '@3x': 48, '@4x': 64 };

const read = (name: string) => PNG.sync.read(readFileSync(join(icons, name)));
/** Which points of a picture are drawn at all: its outline, whatever its colour. */
const outlineOf = ({ data, width, height }: PNG) =>
  Array.from({ length: width * height }, (_, at) => (data[4 * at + 3] ?? 0) > 127);

test.each(Object.entries(SCALES))(
  'the four states of the tray differ in outline, not in colour alone: %s',
  (scale, size) => {
    for (const bar of ['light', 'dark']) {
      const outlines = TONES.map((tone) => {
        const picture = read(`tray/${tone}-on-${bar}${scale}.png`);
        expect([picture.width, picture.height]).toEqual([size, size]);
        return outlineOf(picture);
      });
      for (const [first, one] of outlines.entries()) {
        for (const other of outlines.slice(first + 1)) {
          const different = one.filter((isDrawn, at) => isDrawn !== other[at]).length;
          expect(different / one.length).toBeGreaterThan(0.08);
        }
      }
    }
  },
);

test('the pictures for light and dark bars differ, and there are no others', () => {
  for (const tone of TONES) {
    expect(read(`tray/${tone}-on-light.png`).data.equals(read(`tray/${tone}-on-dark.png`).data)).toBe(false);
  }
  expect(readdirSync(join(icons, 'tray'))).toHaveLength(TONES.length * 2 * Object.keys(SCALES).length);
});

test('the icon of Windows holds every size that it is shown in', () => {
  const ico = readFileSync(join(icons, 'icon.ico'));
  expect([ico.readUInt16LE(0), ico.readUInt16LE(2)]).toEqual([0, 1]);
  // A width of 256 is written as 0.
  const widths = Array.from({ length: ico.readUInt16LE(4) }, (_, at) => ico.readUInt8(6 + 16 * at) || 256);
  expect(widths.sort((a, b) => a - b)).toEqual(expect.arrayContaining([16, 24, 32, 48, 64, 256]));
});
