// Silence of a log folder: a logger that died, a log that has nothing to say, a folder of which nothing is written any
// more. Told apart by the beat of each channel and by what its siblings do.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { LogReader } from '../../support/logs/log-reader.ts';
import { memoryFolder } from '../../support/temp-folder.ts';

const CODE = 'log.channels-stopped';

/** Seconds of a minute and a half at which a shutter moves. */
const SHUTTERS = new Set([1, 2, 5, 12, 13, 20, 33, 35, 36, 50, 51, 58, 71, 72, 80, 88]);

let folder: string;
let reader: LogReader;
let second: number;

beforeEach(async () => {
  folder = memoryFolder('silence');
  second = 0;
  for (const name of ['pyro', 'gauge', 'shutter']) appendFileSync(join(folder, `${name}.csv`), `time,${name}\n`);
  reader = new LogReader({ path: folder });
  return () => reader.kill();
});

const line = (file: string, value: number) =>
  appendFileSync(join(folder, `${file}.csv`), `${1_795_000_000 + second},${value}\n`);

/** Let seconds pass, one look each or so many. Each file is written as its rule says, in its own rhythm. */
async function pass(
  seconds: number,
  writes: Partial<Record<'pyro' | 'gauge' | 'shutter', boolean>>,
  lookEveryS = 1,
): Promise<void> {
  for (let n = 1; n <= seconds; n++) {
    second += 1;
    if (writes.pyro) line('pyro', 600 + (second % 3));
    if (writes.gauge && second % 2 === 0) line('gauge', 2e-8 * (1 + (second % 4)));
    if (writes.shutter && SHUTTERS.has(second % 90)) line('shutter', second);
    if (n % lookEveryS === 0) await reader.look(1000 * lookEveryS);
  }
}

/** The remark that stands now; empty: none, or it was settled. */
function said(): string {
  const note = reader.sink.notes.get(CODE);
  return note === undefined || note.message === 'Settled.' ? '' : `${note.level}: ${note.message}`;
}

test('a logger that dies is told, and so is its return; the shutters beside it are quiet and raise no alarm', async () => {
  await pass(130, { pyro: true, gauge: true, shutter: true });
  expect(said()).toBe('');
  await pass(60, { gauge: true });
  const last = new Date((1_795_000_000 + 130) * 1000).toISOString().slice(0, 19).replace('T', ' ');
  expect(said()).toBe(`warning: Stopped, while other files of the folder go on: pyro (every 1 s, last ${last} UTC).`);
  await pass(5, { pyro: true, gauge: true });
  expect(said()).toBe('');
  await pass(650, { pyro: true, gauge: true }, 5);
  expect(said()).toBe('');
});

test('when nothing is written any more nothing is said of single channels', async () => {
  await pass(130, { pyro: true, gauge: true, shutter: true });
  await pass(200, {});
  expect(said()).toBe('');
  await pass(3, { pyro: true, gauge: true });
  expect(said()).toBe('');
});

test('what was said of now is taken back when the run ends', async () => {
  await pass(100, { pyro: true, gauge: true });
  await pass(60, { gauge: true });
  expect(said()).toContain('pyro');
  await reader.kill();
  expect(said()).toBe('');
});
