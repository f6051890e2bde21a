// Rotations between any two calls of a look, on a simulated file system, before a strict judge (follow-judge.ts).
// `npm run test:long` lives through more of them, as does EPISTREAM_SCHEDULES=20000; `npm run follow` lives through as many as
// wanted, and tells the story of those that fail; `npm run follow:mutants` shows that the judge finds what a follower must not do.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { follow } from '../../../simulation/follow.ts';
import { CLASSES } from '../../../simulation/follow-classes.ts';
import { MUTANTS } from '../../../simulation/follow-mutants.ts';
import type { Planned, Schedule } from '../../../simulation/follow-schedule.ts';
import { amount } from '../../../support/run/effort.ts';

const SCHEDULES = Number(process.env.EPISTREAM_SCHEDULES ?? amount(100, 100, 4000));
const FIRST = Number(process.env.EPISTREAM_SCHEDULE ?? amount(1, 101, 1));
/** Of the calls of a reader, each of several lives takes every sixth, and all of them together take each. */
const APART = amount(6, 6, 1);
const run = promisify(execFile);

async function outcomeOf(schedule: Schedule) {
  const { faults, delivered, gaps } = await follow(schedule);
  const story = faults.length === 0 ? '' : (await follow(schedule, { isTold: true })).story.join('\n');
  return { faults, delivered, gaps: gaps.length, story };
}

describe('a log that is rotated while it is looked at', () => {
  test.each([
    ['hostile', 'drawn by a seed'],
    ['short', 'of two deeds, each before any call'],
    ['sweep', 'of a rotation that is made all at once, before any call'],
    ['rare', 'of a log that is cut, rewritten or held while new lines of it are read'],
  ])('gives each line once, in order, or a named gap: %s lives, %s', async (name) => {
    const scheduleOf = CLASSES[name] as (number: number) => Schedule;
    let lines = 0;
    for (let number = FIRST; number < FIRST + SCHEDULES; number++) {
      const { faults, delivered, story } = await outcomeOf(scheduleOf(number));
      expect({ number, faults }, story).toEqual({ number, faults: [] });
      lines += delivered;
    }
    expect(lines).toBeGreaterThan(SCHEDULES * 3);
  });

  /** The rotation moves by one call of the reader from case to case, so that it falls between any two. */
  test.each(['rename-chain', 'copytruncate'] as const)('wherever the steps of a %s fall', async (style) => {
    const rotated: Planned[] = Array.from({ length: 3 }, () => [
      { do: 'append' as const, lines: 3, after: [40, 0] },
      { do: 'rotate' as const, after: [40, 0] },
    ]).flat();
    for (const [first, match] of ['log.csv', '*', '*.csv'].entries()) {
      for (let at = first % APART; at < 24; at += Math.ceil(APART / 2)) {
        const deeds = rotated.map((deed) =>
          deed.do === 'rotate' ? { ...deed, after: [40 + at, at % 3, 0, 1] } : deed,
        );
        const { story, ...outcome } = await outcomeOf({ style, match, tickMs: 0.001, deeds });
        expect({ match, at, ...outcome }, story).toEqual({ match, at, faults: [], delivered: 9, gaps: 0 });
      }
    }
  });

  test('wherever the reader is killed, the same is stored as without', async () => {
    const append = { do: 'append', lines: 2, after: [20, 0] } as const;
    const rotate = { do: 'rotate', after: [20, 1] } as const;
    const others = [append, rotate, append, rotate, append];
    for (const [first, style] of (['rename-chain', 'copytruncate', 'dated'] as const).entries()) {
      for (const isFirst of [true, false]) {
        for (let at = (2 * first + Number(isFirst)) % APART; at < 90; at += APART) {
          const kill = { do: 'kill', after: [at] } as const;
          const planned = isFirst ? [kill, ...others] : [append, kill, ...others.slice(1)];
          const { story, ...outcome } = await outcomeOf({ style, match: 'log.csv', tickMs: 0.001, deeds: planned });
          expect({ style, at, isFirst, ...outcome }, story).toEqual({
            style,
            at,
            isFirst,
            faults: [],
            delivered: 6,
            gaps: 0,
          });
        }
      }
    }
  });

  test.each(['rename-chain', 'copytruncate', 'dated'] as const)(
    'two rotations (%s) while nobody looks: the file between is read where the match leaves it out',
    async (style) => {
      const append = { do: 'append', lines: 4, after: [60, 0] } as const;
      const off = { do: 'append', lines: 4, after: [0] } as const;
      const rotate = { do: 'rotate', after: [0] } as const;
      const deeds = [append, { do: 'kill', after: [60] } as const, off, rotate, off, rotate, off];
      const { story, ...outcome } = await outcomeOf({ style, match: 'log.csv', tickMs: 0.001, deeds });
      expect(outcome, story).toEqual({ faults: [], delivered: 16, gaps: 0 });
    },
  );

  test('a share that gives a file another number each time holds nothing up', async () => {
    const append = { do: 'append', lines: 3, after: [60, 0] } as const;
    const rotate = { do: 'rotate', after: [60, 0] } as const;
    const deeds = [append, rotate, append, rotate, append];
    const schedule = { style: 'rename-chain', match: '*', tickMs: 4, deeds, isRenumbering: true } as const;
    const { story, ...outcome } = await outcomeOf(schedule);
    expect(outcome, story).toEqual({ faults: [], delivered: 9, gaps: 0 });
  });

  test.each([
    'every file that goes is a gap',
    'a file is its object number',
    'nothing lies between two files',
    'what was read is not compared before it counts',
    'a shorter file is a new one at once',
  ])('the judge finds that %s', async (name) => {
    const program = fileURLToPath(new URL('../../../simulation/follow-mutants-run.ts', import.meta.url));
    const { stdout } = await run(process.execPath, [program, '--mutant', name, '--schedules', '20']);
    expect(stdout).toMatch(/^[1-9]/);
  });

  test('each mutant changes what the code says', () => {
    const top = new URL('../../../../', import.meta.url);
    const found = MUTANTS.map(({ name, file, from }) => [
      name,
      readFileSync(new URL(file, top), 'utf8').split(from).length - 1,
    ]);
    expect(found).toEqual(MUTANTS.map(({ name }) => [name, 1]));
  });
});
