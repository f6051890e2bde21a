// Counters that show a number: restarted overnight, beside others, under another name in the settings.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FrameTally } from '../../../../../src-main/sources/rheed/count/frame-tally.ts';
import type { Sighting } from '../../../../../src-main/sources/rheed/count/sighting.ts';
import { CounterFileReader } from '../../../../../src-main/sources/rheed/readers/counter-file-reader.ts';
import { readCounterText } from '../../../../../src-main/sources/rheed/readers/counter-text.ts';
import { PortReader } from '../../../../../src-main/sources/rheed/readers/port-reader.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

const OPTIONS = { setRate: 30, rollsOverAt: null, stallAfterMs: 2000 };
const value = (number: number, atMs: number, more: Partial<Sighting> = {}): Sighting => ({
  ...{ run: 'c', kind: 'value', number, atMs, uncertaintyMs: 10, ownMs: null },
  ...more,
});

test('a counter that restarts overnight did not wrap around at 16 bits', () => {
  const evening = new FrameTally(OPTIONS);
  evening.take([value(0, 0, { isBaseline: true }), value(54_000, 1_800_000)]);
  evening.settle(1_810_000);
  const morning = new FrameTally(OPTIONS, JSON.parse(JSON.stringify(evening.state)));
  morning.take([value(200, 14 * 3_600_000)]);
  expect(morning.figures()).toMatchObject({ counted: 54_200, rollovers: 0, restarts: 1 });
});

test('a movie or log that goes on beside eight shorter ones is not counted again', () => {
  const tally = new FrameTally(OPTIONS);
  tally.take([value(1000, 0, { run: 'long', isBaseline: true })]);
  for (let at = 0; at < 8; at++) tally.take([value(1, 100 + at, { run: `short ${at}` })]);
  tally.take([value(1001, 200, { run: 'long' })]);
  expect(tally.figures().counted).toBe(8 + 1);
});

const text = readCounterText({ pattern: 'FC {frame}', field: null });
function port(name: string, state: unknown) {
  const lines: string[] = [];
  const reader = new PortReader({
    port: { takeLines: () => lines.splice(0).map((line) => ({ text: line, atMs: 1000 })), close: () => {} },
    ...{ name, text, state },
  });
  return { lines, reader };
}

test('a renamed port continues from the value of the counter', async () => {
  const tally = new FrameTally(OPTIONS);
  const former = port('COM3', undefined);
  former.lines.push('x', 'FC 48200', 'FC 48211');
  tally.take(await former.reader.look(1000));
  expect(tally.figures().counted).toBe(11);
  const next = port('COM4', JSON.parse(JSON.stringify(former.reader.state())));
  next.lines.push('x', 'FC 48220', 'FC 48221');
  tally.take(await next.reader.look(2000));
  expect(tally.figures().counted).toBeLessThanOrEqual(21);
});

test('counting begins at a counter file that the settings name for the first time', async () => {
  const folder = tempFolder('files');
  const plain = readCounterText({ pattern: null, field: null });
  const open = (path: string, state: unknown) =>
    new CounterFileReader({ path, text: plain, monotonicMs: () => 0, state });
  const [a, b] = [join(folder, 'a.txt'), join(folder, 'b.txt')];
  writeFileSync(a, '100');
  writeFileSync(b, '50000');
  const tally = new FrameTally(OPTIONS);
  const former = open(a, undefined);
  tally.take(await former.look(Date.now()));
  const next = open(b, JSON.parse(JSON.stringify(former.state())));
  tally.take(await next.look(Date.now()));
  expect(tally.figures().counted).toBe(0);
});
