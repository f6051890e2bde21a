// Raw files and frames in the database itself, in parts, so that every service on it has them.
import type pg from 'pg';
import { checkFileUuid, type FileBytes } from '../file-bytes.ts';
import { first, run } from '../script.ts';
import { readScript, writeScript } from './connection.ts';

const PART_BYTES = 1024 * 1024;

/** Open the files of a database. */
export function createDatabaseBytes(pool: pg.Pool): FileBytes {
  return {
    add: (fileUuid, bytes) =>
      writeScript(pool, function* () {
        yield* run('DELETE FROM file_part WHERE file_uuid = ?', checkFileUuid(fileUuid));
        for (let at = 0; at === 0 || at * PART_BYTES < bytes.length; at++) {
          const part = bytes.subarray(at * PART_BYTES, (at + 1) * PART_BYTES);
          yield* run('INSERT INTO file_part (file_uuid, part_index, data) VALUES (?, ?, ?)', fileUuid, at, part);
        }
      }),
    size: async (fileUuid) => {
      const sql = 'SELECT sum(length(data))::bigint AS size FROM file_part WHERE file_uuid = ?';
      return (await readScript(pool, () => first<{ size: number | null }>(sql, fileUuid)))?.size ?? null;
    },
    async *read(fileUuid) {
      for (let at = 0; ; at++) {
        const sql = 'SELECT data FROM file_part WHERE file_uuid = ? AND part_index = ?';
        const part = await readScript(pool, () => first<{ data: Uint8Array }>(sql, fileUuid, at));
        if (!part) return;
        yield part.data;
      }
    },
    place: (fileUuid) => `file_part ${fileUuid}`,
  };
}
