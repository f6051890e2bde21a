// A page of the catalogue, newest first. It is found from the filter that leaves least, the lead: ids, samples,
// keywords, in that order; with none of these, from an index of the entries that gives the newest first by itself. The
// query planner knows nothing of the data and would walk the whole catalogue rather than sort ten rows, so the order of
// the join is fixed here. First the numbers of the entries on the page are found, then their columns are read: what
// `offset` skips costs an index entry each.
import type { PageFilter, PageRow } from '../page.ts';
import type { Script, Value } from '../script.ts';
import { searchQueries } from './search.ts';

const COLUMNS = `
  e.data_id, e.raw_name, e.char_source_type, e.pipeline_status, e.upload_ms, e.accessed_ms, e.extra,
  s.sample_uuid AS physical_sample_id, s.name AS physical_sample_name,
  (SELECT json_group_array(json_object('id', t.tag_uuid, 'name', t.name))
     FROM entry_tag et JOIN tag t ON t.id = et.tag_id WHERE et.entry_id = e.id) AS tags,
  (SELECT json_group_array(json_object('id', p.project_uuid, 'name', p.name))
     FROM entry_project ep JOIN project p ON p.id = ep.project_id WHERE ep.entry_id = e.id) AS projects`;

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

/** Read a page. */
export function* readPage(filter: PageFilter): Script<readonly PageRow[]> {
  const json = (list: readonly string[] | undefined) => (list === undefined ? null : JSON.stringify(list));
  const given: Record<Filter, string | number | null> = {
    data_ids: json(filter.dataIds),
    physical_sample_ids: json(filter.sampleIds),
    ...searchQueries(filter.keywords),
    data_type: json(filter.types),
    status: filter.status ?? null,
    own: filter.userId ?? null,
  };
  const filters = (Object.keys(conditions) as Filter[]).filter((name) => given[name] !== null);
  const { organizationId: organization, limit, offset } = filter;
  const values: Record<string, Value> = { organization, limit, offset };
  for (const name of filters) values[name] = given[name];
  const sql = `SELECT ${COLUMNS} FROM (${pageSql(filters)}) page
    CROSS JOIN entry e ON e.id = page.id LEFT JOIN sample s ON s.id = e.sample_id ORDER BY e.id DESC`;
  return (yield { sql, values }) as readonly PageRow[];
}
