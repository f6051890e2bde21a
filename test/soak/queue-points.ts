// What the agent's own queue holds of a channel, all of it: the queue gives as much at once as a plot needs.
import type { Store } from '../../src-main/store/store.ts';
import type { Series } from './delivered-series.ts';

/** Time asked for at once, milliseconds: fewer chunks than the queue unpacks for one answer. */
const WINDOW_MS = 60_000;

/**
 * Read a channel.
 *
 * **Takes**: the queue, source and channel, and the span in which its stamps lie, Unix milliseconds.
 * **Gives**: its points, stamps to the last digit.
 */
export async function readQueuePoints(
  store: Pick<Store, 'readPoints'>,
  sourceId: string,
  channel: string,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<Series> {
  const all: Series = { timesMs: [], values: [] };
  for (let startMs = fromMs; startMs < toMs; startMs += WINDOW_MS) {
    const endMs = startMs + WINDOW_MS;
    const { timesMs, values } = await store.readPoints(sourceId, channel, startMs, endMs);
    for (const [at, timeMs] of timesMs.entries()) {
      // What lies at the very end is in the next window, too.
      if (timeMs >= endMs) continue;
      all.timesMs.push(timeMs);
      all.values.push(values[at] as number);
    }
  }
  return all;
}

/** When readings of a channel were refused with their text, Unix milliseconds. */
export async function refusedTimes(
  store: Pick<Store, 'listRefusedCells'>,
  sourceId: string,
  channel: string,
): Promise<number[]> {
  const cells = await store.listRefusedCells(sourceId, 0, Number.MAX_VALUE, 1_000_000);
  return cells.filter((cell) => cell.channel === channel).map(({ timeMs }) => timeMs);
}
