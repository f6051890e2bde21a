// Results that were measured and analysed elsewhere, kept as JSON: one for each entry and kind; of SIMS one a species.
import type { ServiceDatabase } from './sqlite/database.ts';

type ResultKind = 'rheed' | 'optical' | 'xps' | 'sims';

export interface Results {
  /** All of a kind, by name. */
  read(entryId: number, kind: ResultKind): unknown[];
  /** Add one; call it within a transaction. */
  add(entryId: number, kind: ResultKind, name: string, body: unknown): void;
}

/** Open the results. */
export function createResults(db: ServiceDatabase): Results {
  const read = db
    .prepare<[number, string], string>('SELECT body FROM result WHERE entry_id = ? AND kind = ? ORDER BY name')
    .pluck();
  const add = db.prepare('INSERT INTO result (entry_id, kind, name, body) VALUES (?, ?, ?, ?)');
  return {
    read: (entryId, kind) => read.all(entryId, kind).map((body) => JSON.parse(body) as unknown),
    add: (entryId, kind, name, body) => void add.run(entryId, kind, name, JSON.stringify(body)),
  };
}
