// Raw files and frames: their names in the database, their bytes where the engine keeps them.
import type { Engine } from './engine.ts';
import type { Owner } from './own.ts';
import { first, run, type Script } from './script.ts';

/** What has a name and bytes: a file; or a stream, whose bytes are made when asked for. */
export type RawFile =
  | { readonly kind: 'stream'; readonly entryId: number; readonly name: string }
  | {
      readonly kind: 'file';
      readonly entryId: number;
      readonly name: string;
      readonly fileUuid: string;
      readonly sizeBytes: number;
    };

export interface Files {
  /** Find what has a UUID; null: nothing. With an owner only what is the owner's, else what anybody has. */
  find(uuid: string, owner: Owner | null): Promise<RawFile | null>;
  /** Read a file's bytes. Throws when they are missing or are not as many as noted. */
  read(file: Extract<RawFile, { kind: 'file' }>): Promise<AsyncIterable<Uint8Array>>;
}

function* findRaw(uuid: string, owner: Owner | null): Script<RawFile | null> {
  const scope = owner === null ? '' : ' AND e.organization_id = ?';
  const values = owner === null ? [uuid] : [uuid, owner.organizationId];
  const file = yield* first<{ entry_id: number; file_name: string; size_bytes: number }>(
    `SELECT f.entry_id, f.file_name, f.size_bytes FROM file f JOIN entry e ON e.id = f.entry_id WHERE f.file_uuid = ?${scope}`,
    ...values,
  );
  if (file) {
    return { kind: 'file', entryId: file.entry_id, name: file.file_name, fileUuid: uuid, sizeBytes: file.size_bytes };
  }
  const stream = yield* first<{ id: number; raw_name: string }>(
    `SELECT e.id, e.raw_name FROM entry e JOIN stream s ON s.entry_id = e.id WHERE e.data_id = ?${scope}`,
    ...values,
  );
  return stream ? { kind: 'stream', entryId: stream.id, name: stream.raw_name } : null;
}

/** Note a file of an entry; its bytes are stored on their own. */
export function* addFile(entryId: number, fileUuid: string, name: string, sizeBytes: number): Script<void> {
  const sql = 'INSERT INTO file (file_uuid, entry_id, file_name, size_bytes) VALUES (?, ?, ?, ?)';
  yield* run(sql, fileUuid, entryId, name, sizeBytes);
}

/** Open the files. */
export function createFiles({ read, bytes }: Engine): Files {
  return {
    find: (uuid, owner) => read(() => findRaw(uuid, owner)),
    read: async ({ fileUuid, name, sizeBytes }) => {
      const size = await bytes.size(fileUuid);
      if (size === sizeBytes) return bytes.read(fileUuid);
      const state = size === null ? 'is missing' : `has ${size} bytes instead of ${sizeBytes}`;
      throw new Error(`the raw file ${JSON.stringify(name)} (${bytes.place(fileUuid)}) ${state}`);
    },
  };
}
