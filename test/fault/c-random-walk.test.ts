// Fault matrix, rows 43 to 47 and 61 together: a writer that does anything to its files, a reader that is killed anywhere.
// EPISTREAM_WALKS=1000 walks further than the suite does; a failed walk is repeated with its seed, and tells its story.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { walk } from '../support/log-walk.ts';
import { LogWriter } from '../support/log-writer.ts';
import { tempFolder } from '../support/temp-folder.ts';

const WALKS = Number(process.env.EPISTREAM_WALKS ?? 250);
const FIRST = Number(process.env.EPISTREAM_WALK ?? 0);
const STEPS = 12;

test('every line that stood in a file at one look comes once, and a truncation that took unseen lines is a named gap', () =>
  walkMany(WALKS, false));

test('the same where what was there at first is passed over and asked for half way: what still stands comes once', () =>
  walkMany(WALKS, true));

async function walkMany(walks: number, isFilled: boolean): Promise<void> {
  const folder = tempFolder();
  const writer = new LogWriter(folder);
  let deliveredLines = 0;
  for (let seed = FIRST; seed < FIRST + walks; seed++) {
    const name = `walk-${seed}`;
    mkdirSync(join(folder, name));
    const own = { does: (deed: Parameters<LogWriter['does']>[0]) => writer.doesIn(name, deed) };
    const { story, seen, exposed, delivered, gaps } = await walk(join(folder, name), own, seed, STEPS, isFilled);
    const count = new Map<number, number>();
    for (const value of delivered) count.set(value, (count.get(value) ?? 0) + 1);
    const lost = [...seen].filter((value) => !count.has(value));
    const doubled = [...count].filter(([, times]) => times > 1).map(([value]) => value);
    const isSilent = gaps === 0 && [...exposed].some((value) => !count.has(value));
    expect({ seed, lost, doubled, isSilent }, story.join('\n')).toEqual({
      seed,
      lost: [],
      doubled: [],
      isSilent: false,
    });
    deliveredLines += delivered.length;
  }
  expect(deliveredLines).toBeGreaterThan(walks * 5);
}
