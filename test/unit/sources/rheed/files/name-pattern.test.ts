import { describe, expect, test } from 'vitest';
import { LocalTimes } from '../../../../../src-main/sources/rheed/files/local-times.ts';
import { compileNames } from '../../../../../src-main/sources/rheed/files/name-pattern.ts';

const FORMAT = 'yyyy-MM-dd___HH-mm-ss.SSS';

describe('which files are frames', () => {
  test.each([
    ['*_{frame}.bmp', 'depositionSb_0025.bmp', 25, 'depositionSb_{frame}.bmp'],
    ['*_{frame}.bmp', 'a_1_0007.bmp', 7, 'a_1_{frame}.bmp'],
    [
      '**/image_{frame}/*.tiff',
      '260215-2/image_001/x_expo10_gain0.tiff',
      1,
      '260215-2/image_{frame}/x_expo10_gain0.tiff',
    ],
    ['**/*_{frame}.bmp', 'top_10000.bmp', 10_000, 'top_{frame}.bmp'],
    ['f?_{frame}.bmp', 'f1_2.bmp', 2, 'f1_{frame}.bmp'],
  ])('%s reads %s', (match, path, number, sequence) => {
    expect(compileNames(match, null).read(path)).toMatchObject({ number, sequence });
  });

  test.each([
    ['*_{frame}.bmp', 'depositionSb_0025 (1).bmp'],
    ['*_{frame}.bmp', 'depositionSb_0025 - Copy.bmp'],
    ['*_{frame}.bmp', 'depositionSb_0025.bmp.tmp'],
    ['*_{frame}.bmp', 'below/depositionSb_0025.bmp'],
    ['a.b_{frame}.bmp', 'axb_1.bmp'],
  ])('%s does not take %s', (match, path) => {
    expect(compileNames(match, null).read(path)).toBeNull();
  });

  test('time in the name is read as it stands there; a day that does not exist is no frame', () => {
    const { read } = compileNames('image_{time}.pgm', FORMAT);
    expect(read('image_2025-12-22___15-39-57.878.pgm')?.localMs).toBe(Date.UTC(2025, 11, 22, 15, 39, 57, 878));
    expect(read('image_2025-02-30___15-39-57.878.pgm')).toBeNull();
    expect(read('image_2025-12-22___25-39-57.878.pgm')).toBeNull();
  });

  test.each([
    ['{frame}_{frame}.bmp', null],
    ['image_{time}.pgm', null],
    ['image_{time}.pgm', 'HH-mm-ss'],
    ['*a*b*c*d*e*f*g*{frame}', null],
  ])('%s with %s is refused', (match, format) => {
    expect(() => compileNames(match, format)).toThrow(expect.objectContaining({ code: 'rheed.pattern' }));
  });
});

test.each([
  ['*{frame}.bmp', 'img0012.bmp', 'img{frame}.bmp', 12],
  ['*{frame}.bmp', 'run2_img0012.bmp', 'run2_img{frame}.bmp', 12],
  ['*{frame}.bmp', '0012.bmp', '{frame}.bmp', 12],
  ['img{frame}*', 'img0012_exp10.tiff', 'img{frame}_exp10.tiff', 12],
  ['**{frame}.bmp', 'a3/b_0012.bmp', 'a3/b_{frame}.bmp', 12],
])('%s reads the whole number of %s: a star takes none of its digits', (match, name, sequence, number) => {
  expect(compileNames(match, null).read(name)).toMatchObject({ sequence, number, width: 4 });
});

describe('local time', () => {
  const berlin = new LocalTimes('Europe/Berlin');
  const local = (text: string) => Date.parse(`${text}Z`);

  test('is Unix time by the zone, and not by a Z that nobody wrote', () => {
    const near = Date.UTC(2025, 11, 22, 14, 39, 58);
    expect(berlin.toUnixMs(local('2025-12-22T15:39:57.878'), near)).toBe(Date.UTC(2025, 11, 22, 14, 39, 57, 878));
  });

  test('in the hour that comes twice is the one that is now', () => {
    const first = Date.UTC(2026, 9, 25, 0, 30);
    const stamp = local('2026-10-25T02:30:00');
    expect(berlin.toUnixMs(stamp, first)).toBe(first);
    expect(berlin.toUnixMs(stamp, first + 3_600_000)).toBe(first + 3_600_000);
  });
});
