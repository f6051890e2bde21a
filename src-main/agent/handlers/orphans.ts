// Entries of the service that were begun for this tool and belong to no stream and no RHEED session of this queue: an
// initialize whose answer was lost and could not be found again, or another data folder. `epistream receipt --orphans` lists
// them.
import { z } from 'zod';
import type { Snapshot } from '../../contract/snapshot.ts';
import { ForeignEntries, type ForeignEntry } from '../old-data/foreign-entries.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';

const STREAMS_A_PAGE = 500;
const LISTED_MAX = 1000;

/** An entry of the service that bears a name of this tool, but belongs to no stream of this queue. */
const OrphanView = z.object({
  dataId: z.string(),
  name: z.string(),
  sourceId: z.string(),
  startMs: z.number().nullable().describe('Unix time, milliseconds, as its name says'),
  isOpen: z.boolean().describe('the service has not closed it: somebody may still be writing'),
  cause: z
    .enum(['twin', 'elsewhere'])
    .describe('twin: a stream here has the same name and another entry; elsewhere: made from another data folder'),
});

export const OrphansAnswer = z.object({
  orphans: z.array(OrphanView).describe('newest first, at most 1000'),
  total: z.int().nonnegative(),
  isCut: z.boolean().describe('the catalogue has more entries than were looked through'),
});
type OrphansAnswer = z.infer<typeof OrphansAnswer>;

/**
 * Look for orphans. Takes the running parts, and the picture that names tool, zone and sources.
 *
 * @returns those entries, newest first.
 * @throws the ServiceError of the listing; those of the store.
 */
export async function findOrphans(
  { store, link }: Pick<Pipeline, 'store' | 'link'>,
  { toolName, timeZone, sources }: Pick<Snapshot, 'toolName' | 'timeZone' | 'sources'>,
): Promise<OrphansAnswer> {
  const entries = new Set<string>();
  const names = new Set<string>();
  const starting = new Set<string>();
  const sourceIds = new Set(sources.map(({ id }) => id));
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const page = await store.listStreams(before, STREAMS_A_PAGE);
    for (const { dataId, name, sourceId } of page) {
      // A stream without an entry is being started: the uploader finds its entry itself.
      (dataId === null ? starting : names).add(name);
      if (dataId !== null) entries.add(dataId);
      sourceIds.add(sourceId);
    }
    const last = page.at(-1);
    if (!last || page.length < STREAMS_A_PAGE) break;
    before = last.id;
  }
  for (const { dataId, name } of await store.rheedEntries()) {
    (dataId === null ? starting : names).add(name);
    if (dataId !== null) entries.add(dataId);
  }
  const catalogue = await ForeignEntries.read({
    service: link.client,
    toolName: toolName ?? '',
    timeZone,
    sourceIds: [...sourceIds],
    isOwn: (dataId, name) => entries.has(dataId) || starting.has(name),
  });
  const found = [...sourceIds].flatMap((sourceId) => catalogue.ofSource(sourceId));
  const newestFirst = found.toSorted((a, b) => (b.startMs ?? 0) - (a.startMs ?? 0));
  const orphans = newestFirst.slice(0, LISTED_MAX).map((entry) => viewOf(entry, names));
  return { orphans, total: found.length, isCut: catalogue.isCut };
}

function viewOf(entry: ForeignEntry, names: ReadonlySet<string>) {
  return { ...entry, cause: names.has(entry.name) ? ('twin' as const) : ('elsewhere' as const) };
}
