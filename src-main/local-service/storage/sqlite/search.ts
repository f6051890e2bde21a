// What keywords find: name, name of the physical sample, tags. A keyword of three or more characters matches anywhere
// (trigrams), a shorter one at the beginning of a word; case does not matter. Several keywords must all be found.
import { splitKeywords } from '../page.ts';
import { first, run, type Script } from '../script.ts';

const TABLES = ['search_part', 'search_word'] as const;

/** Take an entry's words out of the index. */
export function* unindexEntry(entryId: number): Script<void> {
  for (const table of TABLES) yield* run(`DELETE FROM ${table} WHERE rowid = ?`, entryId);
}

/** Put an entry's words into the index, in place of those it had. */
export function* indexEntry(entryId: number): Script<void> {
  const found = yield* first<{ words: string }>(
    `SELECT concat_ws(char(10), e.raw_name, s.name,
       (SELECT group_concat(t.name, char(10)) FROM entry_tag et JOIN tag t ON t.id = et.tag_id WHERE et.entry_id = e.id)) AS words
     FROM entry e LEFT JOIN sample s ON s.id = e.sample_id WHERE e.id = ?`,
    entryId,
  );
  yield* unindexEntry(entryId);
  for (const table of TABLES) {
    yield* run(`INSERT INTO ${table} (rowid, words) VALUES (?, ?)`, entryId, found?.words ?? '');
  }
}

/** A keyword as a phrase of the full-text language: quoted, so that none of it is an operator. */
const phrase = (keyword: string) => `"${keyword.replaceAll('"', '""')}"`;

/**
 * Write keywords as queries.
 *
 * @returns the query for each index, or null when it has nothing to do.
 */
export function searchQueries(keywords: readonly string[]): { part: string | null; word: string | null } {
  const { parts, words } = splitKeywords(keywords);
  return {
    part: parts.map(phrase).join(' AND ') || null,
    word: words.map((keyword) => `${phrase(keyword)} *`).join(' AND ') || null,
  };
}
