// 4.15 to 4.17: projects, their samples, and tags.
import { randomUUID } from 'node:crypto';
import { notFound } from '../requests/problem.ts';
import { createIndexer } from '../storage/search.ts';
import type { Handlers } from './handlers.ts';
import type { ServiceParts } from './service-parts.ts';

/** Serve projects and tags. */
export function serveProjects({
  db,
  write,
  own,
}: ServiceParts): Pick<Handlers, 'createProject' | 'updateProjectSamples' | 'removeTags'> {
  const index = createIndexer(db);
  const add = db.prepare(
    'INSERT INTO project (organization_id, user_id, project_uuid, name, notes) VALUES (?, ?, ?, ?, ?)',
  );
  const clear = db.prepare('DELETE FROM project_sample WHERE project_id = ?');
  const link = db.prepare('INSERT INTO project_sample (project_id, sample_id) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const linked = db
    .prepare<[number], string>(
      'SELECT s.sample_uuid FROM project_sample ps JOIN sample s ON s.id = ps.sample_id WHERE ps.project_id = ? ORDER BY s.id',
    )
    .pluck();
  const tag = db
    .prepare<[string, number], number>('SELECT id FROM tag WHERE tag_uuid = ? AND organization_id = ?')
    .pluck();
  const untag = db.prepare('DELETE FROM entry_tag WHERE entry_id = ? AND tag_id = ?');

  return {
    createProject: ({ name, notes }, { organizationId, userId }) =>
      write(() => {
        const uuid = randomUUID();
        add.run(organizationId, userId, uuid, name, notes ?? null);
        return uuid;
      }),

    updateProjectSamples: ({ project_id, physical_sample_ids, set = false }, caller) =>
      write(() => {
        const projectId = own.project(project_id, caller) ?? 0;
        const sampleIds = [...new Set(physical_sample_ids)].map((uuid) => own.sample(uuid, caller));
        if (set) clear.run(projectId);
        for (const sampleId of sampleIds) link.run(projectId, sampleId);
        return linked.all(projectId);
      }),

    removeTags: ({ data_ids, tag_ids }, caller) =>
      write(() => {
        // An id given twice counts once: pair by pair, long lists of the same would hold up everybody.
        const entries = [...new Set(data_ids)].map((dataId) => own.entry(dataId, caller));
        const tagIds = [...new Set(tag_ids)].map((uuid) => {
          const id = tag.get(uuid, caller.organizationId);
          if (id === undefined) throw notFound('tag', uuid);
          return id;
        });
        for (const id of entries) {
          for (const tagId of tagIds) untag.run(id, tagId);
          index(id);
        }
        return {};
      }),
  };
}
