import { randomUUID } from 'node:crypto';
import type { Engine } from './engine.ts';
import { first, run, type Script } from './script.ts';

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
 * Add an entry with its links and its words for the search: the one way one comes into the catalogue.
 *
 * @returns its number and UUID.
 */
export function* addEntry(engine: Engine, entry: NewEntry): Script<{ entryId: number; dataId: string }> {
  const { organizationId, userId, rawName, charSourceType, pipelineStatus, uploadMs, sampleId } = entry;
  const dataId = entry.dataId ?? randomUUID();
  const added = yield* first<{ id: number }>(
    `INSERT INTO entry (organization_id, user_id, data_id, raw_name, char_source_type, pipeline_status, upload_ms,
       accessed_ms, sample_id, extra) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
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
  const entryId = added?.id ?? 0;
  for (const projectId of entry.projectIds) {
    yield* run(
      'INSERT INTO entry_project (entry_id, project_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
      entryId,
      projectId,
    );
  }
  for (const tagId of entry.tagIds ?? []) {
    yield* run('INSERT INTO entry_tag (entry_id, tag_id) VALUES (?, ?) ON CONFLICT DO NOTHING', entryId, tagId);
  }
  yield* engine.index(entryId);
  return { entryId, dataId };
}
