// Marks: what event logs said, each with the place that it was read from. They come with the commit that moves the position
// of their file, so that none is lost or doubled, and go to no service.
//
// Bounds: the MARKS_KEPT marks that were written last are kept, over all sources; a page holds at most MARK_PAGE_MAX.
import type { Database } from 'better-sqlite3';
import { MARK_PAGE_MAX, type MarkPage, type MarkQuestion, type MarkRow } from '../../../model/marks.ts';
import type { Commit } from '../../../model/queue.ts';

const MARKS_KEPT = 500_000;
/** Marks more than that before the oldest are dropped: a trim now and then costs less than one each commit. */
const TRIMMED_AT_ONCE = 1000;
/** Marks that a receipt lists. */
const LISTED_MAX = 100;

const COLUMNS = 'id, source AS sourceId, at_ms AS timeMs, text, place, line, byte';

type Row = MarkRow & { readonly id: number };

/**
 * Prepare the writing of marks.
 *
 * @returns `apply`, to be called inside the transaction of the commit.
 */
export function openMarksWriter(database: Database) {
  const add = database.prepare('INSERT INTO mark (source, at_ms, text, place, line, byte) VALUES (?, ?, ?, ?, ?, ?)');
  const trim = database.prepare('DELETE FROM mark WHERE id <= ?');
  return {
    /** Write marks; called inside the transaction that moves the positions of their files. */
    apply({ marks = [] }: Pick<Commit, 'marks'>): void {
      for (const { sourceId, timeMs, text, place, line, byte } of marks) {
        const id = Number(add.run(sourceId, timeMs, text, place, line, byte).lastInsertRowid);
        if (id % TRIMMED_AT_ONCE === 0) trim.run(id - MARKS_KEPT);
      }
    },
  };
}

/** Prepare the questions for marks. Reading only; every answer is bounded. */
export function openMarkQueries(database: Database) {
  const beyond = '(at_ms > :afterMs OR (at_ms = :afterMs AND id > :afterId)) AND at_ms <= :toMs';
  const page = (where: string) =>
    database.prepare(
      `SELECT ${COLUMNS} FROM mark WHERE ${where} at_ms >= :fromMs AND ${beyond} ORDER BY at_ms, id LIMIT :limit`,
    );
  const sql = { all: page(''), ofSource: page('source = :sourceId AND') };
  return {
    /**
     * Read marks in the order of their time.
     *
     * @param markQuestion - source (null: all), span, where the former page ended, and how many.
     * @returns a page.
     */
    listMarks({ sourceId, fromMs, toMs, after, limit }: MarkQuestion): MarkPage {
      const most = Math.min(Math.max(1, Math.floor(limit)), MARK_PAGE_MAX);
      const place = { afterMs: after?.timeMs ?? -Number.MAX_VALUE, afterId: after?.id ?? 0 };
      const span = { fromMs: Math.max(fromMs, place.afterMs), toMs, ...place, limit: most + 1 };
      const rows = (sourceId === null ? sql.all.all(span) : sql.ofSource.all({ ...span, sourceId })) as Row[];
      const last = rows.length > most ? rows[most - 1] : undefined;
      return { marks: rows.slice(0, most), next: last === undefined ? null : { timeMs: last.timeMs, id: last.id } };
    },
  };
}

/** Marks of a source in a span, for receipts: how many, and the first of them. */
export function openMarkSpans(database: Database) {
  const where = 'FROM mark WHERE source = ? AND at_ms >= ? AND at_ms <= ?';
  const count = database.prepare(`SELECT count(*) ${where}`).pluck();
  const list = database.prepare(
    `SELECT at_ms AS timeMs, text, place, line ${where} ORDER BY at_ms, id LIMIT ${LISTED_MAX}`,
  );
  type Listed = Pick<MarkRow, 'timeMs' | 'text' | 'place' | 'line'>;
  return (sourceId: string, fromMs: number, toMs: number) => ({
    count: count.get(sourceId, fromMs, toMs) as number,
    first: list.all(sourceId, fromMs, toMs) as Listed[],
  });
}
