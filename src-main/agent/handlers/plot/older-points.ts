// Points that were delivered and are not kept here any more: which streams had them, and reading them back (4.3).
import type { Argument, Value } from '../../../contract/table.ts';
import type { ServiceClient } from '../../../delivery/client/client.ts';
import { thin } from '../../../model/thin.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';

const STREAMS_A_PAGE = 500;
const ENTRIES_MAX = 50;
/** Streams looked through for one source. */
const LOOKED_MAX = 5_000;
/**
 * Elapsed seconds count from the measurement's start, which the interface does not define closer: so much more is asked
 * for, seconds, and what lies outside of the span is dropped here.
 */
const MARGIN_S = 60;

type Older = Value<'plot', 'listOlder'>;

/**
 * List streams with points in a span that are kept at the service only.
 *
 * @returns for each the part of the span in question, oldest first.
 * @throws those of the store.
 */
export async function listOlder(
  { store, link }: Pick<Pipeline, 'store' | 'link'>,
  { sourceIds, fromMs, toMs }: Argument<'plot', 'listOlder'>,
): Promise<Older> {
  const found: Older = [];
  let looked = 0;
  for (let before = Number.MAX_SAFE_INTEGER; looked < LOOKED_MAX && found.length < ENTRIES_MAX; ) {
    const page = await store.listStreams(before, STREAMS_A_PAGE);
    looked += page.length;
    for (const { id, sourceId, name, dataId, lastStoredMs, pointsAcknowledged } of page) {
      if (!sourceIds.includes(sourceId) || dataId === null || pointsAcknowledged === 0) continue;
      if (lastStoredMs === null || lastStoredMs < fromMs || found.length >= ENTRIES_MAX) continue;
      const facts = await store.streamFacts(id);
      if (facts === null || facts.service !== link.mark || (facts.firstReadingMs ?? facts.openedMs) > toMs) continue;
      const startMs = facts.firstReadingMs ?? facts.openedMs;
      const keptMs = (await store.storedPage(id, 0, 1)).blocks[0]?.timesMs[0] ?? Number.POSITIVE_INFINITY;
      const goneToMs = Math.min(toMs, keptMs, lastStoredMs);
      if (keptMs <= startMs || goneToMs <= fromMs) continue;
      found.push({ streamId: id, sourceId, dataId, name, startMs, fromMs: Math.max(fromMs, startMs), toMs: goneToMs });
    }
    const last = page.at(-1);
    if (!last || page.length < STREAMS_A_PAGE) break;
    before = last.id;
  }
  return found.toSorted((a, b) => a.fromMs - b.fromMs);
}

/**
 * Read points of an entry back.
 *
 * @returns a line for each wanted channel that the entry has, thinned keeping extremes; null: it has no series.
 * @throws the ServiceError of the call.
 */
export async function readOlder(
  client: Pick<ServiceClient, 'scanTimeSeries'>,
  { entry, channels, maxPoints }: Argument<'plot', 'readOlder'>,
): Promise<Value<'plot', 'readOlder'>> {
  const { dataId, sourceId, startMs, fromMs, toMs } = entry;
  const wanted = new Set(channels);
  const lines: NonNullable<Value<'plot', 'readOlder'>> = [];
  let held: Record<'times' | 'values', number[]> = { times: [], values: [] };
  const elapsed = (fromMs - startMs) / 1000 - MARGIN_S;
  const end = await client.scanTimeSeries(
    { data_id: dataId, return_null_if_missing: true, ...(elapsed > 0 ? { elapsed_seconds: elapsed } : {}) },
    {
      onNumbers: (property, array, from, numbers) => {
        if (!wanted.has(property)) return;
        for (let at = 0; at < numbers.length; at++) held[array][from + at] = numbers[at] as number;
      },
      onProperty: (channel, _points, units) => {
        const { times, values } = held;
        held = { times: [], values: [] };
        if (!wanted.has(channel)) return;
        const inside = [...times.keys()].filter((at) => {
          const timeMs = times[at] as number;
          return timeMs >= fromMs && timeMs <= toMs && Number.isFinite(values[at]);
        });
        const pick = (row: readonly number[]) => Float64Array.from(inside, (at) => row[at] as number);
        lines.push({
          sourceId,
          channel,
          unit: units ?? '',
          readFromMs: null,
          statistics: null,
          ...thin(pick(times), pick(values), maxPoints),
        });
      },
    },
  );
  return end === null ? null : lines;
}
