// A tool that writes a log and rotates it, as a process of its own: `rotating-tool.ts '{RotatingWish}'`. Each row has a stamp
// and a number of its own; some lines come in two pieces. It ends with 0 behind its last rotation, or with its input.
import { appendFileSync, copyFileSync, existsSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Chance } from '../simulation/random.ts';

/**
 * How a log is rotated: by a chain of names, by a copy of which the log is cut, or by a new file under the next name. `save` keeps
 * it whole and puts a copy in its place, as a program that saves safely does.
 */
export const STYLES = ['rename', 'copytruncate', 'new-file', 'save'] as const;
export type Style = (typeof STYLES)[number];

export interface RotatingWish {
  /** Where the logs lie. */
  readonly folder: string;
  /** What was written, `UNIX_MS,NUMBER` a line: the truth, told before the log has it. */
  readonly truth: string;
  readonly style: Style;
  readonly rotations: number;
  /** Number of the first row. */
  readonly from: number;
  /** Rotations that came before, which new files are counted by. */
  readonly rotated: number;
  /** Files that are kept beside the log. */
  readonly keep: number;
  /** Least and most time between two rotations; 0: as fast as it can, ten rows each. */
  readonly everyMs: readonly [number, number];
  readonly seed: number;
}

const HEADER = 'time,v\n';
const ROW_MS = 5;
const ROWS_AT_ONCE = 10;

async function write(wish: RotatingWish): Promise<void> {
  const chance = new Chance(wish.seed);
  const numbered = (count: number) => join(wish.folder, `log-${String(count).padStart(5, '0')}.csv`);
  let { rotated, from: next } = wish;
  let log = wish.style === 'new-file' ? numbered(rotated) : join(wish.folder, 'log.csv');
  let lastMs = 0;

  const writeRow = () => {
    lastMs = Math.max(lastMs + 1, Date.now());
    appendFileSync(wish.truth, `${lastMs},${next}\n`);
    const line = `${new Date(lastMs).toISOString().replace('T', ' ').replace('Z', '')},${next}\n`;
    const cut = chance.happens(0.05) ? chance.between(1, line.length - 1) : line.length;
    appendFileSync(log, line.slice(0, cut));
    if (cut < line.length) appendFileSync(log, line.slice(cut));
    next += 1;
  };
  const save = () => {
    copyFileSync(log, `${log}.tmp`);
    const isBackedUp = chance.happens(0.5);
    if (isBackedUp) renameSync(log, `${log}~`);
    renameSync(`${log}.tmp`, log);
    if (isBackedUp) rmSync(`${log}~`);
  };
  const rotate = () => {
    rotated += 1;
    if (wish.style === 'save') return save();
    if (wish.style === 'new-file') {
      log = numbered(rotated);
      rmSync(numbered(rotated - wish.keep - 1), { force: true });
    } else {
      for (let number = wish.keep - 1; number > 0; number--) {
        if (existsSync(`${log}.${number}`)) renameSync(`${log}.${number}`, `${log}.${number + 1}`);
      }
      if (wish.style === 'rename') renameSync(log, `${log}.1`);
      else {
        copyFileSync(log, `${log}.1`);
        truncateSync(log);
      }
    }
    appendFileSync(log, HEADER);
  };

  if (!existsSync(log)) appendFileSync(log, HEADER);
  for (let done = 0; done <= wish.rotations; done++) {
    const [leastMs, mostMs] = wish.everyMs;
    const endMs = performance.now() + chance.between(leastMs, mostMs);
    for (let row = 0; row < ROWS_AT_ONCE || performance.now() < endMs; row++) {
      writeRow();
      if (mostMs > 0) await setTimeout(ROW_MS);
    }
    if (done < wish.rotations) rotate();
  }
}

if (import.meta.main) await write(JSON.parse(process.argv[2] ?? '') as RotatingWish);
