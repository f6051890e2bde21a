// 4.8: the catalogue, newest first. A request is answered from the filter that leaves least, the lead: ids, samples,
// keywords, in that order; with none of these, from an index of the entries that gives the newest first by itself. The
// query planner knows nothing of the data and would walk the whole catalogue rather than sort ten rows, so the order of
// the join is fixed here. First the numbers of the entries on the page are found, then their columns are read: what
// `offset` skips costs an index entry each. The statement for a set of filters is made once.
import type { Statement } from 'better-sqlite3';
import type { DataEntry } from '../../interface/resources.ts';
import { searchQueries } from '../storage/search.ts';
import type { ServiceDatabase } from '../storage/sqlite/database.ts';
import type { Handlers } from './handlers.ts';

const LIMIT_DEFAULT = 10_000;

interface CatalogueRow {
  data_id: string;
  raw_name: string;
  char_source_type: string;
  pipeline_status: string;
  upload_ms: number;
  accessed_ms: number;
  physical_sample_id: string | null;
  physical_sample_name: string | null;
  tags: string | null;
  projects: string | null;
  extra: string | null;
}

const COLUMNS = `
  e.data_id, e.raw_name, e.char_source_type, e.pipeline_status, e.upload_ms, e.accessed_ms, e.extra,
  s.sample_uuid AS physical_sample_id, s.name AS physical_sample_name,
  (SELECT json_group_array(json_object('id', t.tag_uuid, 'name', t.name))
     FROM entry_tag et JOIN tag t ON t.id = et.tag_id WHERE et.entry_id = e.id) AS tags,
  (SELECT json_group_array(json_object('id', p.project_uuid, 'name', p.name))
     FROM entry_project ep JOIN project p ON p.id = ep.project_id WHERE ep.entry_id = e.id) AS projects`;

const iso = (ms: number) => new Date(ms).toISOString();

function toEntry({ upload_ms, accessed_ms, tags, projects, extra, ...row }: CatalogueRow): DataEntry {
  return {
    ...(extra ? (JSON.parse(extra) as object) : {}),
    ...row,
    upload_datetime: iso(upload_ms),
    last_accessed_datetime: iso(accessed_ms),
    tags: JSON.parse(tags ?? '[]'),
    projects: JSON.parse(projects ?? '[]'),
  };
}

/** Kinds that a kind of the interface stands for; any other stands for itself. What streams and sessions make is here too. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  rheed_video: ['rheed_video', 'rheed_stationary', 'rheed_rotating'],
  metrology: ['metrology', 'tool_state'],
};

export type Filter = 'data_ids' | 'physical_sample_ids' | 'part' | 'word' | 'data_type' | 'status' | 'own';

/** Filters that can lead, best first: what they join the entries from. */
const leads: readonly [Filter, string][] = [
  ['data_ids', '(SELECT DISTINCT value FROM json_each(:data_ids)) f CROSS JOIN entry e ON e.data_id = f.value'],
  [
    'physical_sample_ids',
    `(SELECT DISTINCT value FROM json_each(:physical_sample_ids)) f CROSS JOIN sample s ON s.sample_uuid = f.value
     CROSS JOIN entry e ON e.sample_id = s.id`,
  ],
  ['part', 'search_part f CROSS JOIN entry e ON e.id = f.rowid AND search_part MATCH :part'],
  ['word', 'search_word f CROSS JOIN entry e ON e.id = f.rowid AND search_word MATCH :word'],
];

/** What a filter asks of an entry when it does not lead. */
const conditions: Record<Filter, string> = {
  data_ids: 'e.data_id IN (SELECT value FROM json_each(:data_ids))',
  physical_sample_ids:
    'e.sample_id IN (SELECT id FROM sample WHERE sample_uuid IN (SELECT value FROM json_each(:physical_sample_ids)))',
  part: 'EXISTS (SELECT 1 FROM search_part WHERE search_part MATCH :part AND rowid = e.id)',
  word: 'EXISTS (SELECT 1 FROM search_word WHERE search_word MATCH :word AND rowid = e.id)',
  data_type: 'e.char_source_type IN (SELECT value FROM json_each(:data_type))',
  status: 'e.pipeline_status = :status',
  own: 'e.user_id = :own',
};

/** Write the statement that finds the entries of a page. */
export function pageSql(filters: readonly Filter[]): string {
  const [lead, from = 'entry e'] = leads.find(([filter]) => filters.includes(filter)) ?? [];
  const isSearch = lead === 'part' || lead === 'word';
  const asked = filters.filter((filter) => filter !== lead).map((filter) => conditions[filter]);
  // With a lead the plus keeps the index of the organization, which is nearly the whole catalogue, out of it.
  const where = [`${lead ? '+' : ''}e.organization_id = :organization`, ...asked].join(' AND ');
  const order = isSearch ? 'f.rowid' : 'e.id';
  return `SELECT e.id FROM ${from} WHERE ${where} ORDER BY ${order} DESC LIMIT :limit OFFSET :offset`;
}

/** Serve the catalogue. */
export function serveCatalogue(
  db: ServiceDatabase,
  visibleUntilMs: () => number = () => Number.MAX_SAFE_INTEGER,
): Pick<Handlers, 'listDataEntries'> {
  const statements = new Map<string, Statement<[Record<string, unknown>], CatalogueRow>>();
  const statementFor = (filters: readonly Filter[]) => {
    const key = filters.join();
    const known = statements.get(key);
    if (known) return known;
    const made = db.prepare<[Record<string, unknown>], CatalogueRow>(
      `SELECT ${COLUMNS} FROM (${pageSql(filters)}) page
       CROSS JOIN entry e ON e.id = page.id LEFT JOIN sample s ON s.id = e.sample_id ORDER BY e.id DESC`,
    );
    statements.set(key, made);
    return made;
  };
  return {
    listDataEntries(request, { organizationId, userId }) {
      const { data_ids, physical_sample_ids, data_type, status = 'all', keywords = [] } = request;
      const given = {
        data_ids: data_ids && JSON.stringify(data_ids),
        physical_sample_ids: physical_sample_ids && JSON.stringify(physical_sample_ids),
        data_type: data_type === undefined ? undefined : JSON.stringify(KINDS[data_type] ?? [data_type]),
        status: status === 'all' ? undefined : status,
        ...searchQueries(keywords),
        own: request.include_organization_data === false ? userId : undefined,
      };
      const filters = (Object.keys(conditions) as Filter[]).filter((filter) => given[filter] != null);
      const values = Object.fromEntries(filters.map((filter) => [filter, given[filter]]));
      const { limit = LIMIT_DEFAULT, offset = 0 } = request;
      const rows = statementFor(filters).all({ ...values, organization: organizationId, limit, offset });
      const untilMs = visibleUntilMs();
      return rows.filter(({ upload_ms }) => upload_ms <= untilMs).map(toEntry);
    },
  };
}
