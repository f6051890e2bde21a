// What keywords find: name, name of the physical sample, tags. A keyword of three or more characters matches anywhere
// (trigrams), a shorter one at the beginning of a word; case does not matter. A NUL ends
// the text of a query, so what stands on its two sides is looked for as two keywords. Several keywords must all be found.
import type { ServiceDatabase } from './sqlite/database.ts';

/** Put an entry's words into the index, in place of those it had. Call it within the transaction that changed them. */
export function createIndexer(db: ServiceDatabase): (entryId: number) => void {
  const words = db
    .prepare<[number], string>(
      `SELECT concat_ws(char(10), e.raw_name, s.name,
         (SELECT group_concat(t.name, char(10)) FROM entry_tag et JOIN tag t ON t.id = et.tag_id WHERE et.entry_id = e.id))
       FROM entry e LEFT JOIN sample s ON s.id = e.sample_id WHERE e.id = ?`,
    )
    .pluck();
  const tables = ['search_part', 'search_word'].map((table) => ({
    remove: db.prepare(`DELETE FROM ${table} WHERE rowid = ?`),
    add: db.prepare(`INSERT INTO ${table} (rowid, words) VALUES (?, ?)`),
  }));
  return (entryId) => {
    const text = words.get(entryId) ?? '';
    for (const { remove, add } of tables) {
      remove.run(entryId);
      add.run(entryId, text);
    }
  };
}

/** A keyword as a phrase of the full-text language: quoted, so that none of it is an operator. */
const phrase = (keyword: string) => `"${keyword.replaceAll('"', '""')}"`;

/**
 * Split keywords by the index that can find them.
 *
 * @param keywords - keywords as given.
 * @returns the query for each index, or null when it has nothing to do.
 */
export function searchQueries(keywords: readonly string[]): { part: string | null; word: string | null } {
  const wanted = keywords
    .flatMap((keyword) => keyword.split('\0'))
    .map((keyword) => keyword.trim())
    .filter(Boolean);
  const parts = wanted.filter((keyword) => [...keyword].length >= 3).map(phrase);
  const words = wanted.filter((keyword) => [...keyword].length < 3).map((keyword) => `${phrase(keyword)} *`);
  return { part: parts.join(' AND ') || null, word: words.join(' AND ') || null };
}
