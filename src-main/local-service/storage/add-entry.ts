import { randomUUID } from 'node:crypto';
import { createIndexer } from './search.ts';
import type { ServiceDatabase } from './sqlite/database.ts';

export interface NewEntry {
  readonly organizationId: number;
  readonly userId: number;
  /** Absent: a new one. */
  readonly dataId?: string | undefined;
  readonly rawName: string;
  readonly charSourceType: string;
  readonly pipelineStatus: string;
  readonly uploadMs: number;
  readonly sampleId: number | null;
  readonly projectIds: readonly number[];
  readonly tagIds?: readonly number[];
  /** Fields beyond those of the interface, JSON text. */
  readonly extra?: string | null;
}

/**
 * Make the one way an entry comes into the catalogue.
 *
 * @returns a function that adds an entry with its links and its words for the search, and gives its number and UUID. Call it
 *   within a transaction.
 */
export function createEntryAdder(db: ServiceDatabase): (entry: NewEntry) => { entryId: number; dataId: string } {
  const index = createIndexer(db);
  const add = db.prepare(
    `INSERT INTO entry (organization_id, user_id, data_id, raw_name, char_source_type, pipeline_status, upload_ms,
       accessed_ms, sample_id, extra) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const addProject = db.prepare(
    'INSERT INTO entry_project (entry_id, project_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const addTag = db.prepare('INSERT INTO entry_tag (entry_id, tag_id) VALUES (?, ?) ON CONFLICT DO NOTHING');
  return (entry) => {
    const { organizationId, userId, rawName, charSourceType, pipelineStatus, uploadMs, sampleId } = entry;
    const dataId = entry.dataId ?? randomUUID();
    const added = add.run(
      organizationId,
      userId,
      dataId,
      rawName,
      charSourceType,
      pipelineStatus,
      uploadMs,
      uploadMs,
      sampleId,
      entry.extra ?? null,
    );
    const entryId = Number(added.lastInsertRowid);
    for (const projectId of entry.projectIds) addProject.run(entryId, projectId);
    for (const tagId of entry.tagIds ?? []) addTag.run(entryId, tagId);
    index(entryId);
    return { entryId, dataId };
  };
}
