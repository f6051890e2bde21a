// Results that were measured and analysed elsewhere, kept as JSON: one for each entry and kind; of SIMS one a species.
import { type Owner, ownId } from './own.ts';
import { all, run, type Script } from './script.ts';

export type ResultKind = 'rheed' | 'optical' | 'xps' | 'sims';

/** All results of a kind that an entry has, by name. */
export interface EntryResults {
  readonly entryId: number;
  readonly bodies: readonly unknown[];
}

/** Read the results of an entry; Problem 404. */
export function* readResults(kind: ResultKind, dataId: string, owner: Owner): Script<EntryResults> {
  const entryId = yield* ownId('entry', dataId, owner);
  const sql = 'SELECT body FROM result WHERE entry_id = ? AND kind = ? ORDER BY name';
  const rows = yield* all<{ body: string }>(sql, entryId, kind);
  return { entryId, bodies: rows.map(({ body }) => JSON.parse(body) as unknown) };
}

/** Add a result to an entry. */
export function* addResult(entryId: number, kind: ResultKind, name: string, body: unknown): Script<void> {
  const sql = 'INSERT INTO result (entry_id, kind, name, body) VALUES (?, ?, ?, ?)';
  yield* run(sql, entryId, kind, name, JSON.stringify(body));
}
