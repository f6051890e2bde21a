// What the service holds of a log folder that this queue does not know: its queue was lost, or another installation sent it.
// Asked before old data is read, by comparing rows with series.
import { ForeignEntries } from '../old-data/foreign-entries.ts';
import { planSource } from '../old-data/plan-source.ts';
import type { ServiceClient } from '../service/client.ts';
import type { LogSourceSettings, Settings } from '../settings/settings.ts';
import type { FormerData } from '../sources/log/former-data.ts';
import type { Store } from '../store/store.ts';
import type { FormerEntries } from '../upload/ports.ts';

/** Streams asked for at once. */
const STREAMS_A_PAGE = 500;

export interface FormerParts {
  readonly store: Pick<Store, 'positions' | 'listStreams'>;
  readonly service: Pick<ServiceClient, 'listDataEntries' | 'scanTimeSeries'>;
  readonly tool: Settings['tool'];
  /** Fulfilled when nothing that a former agent sent can still be on its way. */
  readonly holdOff: () => Promise<void>;
}

/** Read the entries of sources of this tool that this queue does not know. **Errors**: the ServiceError of the call. */
async function readForeign(
  sourceIds: readonly string[],
  { store, service, tool }: Omit<FormerParts, 'holdOff'>,
): Promise<ForeignEntries> {
  const [ids, names] = [new Set<string>(), new Set<string>()];
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const page = await store.listStreams(before, STREAMS_A_PAGE);
    for (const { dataId, name } of page) {
      if (dataId !== null) ids.add(dataId);
      names.add(name);
    }
    const last = page.at(-1);
    if (last === undefined || page.length < STREAMS_A_PAGE) break;
    before = last.id;
  }
  return ForeignEntries.read({
    ...{ service, toolName: tool.name, timeZone: tool.timeZone, sourceIds },
    isOwn: (dataId, name) => ids.has(dataId) || names.has(name),
  });
}

/** Names tell seconds. */
const NAMED_MS = 1000;
/** A chunk counts as held where so much of it is. */
const HELD_SHARE = 0.5;

/**
 * Look for points among the entries of these sources that this queue does not know. The catalogue is looked through once:
 * what is made later is made by this queue.
 */
export function formerEntriesOf(sourceIds: readonly string[], parts: Omit<FormerParts, 'holdOff'>): FormerEntries {
  let listed: Promise<ForeignEntries> | null = null;
  const list = () => {
    listed ??= readForeign(sourceIds, parts).catch((thrown: unknown) => {
      listed = null;
      throw thrown;
    });
    return listed;
  };
  return {
    findHolder: async (sourceId, { timesMs, channels }) => {
      const foreign = await list();
      const [firstMs, lastMs] = [Math.min(...timesMs), Math.max(...timesMs)];
      for (const entry of foreign.ofSource(sourceId)) {
        const { startMs } = entry;
        if (startMs === null || startMs < firstMs - NAMED_MS || startMs > lastMs) continue;
        const series = await foreign.seriesOf(entry);
        let found = 0;
        for (const { name, values } of channels) {
          const own = series?.get(name);
          for (const [row, value] of values.entries()) if (own?.has(timesMs[row] as number, value, true)) found += 1;
        }
        if (found >= HELD_SHARE * channels.length * timesMs.length) return entry.name;
      }
      return null;
    },
  };
}

/** Ask for one log folder. */
export function formerDataOf(settings: LogSourceSettings, parts: FormerParts): FormerData {
  const { store, holdOff } = parts;
  const read = () => readForeign([settings.id], parts);
  return {
    isAny: async () => (await read()).ofSource(settings.id).length > 0,
    find: async () => {
      if ((await read()).ofSource(settings.id).length === 0) return { there: new Map(), left: new Map() };
      await holdOff();
      const positions = await store.positions(settings.id);
      // Whoever wrote into an entry of this source before has ended: this agent stands in its place.
      const options = { settings, positions, areOpenEnded: true, onProgress: () => undefined };
      const { fill } = await planSource({ ...options, catalogue: await read() });
      return { there: fill.there ?? new Map(), left: fill.left ?? new Map() };
    },
  };
}
