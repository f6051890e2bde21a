// What the queue has lost may still stand in the log that it came from. Spans say which bytes gave a stream its readings: those
// are asked for again, and the uploader leaves out what the service holds of them.
//
// Where the damage took the spans, too, all that was read of the files of the source is asked for.
import type { Database } from 'better-sqlite3';

/** As the log source reads it (sources/log/follow/reread.ts). */
const REREAD_KEY = '@reread';

interface Piece {
  readonly source: string;
  readonly file: string;
  readonly fromByte: number;
  readonly toByte: number;
}

/**
 * Spans of streams of which the row is lost.
 *
 * @param target - the new file before such rows are removed.
 */
export function findUnnamedSpans(target: Database): Piece[] {
  return target
    .prepare(
      `SELECT p.source, s.file, s.from_byte AS fromByte, s.to_byte AS toByte FROM source_span s
       JOIN source_position p ON p.key = s.file WHERE s.stream NOT IN (SELECT id FROM stream)`,
    )
    .all() as Piece[];
}

/** Files of a source, as far as they were read. What their position says is the log source's; of this one number is known. */
function filesOf(target: Database, source: string): Piece[] {
  return target
    .prepare(
      `SELECT source, key AS file, 0 AS fromByte, json_extract(value, '$.byte') AS toByte FROM source_position
       WHERE source = ? AND json_valid(value) AND typeof(json_extract(value, '$.byte')) = 'integer'`,
    )
    .all(source) as Piece[];
}

/**
 * Ask the log sources to read again what streams lack. They do so from their next start on.
 *
 * @param target - the queue in a transaction.
 * @param streams - the streams that lack points.
 * @param unnamed - spans of streams that are not known any more.
 */
export function askToReread(target: Database, streams: readonly number[], unnamed: readonly Piece[] = []): void {
  const spansOf = target.prepare(
    `SELECT t.source, s.file, s.from_byte AS fromByte, s.to_byte AS toByte FROM source_span s JOIN stream t ON t.id = s.stream
     WHERE t.id = ?`,
  );
  const sourceOf = target.prepare('SELECT source FROM stream WHERE id = ?').pluck();
  const pieces = [...unnamed];
  for (const id of streams) {
    const spans = spansOf.all(id) as Piece[];
    pieces.push(...(spans.length > 0 ? spans : filesOf(target, String(sourceOf.get(id)))));
  }
  const put = target.prepare(
    'INSERT INTO source_position (source, key, value) VALUES (?, ?, ?) ON CONFLICT (source, key) DO UPDATE SET value = excluded.value',
  );
  for (const [source, own] of Map.groupBy(pieces, (piece) => piece.source)) {
    const known = own.map(({ file, fromByte, toByte }) => [file, fromByte, toByte]);
    put.run(source, REREAD_KEY, JSON.stringify({ isNoted: false, pieces: known }));
  }
}
