// 4.8: the catalogue, newest first.
import type { DataEntry } from '../../interface/resources.ts';
import type { NamedId, PageRow } from '../storage/page.ts';
import type { Handlers } from './handlers.ts';
import type { ServiceParts } from './service-parts.ts';

const LIMIT_DEFAULT = 10_000;

const iso = (ms: number) => new Date(ms).toISOString();

const listOf = (list: PageRow['tags']): NamedId[] =>
  typeof list === 'string' ? (JSON.parse(list) as NamedId[]) : [...(list ?? [])];

function toEntry({ upload_ms, accessed_ms, tags, projects, extra, ...row }: PageRow): DataEntry {
  return {
    ...(extra ? (JSON.parse(extra) as object) : {}),
    ...row,
    upload_datetime: iso(upload_ms),
    last_accessed_datetime: iso(accessed_ms),
    tags: listOf(tags),
    projects: listOf(projects),
  };
}

/** Kinds that a kind of the interface stands for; any other stands for itself. What streams and sessions make is here too. */
const KINDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['rheed_video', ['rheed_video', 'rheed_stationary', 'rheed_rotating']],
  ['metrology', ['metrology', 'tool_state']],
]);

/** Serve the catalogue; entries that are newer than `visibleUntilMs` are not there yet. */
export function serveCatalogue(
  { storage: { catalogue } }: ServiceParts,
  visibleUntilMs: () => number = () => Number.MAX_SAFE_INTEGER,
): Pick<Handlers, 'listDataEntries'> {
  return {
    async listDataEntries(request, { organizationId, userId }) {
      const { data_type, status = 'all', keywords = [], limit = LIMIT_DEFAULT, offset = 0 } = request;
      const rows = await catalogue.page({
        organizationId,
        dataIds: request.data_ids,
        sampleIds: request.physical_sample_ids,
        types: data_type === undefined ? undefined : (KINDS.get(data_type) ?? [data_type]),
        status: status === 'all' ? undefined : status,
        keywords,
        userId: request.include_organization_data === false ? userId : undefined,
        limit,
        offset,
      });
      const untilMs = visibleUntilMs();
      return rows.filter(({ upload_ms }) => upload_ms <= untilMs).map(toEntry);
    },
  };
}
