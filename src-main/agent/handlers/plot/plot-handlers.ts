// What the plots ask: points, gaps and marks from the queue; points that are not kept here any more from the service,
// only when a person asks for them: looking at a plot never loads the service.
import type { Handlers } from '../../../contract/table.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import { listOlder, readOlder } from './older-points.ts';
import { readLine } from './read-line.ts';

/** Gaps that one question looks through, the newest first. */
const GAPS_MAX = 1000;
/** Refused cells of one answer. */
const CELLS_MAX = 500;

/** The calls for plots. `running` throws while nothing runs. */
export function plotHandlers(running: () => Pipeline): Handlers['plot'] {
  return {
    listChannels: async () => running().store.listChannels(),
    read: async ({ channels, ...span }) => {
      const { store } = running();
      return Promise.all(channels.map((channel) => readLine(store, { ...channel, ...span })));
    },
    readGaps: async ({ sourceIds, fromMs, toMs }) => {
      const gaps = await running().store.listGaps(GAPS_MAX);
      return gaps
        .map((gap, at) => ({ id: at + 1, ...gap }))
        .filter((gap) => sourceIds.includes(gap.sourceId) && gap.toMs >= fromMs && gap.fromMs <= toMs);
    },
    readRefused: async ({ sourceIds, fromMs, toMs }) => {
      const { store } = running();
      const cells = sourceIds.map((sourceId) => store.listRefusedCells(sourceId, fromMs, toMs, CELLS_MAX));
      return (await Promise.all(cells)).flat().slice(0, CELLS_MAX);
    },
    listOlder: (span) => listOlder(running(), span),
    readOlder: (question) => readOlder(running().link.client, question),
    readMarks: async (question) => {
      const { marks, next } = await running().store.listMarks(question);
      return { marks: marks.map(({ byte, ...mark }) => mark), next };
    },
  };
}
