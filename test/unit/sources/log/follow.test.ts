// Rotations between any two calls of a look, on a simulated file system. EPISTREAM_SCHEDULES=20000 lives through more of them;
// `npm run follow` through as many as wanted, and tells the story of those that fail.
import { describe, expect, test } from 'vitest';
import { follow, isSound } from '../../../simulation/follow.ts';
import { drawSchedule, type Planned, type Schedule } from '../../../simulation/follow-schedule.ts';

const SCHEDULES = Number(process.env.EPISTREAM_SCHEDULES ?? 150);
const FIRST = Number(process.env.EPISTREAM_SCHEDULE ?? 1);

async function outcomeOf(schedule: Schedule) {
  const { lost, doubled, silent, needless, failure, delivered, story } = await follow(schedule);
  return { outcome: { lost, doubled, silent, needless, failure }, delivered, story: story.join('\n') };
}

const SOUND = { lost: [], doubled: [], silent: [], needless: [], failure: '' };

describe('a log that is rotated while it is looked at', () => {
  test('gives each line once, or a named gap for those that were destroyed; one that is kept gives no gap', async () => {
    let lines = 0;
    for (let seed = FIRST; seed < FIRST + SCHEDULES; seed++) {
      const { outcome, delivered, story } = await outcomeOf(drawSchedule(seed));
      expect({ seed, ...outcome }, story).toEqual({ seed, ...SOUND });
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
    for (const match of ['log.csv', '*']) {
      for (let at = 0; at < 24; at++) {
        const deeds = rotated.map((deed) =>
          deed.do === 'rotate' ? { ...deed, after: [40 + at, at % 3, 0, 1] } : deed,
        );
        const { outcome, delivered, story } = await outcomeOf({ style, match, tickMs: 0.001, deeds });
        expect({ match, at, ...outcome, delivered }, story).toEqual({ match, at, ...SOUND, delivered: 9 });
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
      const { outcome, delivered, story } = await outcomeOf({ style, match: 'log.csv', tickMs: 0.001, deeds });
      expect({ ...outcome, delivered }, story).toEqual({ ...SOUND, delivered: 16 });
    },
  );

  test('a share that gives a file another number each time holds nothing up', async () => {
    const append = { do: 'append', lines: 3, after: [60, 0] } as const;
    const rotate = { do: 'rotate', after: [60, 0] } as const;
    const deeds = [append, rotate, append, rotate, append];
    const schedule = { style: 'rename-chain', match: '*', tickMs: 4, deeds, isRenumbering: true } as const;
    const { outcome, delivered, story } = await outcomeOf(schedule);
    expect({ ...outcome, delivered }, story).toEqual({ ...SOUND, delivered: 9 });
  });

  test('the judge sees what is wrong', () => {
    expect(isSound({ ...SOUND, delivered: 1, story: [] })).toBe(true);
    expect(isSound({ ...SOUND, doubled: [1], delivered: 1, story: [] })).toBe(false);
  });
});
