// What is noted in place of commits that the disk did not take before the agent's end. It is small, and it may use the
// reserve: a disk without a free byte still takes it.
//
// Invariants: one transaction. A commit is noted once and only if it was not applied: its sequence then counts as used, so it
// is never applied afterwards. Its readings are lost, their time is a gap, and positions stand behind that gap.
import type { Database } from 'better-sqlite3';
import type { GivenUpCommit } from '../../../model/queue.ts';
import { openMarksWriter } from './marks-table.ts';

/**
 * Prepare that note.
 */
export function openGivenUp(database: Database) {
  const marks = openMarksWriter(database);
  const sql = {
    sequence: database.prepare("SELECT value FROM meta WHERE key = 'last_sequence'").pluck(),
    setSequence: database.prepare("UPDATE meta SET value = ? WHERE key = 'last_sequence'"),
    setPosition: database.prepare(
      'INSERT INTO source_position (source, key, value) VALUES (?, ?, ?) ON CONFLICT (source, key) DO UPDATE SET value = excluded.value',
    ),
    addGap: database.prepare('INSERT INTO gap (source, from_ms, to_ms, cause) VALUES (?, ?, ?, ?)'),
  };

  const note = database.transaction((commits: readonly GivenUpCommit[]): number[] => {
    const last = sql.sequence.get() as number;
    const lost = commits.filter(({ sequence }) => sequence > last);
    for (const commit of lost) {
      const { sequence, gaps, positions } = commit;
      for (const { sourceId, key, value } of positions) sql.setPosition.run(sourceId, key, value);
      for (const { sourceId, fromMs, toMs, cause } of gaps) sql.addGap.run(sourceId, fromMs, toMs, cause);
      marks.apply(commit);
      sql.setSequence.run(sequence);
    }
    return lost.map(({ sequence }) => sequence);
  });

  return {
    /**
     * Note what takes the place of commits that were given up.
     *
     * @param commits - the commits, oldest first.
     * @returns the sequences of those that are not stored: one whose answer was lost may have been applied all the same, and
     *   stays as it is.
     */
    noteGivenUp: (commits: readonly GivenUpCommit[]): number[] => note.immediate(commits),
  };
}
