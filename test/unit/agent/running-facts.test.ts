// What the screen is told is of one moment: no source calls more stored than the store has counted for it.
import { expect, test } from 'vitest';
import { runningFacts } from '../../../src-main/agent/agent.ts';
import type { Pipeline } from '../../../src-main/agent/pipeline/pipeline.ts';
import { SourcePanel } from '../../../src-main/agent/pipeline/source-panel.ts';
import type { Facts } from '../../../src-main/agent/status/facts.ts';
import type { QueueTally } from '../../../src-main/model/queue.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';

test('what comes to disk while the store counts is not called stored yet, and what was read meanwhile is told', async () => {
  const panel = new SourcePanel({ id: 'log', kind: 'log', place: '/logs', clock: systemClock });
  panel.read(10, 1);
  panel.captured(5, 10, 0, 1);
  let isTogether = false;
  const asked: [string, boolean][] = [];
  // The parts of a pipeline that are asked; its store counts, and two captures come meanwhile.
  const pipeline = {
    panels: [panel],
    store: {
      together: (ask: () => unknown) => {
        isTogether = true;
        const answers = ask();
        isTogether = false;
        return answers;
      },
    },
    tally: async () => {
      asked.push(['tally', isTogether]);
      const tally = { waitingPoints: 0 } as QueueTally;
      panel.read(4, 2);
      panel.captured(2, 4, 0, 2);
      panel.read(6, 3);
      return tally;
    },
    former: {
      facts: async () => {
        asked.push(['former', isTogether]);
        return [];
      },
      last: [],
    },
    room: async () => ({ freeBytes: 0, bytesPerHour: null, hoursToFull: null }),
    ...{
      link: {},
      uploader: {},
      pause: {},
      limits: { alarms: [] },
      uploads: () => new Map(),
      growth: { current: null },
    },
  };
  const { sources } = await runningFacts(pipeline as unknown as Pipeline, {} as Facts, null);
  expect(sources).toMatchObject([{ rowsRead: 5, pointsRead: 10, pointsUnstored: 6 }]);
  // One message to the store's thread, four times a second.
  expect(asked).toEqual([
    ['tally', true],
    ['former', true],
  ]);
});
