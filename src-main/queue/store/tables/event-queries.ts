// The journal on disk: what happened, newest last. It is looked at page by page; old entries go when there are too many.
//
// Bounds: the newest EVENTS_KEPT are kept (10,000; looked at each hundredth entry). An answer holds as many as are asked for.
// Ids rise and are never used again, so a page goes on where the former one ended, whatever came meanwhile.
import type { Database } from 'better-sqlite3';

/** Events that are kept. */
const EVENTS_KEPT = 10_000;

export interface EventRow {
  readonly id: number;
  readonly atMs: number;
  readonly level: 'info' | 'warning' | 'error';
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

export interface EventQuestion {
  readonly levels: readonly EventRow['level'][];
  /** Null: any. */
  readonly about: string | null;
  /** Stands in message, hint or code, whatever the case of its ASCII letters; empty: any. */
  readonly text: string;
  readonly fromMs: number | null;
  readonly toMs: number | null;
  /** Only entries before this one; null: from the newest on. */
  readonly beforeId: number | null;
  readonly limit: number;
}

/**
 * Prepare the journal's side of the queue.
 *
 * @param database - the open queue file.
 * @returns writing, the newest entries, and pages of those that fit a question.
 */
export function openEventQueries(database: Database) {
  const columns = 'id, at_ms AS atMs, level, code, message, hint';
  const sql = {
    add: database.prepare('INSERT INTO event (at_ms, level, code, message, hint, about) VALUES (?, ?, ?, ?, ?, ?)'),
    trim: database.prepare(`DELETE FROM event WHERE id <= ? - ${EVENTS_KEPT}`),
    newest: database.prepare(`SELECT ${columns} FROM event ORDER BY id DESC LIMIT ?`),
    find: database.prepare(
      `SELECT ${columns}, about FROM event
       WHERE (:beforeId IS NULL OR id < :beforeId)
         AND level IN (SELECT value FROM json_each(:levels))
         AND (:about IS NULL OR about = :about)
         AND (:text = '' OR instr(lower(message), :text) OR instr(lower(hint), :text) OR instr(lower(code), :text))
         AND (:fromMs IS NULL OR at_ms >= :fromMs) AND (:toMs IS NULL OR at_ms <= :toMs)
       ORDER BY id DESC LIMIT :limit`,
    ),
  };
  return {
    /**
     * Write an event, about a source or a stream (empty: none).
     *
     * @returns its id.
     */
    addEvent({ atMs, level, code, message, hint }: Omit<EventRow, 'id'>, about = ''): number {
      const id = Number(sql.add.run(atMs, level, code, message, hint, about).lastInsertRowid);
      if (id % 100 === 0) sql.trim.run(id);
      return id;
    },

    /** The newest events, newest first. */
    listEvents: (limit: number): EventRow[] => sql.newest.all(limit) as EventRow[],

    /** Entries that fit, newest first. */
    findEvents({ levels, text, ...question }: EventQuestion): (EventRow & { about: string })[] {
      // SQLite's lower() knows ASCII alone; the text must be treated alike.
      const lower = text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
      const found = sql.find.all({ ...question, text: lower, levels: JSON.stringify(levels) });
      return found as (EventRow & { about: string })[];
    },
  };
}
