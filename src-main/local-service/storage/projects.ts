// Projects and their samples, and the tags of entries.
import { randomUUID } from 'node:crypto';
import type { Change } from './audit.ts';
import type { Engine } from './engine.ts';
import { type Owner, ownId } from './own.ts';
import { all, first, run, type Script } from './script.ts';

export interface NewProject {
  readonly name: string;
  readonly notes: string | null;
  /** Absent: a new one. */
  readonly projectUuid?: string;
}

/** Add a project. Returns its number and UUID. */
export function* addProject(
  { name, notes, projectUuid = randomUUID() }: NewProject,
  { organizationId, userId }: Owner,
): Script<{ projectId: number; projectUuid: string }> {
  const added = yield* first<{ id: number }>(
    'INSERT INTO project (organization_id, user_id, project_uuid, name, notes) VALUES (?, ?, ?, ?, ?) RETURNING id',
    organizationId,
    userId,
    projectUuid,
    name,
    notes,
  );
  return { projectId: added?.id ?? 0, projectUuid };
}

/** Put a sample into a project; one that is there stays. */
export function* linkSample(projectId: number, sampleId: number): Script<void> {
  const sql = 'INSERT INTO project_sample (project_id, sample_id) VALUES (?, ?) ON CONFLICT DO NOTHING';
  yield* run(sql, projectId, sampleId);
}

/** Add samples to a project, or with `isSet` put them in place of all others. Returns the UUIDs of all it then has; Problem 404. */
export function* linkSamples(
  projectUuid: string,
  sampleUuids: readonly string[],
  isSet: boolean,
  owner: Owner,
): Script<Change<string[]>> {
  const projectId = yield* ownId('project', projectUuid, owner);
  const sampleIds: number[] = [];
  for (const uuid of new Set(sampleUuids)) sampleIds.push(yield* ownId('sample', uuid, owner));
  const held = yield* all<{ sample_id: number }>(
    'SELECT sample_id FROM project_sample WHERE project_id = ?',
    projectId,
  );
  const heldIds = new Set(held.map(({ sample_id }) => sample_id));
  const isReal = sampleIds.some((id) => !heldIds.has(id)) || (isSet && heldIds.size !== sampleIds.length);
  if (isSet) yield* run('DELETE FROM project_sample WHERE project_id = ?', projectId);
  for (const sampleId of sampleIds) yield* linkSample(projectId, sampleId);
  const rows = yield* all<{ sample_uuid: string }>(
    'SELECT s.sample_uuid FROM project_sample ps JOIN sample s ON s.id = ps.sample_id WHERE ps.project_id = ? ORDER BY s.id',
    projectId,
  );
  return { value: rows.map(({ sample_uuid }) => sample_uuid), isReal };
}

/** Take tags from entries; Problem 404 for one that is unknown, and then nothing is changed. */
export function* untag(
  engine: Engine,
  dataIds: readonly string[],
  tagUuids: readonly string[],
  owner: Owner,
): Script<Change<void>> {
  // An id given twice counts once: pair by pair, long lists of the same would hold up everybody.
  const entryIds: number[] = [];
  const tagIds: number[] = [];
  for (const dataId of new Set(dataIds)) entryIds.push(yield* ownId('entry', dataId, owner));
  for (const uuid of new Set(tagUuids)) tagIds.push(yield* ownId('tag', uuid, owner));
  const sql = 'DELETE FROM entry_tag WHERE entry_id = ? AND tag_id = ? RETURNING tag_id';
  let isReal = false;
  for (const id of entryIds) {
    let hasLost = false;
    for (const tagId of tagIds) hasLost = (yield* all(sql, id, tagId)).length > 0 || hasLost;
    if (hasLost) yield* engine.index(id);
    isReal ||= hasLost;
  }
  return { value: undefined, isReal };
}
