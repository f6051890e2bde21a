// What the service holds of a log folder that this queue does not know: its queue was lost, or another installation sent it.
// Asked before old data is read, by comparing rows with series.
import { ForeignEntries } from '../old-data/foreign-entries.ts';
import { planSource } from '../old-data/plan-source.ts';
import type { ServiceClient } from '../service/client.ts';
import type { LogSourceSettings, Settings } from '../settings/settings.ts';
import type { FormerData } from '../sources/log/former-data.ts';
import type { Store } from '../store/store.ts';

/** Streams asked for at once. */
const STREAMS_A_PAGE = 500;

export interface FormerParts {
  readonly store: Pick<Store, 'positions' | 'listStreams'>;
  readonly service: Pick<ServiceClient, 'listDataEntries' | 'scanTimeSeries'>;
  readonly tool: Settings['tool'];
  /** Fulfilled when nothing that a former agent sent can still be on its way. */
  readonly holdOff: () => Promise<void>;
}

/** Ask for one log folder. */
export function formerDataOf(settings: LogSourceSettings, { store, service, tool, holdOff }: FormerParts): FormerData {
  const read = async () => {
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
      ...{ service, toolName: tool.name, timeZone: tool.timeZone, sourceIds: [settings.id] },
      isOwn: (dataId, name) => ids.has(dataId) || names.has(name),
    });
  };
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
