// 4.8: the catalogue. Every filter has an index that also gives the newest first; the statement for a set of filters is
// made once. Entries not asked for are never looked at, save those that `offset` skips.
import type { Statement } from 'better-sqlite3';
import type { DataEntry } from '../service/resources.ts';
import type { ServiceDatabase } from './database.ts';
import type { Handlers } from './handlers.ts';
import { searchQueries } from './search.ts';

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

/** The conditions a request can have, each with the SQL that its index answers. */
const conditions = {
  data_ids: 'e.data_id IN (SELECT value FROM json_each(:data_ids))',
  physical_sample_ids:
    'e.sample_id IN (SELECT id FROM sample WHERE sample_uuid IN (SELECT value FROM json_each(:physical_sample_ids)))',
  data_type: 'e.char_source_type = :data_type',
  status: 'e.pipeline_status = :status',
  part: 'e.id IN (SELECT rowid FROM search_part WHERE search_part MATCH :part)',
  word: 'e.id IN (SELECT rowid FROM search_word WHERE search_word MATCH :word)',
  own: 'e.user_id = :own',
} as const;

/** Serve the catalogue. */
export function serveCatalogue(
  db: ServiceDatabase,
  visibleUntilMs: () => number = () => Number.MAX_SAFE_INTEGER,
): Pick<Handlers, 'listDataEntries'> {
  const statements = new Map<string, Statement<[Record<string, unknown>], CatalogueRow>>();
  const statementFor = (names: readonly (keyof typeof conditions)[]) => {
    const key = names.join();
    const known = statements.get(key);
    if (known) return known;
    const where = ['e.organization_id = :organization', ...names.map((name) => conditions[name])].join(' AND ');
    const made = db.prepare<[Record<string, unknown>], CatalogueRow>(
      `SELECT ${COLUMNS} FROM entry e LEFT JOIN sample s ON s.id = e.sample_id
       WHERE ${where} ORDER BY e.id DESC LIMIT :limit OFFSET :offset`,
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
        data_type,
        status: status === 'all' ? undefined : status,
        ...searchQueries(keywords),
        own: request.include_organization_data === false ? userId : undefined,
      };
      const names = (Object.keys(conditions) as (keyof typeof conditions)[]).filter((name) => given[name] != null);
      const values = Object.fromEntries(names.map((name) => [name, given[name]]));
      const { limit = LIMIT_DEFAULT, offset = 0 } = request;
      const rows = statementFor(names).all({ ...values, organization: organizationId, limit, offset });
      const untilMs = visibleUntilMs();
      return rows.filter(({ upload_ms }) => upload_ms <= untilMs).map(toEntry);
    },
  };
}
