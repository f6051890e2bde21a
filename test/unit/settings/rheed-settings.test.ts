import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseSettings } from '../../../src-main/settings/parse-settings.ts';

const HEAD = 'version: 1\ntool: { name: MBE-1, time_zone: Europe/Berlin }\n';
const parse = (source: string) => parseSettings(`${HEAD}sources:\n  - ${source}\n`, '/lab/epistream.yaml');

function sourceOf(source: string) {
  const parsed = parse(source);
  if (!parsed.isValid) throw new Error(parsed.faults.map(({ message }) => message).join());
  return parsed.settings.sources[0];
}

function faultOf(source: string): string {
  const parsed = parse(source);
  if (parsed.isValid) throw new Error('it was taken');
  return parsed.faults
    .map(({ line, column, path, message, hint }) => `${line}:${column} ${path}: ${message}. ${hint}`)
    .join('\n');
}

describe('a frame counter in the settings', () => {
  test('is what the design shows, with every default filled in', () => {
    const source = `{ id: cam, kind: rheed, counter: { type: images, path: 'D:\\RHEED\\run', match: '*_{frame}.bmp' }, fps_capture_rate: 30, rotation_rpm: 5 }`;
    expect(sourceOf(source)).toEqual({
      id: 'cam',
      kind: 'rheed',
      counter: { type: 'images', path: 'D:\\RHEED\\run', match: '*_{frame}.bmp', timeFormat: null },
      fps: 30,
      rotationRpm: 5,
      rollsOverAt: null,
      stallAfterMs: 2000,
      session: { start: 'by-hand', endAfterSilenceMs: 60_000, projectId: null },
      timeZone: 'Europe/Berlin',
      pointsPerChunk: 'auto',
      rollover: 'daily',
      closeAfterQuietMs: 900_000,
    });
  });

  test.each([
    ["{ type: movie, path: m, match: '*.imm' }", { type: 'movie', path: resolve('/lab/m'), strideBytes: null }],
    [
      "{ type: counter-file, path: c.txt, pattern: 'n={frame}' }",
      { type: 'counter-file', path: resolve('/lab/c.txt'), pattern: 'n={frame}' },
    ],
    [
      '{ type: log, path: l, field: frame }',
      { type: 'log', path: resolve('/lab/l'), lines: 'each-frame', field: 'frame' },
    ],
    ['{ type: serial, port: COM3, ask: FC? }', { type: 'serial', port: 'COM3', baud: 9600, ask: 'FC?' }],
  ])('can be %s', (counter, expected) => {
    expect(sourceOf(`{ id: cam, kind: rheed, counter: ${counter} }`)).toMatchObject({ counter: expected });
  });

  test.each([150, 120.01, 0, -1])('%d frames per second are refused with both numbers', (fps) => {
    const fault = faultOf(`{ id: cam, kind: rheed, counter: { type: movie, path: m }, fps_capture_rate: ${fps} }`);
    expect(fault).toContain(
      `sources[0].fps_capture_rate: ${fps} is out of bounds: ${fps > 0 ? 'at most 120' : 'above 0'}`,
    );
  });

  test('faults name their place and say what to write instead', () => {
    const unknown = faultOf('{ id: cam, kind: rheed, counter: { type: imagse, path: m } }');
    expect(unknown).toContain(
      '4:46 sources[0].counter.type: "imagse" is not images or movie or counter-file or log or serial',
    );
    expect(unknown).toContain('Did you mean images?');
    expect(faultOf('{ id: cam, kind: rheed, counter: { type: images, path: m } }')).toContain(
      'sources[0].counter.match: is missing',
    );
    const key = faultOf("{ id: cam, kind: rheed, counter: { type: images, path: m, mach: '*' } }");
    expect(key).toContain('sources[0].counter.mach: the key "mach" is not known here. Did you mean match?');
    expect(faultOf('{ id: cam, kind: rheed }')).toContain('sources[0].counter: is missing');
  });
});
