// What the plots ask: points and marks, from the queue.
import type { Handlers } from '../../contract/table.ts';
import { thin } from '../../model/thin.ts';
import type { Pipeline } from '../pipeline.ts';

/** The calls for plots. `running` throws while nothing runs. */
export function plotHandlers(running: () => Pipeline): Handlers['plot'] {
  return {
    listChannels: async () => running().store.listChannels(),
    read: async ({ channels, fromMs, toMs, maxPoints }) => {
      const { store } = running();
      const lines = channels.map(async ({ sourceId, channel }) => {
        const { unit, timesMs, values } = await store.readPoints(sourceId, channel, fromMs, toMs);
        return { sourceId, channel, unit, ...thin(timesMs, values, maxPoints) };
      });
      return Promise.all(lines);
    },
    readMarks: async (question) => {
      const { marks, next } = await running().store.listMarks(question);
      return { marks: marks.map(({ byte, ...mark }) => mark), next };
    },
  };
}
