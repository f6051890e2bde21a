// What keywords find: name, name of the physical sample, tags. A keyword of three or more characters matches anywhere, a shorter one
// at the beginning of a word; case does not matter. Texts are folded here, not by the database: its rules hang on the locale
// it was made with. The extension pg_trgm makes indexes of it; without them the catalogue is walked.
import type { PageFilter, PageRow } from '../page.ts';
import { splitKeywords } from '../page.ts';
import { all, first, run, type Script, type Value } from '../script.ts';

const fold = (text: string) => text.toLowerCase();

/** The words of a text, each with a blank before it; letters lose their accents. */
function wordsOf(text: string): string {
  const plain = fold(text).normalize('NFD').replace(/\p{M}/gu, '');
  return (plain.match(/[\p{L}\p{N}\p{Co}]+/gu) ?? []).map((word) => ` ${word}`).join('');
}

/** Put an entry's words into the search, in place of those it had. */
export function* indexEntry(entryId: number): Script<void> {
  const entry = yield* first<{ raw_name: string; sample: string | null }>(
    'SELECT e.raw_name, s.name AS sample FROM entry e LEFT JOIN sample s ON s.id = e.sample_id WHERE e.id = ?',
    entryId,
  );
  const tags = yield* all<{ name: string }>(
    'SELECT t.name FROM entry_tag et JOIN tag t ON t.id = et.tag_id WHERE et.entry_id = ? ORDER BY t.id',
    entryId,
  );
  const text = [entry?.raw_name ?? '', entry?.sample ?? '', ...tags.map(({ name }) => name)].join('\n');
  yield* run('UPDATE entry SET part = ?, word = ? WHERE id = ?', fold(text), wordsOf(text), entryId);
}

/** A pattern of LIKE that finds a text anywhere. */
const anywhere = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Read a page of the catalogue, newest first. */
export function* readPage(filter: PageFilter): Script<readonly PageRow[]> {
  const asked: [string, Value][] = [['e.organization_id = ?', filter.organizationId]];
  if (filter.dataIds !== undefined) asked.push(['e.data_id = ANY(?)', filter.dataIds]);
  if (filter.sampleIds !== undefined) {
    asked.push(['e.sample_id IN (SELECT id FROM sample WHERE sample_uuid = ANY(?))', filter.sampleIds]);
  }
  if (filter.types !== undefined) asked.push(['e.char_source_type = ANY(?)', filter.types]);
  if (filter.status !== undefined) asked.push(['e.pipeline_status = ?', filter.status]);
  if (filter.userId !== undefined) asked.push(['e.user_id = ?', filter.userId]);
  const { parts, words } = splitKeywords(filter.keywords);
  for (const part of parts) asked.push(['e.part LIKE ?', anywhere(fold(part))]);
  for (const word of words) {
    const plain = wordsOf(word);
    // A keyword without a letter or digit begins no word.
    if (plain === '') return [];
    asked.push(['e.word LIKE ?', anywhere(plain)]);
  }
  const named = (table: 'tag' | 'project') =>
    `(SELECT json_agg(json_build_object('id', t.${table}_uuid, 'name', t.name) ORDER BY t.id)
      FROM entry_${table} et JOIN ${table} t ON t.id = et.${table}_id WHERE et.entry_id = e.id)`;
  return yield* all<PageRow>(
    `SELECT e.data_id, e.raw_name, e.char_source_type, e.pipeline_status, e.upload_ms, e.accessed_ms, e.extra,
       s.sample_uuid AS physical_sample_id, s.name AS physical_sample_name,
       ${named('tag')} AS tags, ${named('project')} AS projects
     FROM (SELECT e.id FROM entry e WHERE ${asked.map(([condition]) => condition).join(' AND ')}
           ORDER BY e.id DESC LIMIT ? OFFSET ?) page
     JOIN entry e ON e.id = page.id LEFT JOIN sample s ON s.id = e.sample_id ORDER BY e.id DESC`,
    ...asked.map(([, value]) => value),
    filter.limit,
    filter.offset,
  );
}
