// Many random walks (log-walk.ts), each judged. EPISTREAM_WALK=17 begins with that seed: it repeats a walk that failed, which
// tells its story.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { memoryFolder } from '../temp-folder.ts';
import { walk } from './log-walk.ts';
import { LogWriter } from './log-writer.ts';

const FIRST = Number(process.env.EPISTREAM_WALK ?? 0);
const STEPS = 12;

/**
 * Walk many times, and expect each line that stood in a file at one look exactly once, and a named gap for what a truncation
 * took unseen.
 *
 * @param walks - how many walks.
 * @param isFilled - whether the lines of the first look are skipped, and asked for half way.
 */
export async function walkMany(walks: number, isFilled: boolean): Promise<void> {
  const folder = memoryFolder('walks');
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
    const fine = { seed, lost: [], doubled: [], isSilent: false };
    expect({ seed, lost, doubled, isSilent }, story.join('\n')).toEqual(fine);
    deliveredLines += delivered.length;
  }
  expect(deliveredLines).toBeGreaterThan(walks * 5);
}
