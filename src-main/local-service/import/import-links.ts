// Samples, tags, projects, instruments and target materials of an import file.

import { addInstrument } from '../storage/instruments.ts';
import { addProject, linkSample } from '../storage/projects.ts';
import { all, first, run, type Script } from '../storage/script.ts';
import { findOwn, linkTo, type Place } from './import-place.ts';
import type { ImportFile } from './import-schema.ts';

/** Add samples, tags and projects. */
export function* importLinks(place: Place, { physical_samples, tags, projects }: ImportFile): Script<void> {
  const { organizationId, userId } = place;
  for (const [at, { physical_sample_id, name }] of physical_samples.entries()) {
    const path = ['physical_samples', at, 'physical_sample_id'];
    if ((yield* findOwn(place, 'sample', physical_sample_id, path)) !== null) continue;
    const sql = 'INSERT INTO sample (organization_id, user_id, sample_uuid, name) VALUES (?, ?, ?, ?)';
    yield* run(sql, organizationId, userId, physical_sample_id, name);
  }
  for (const [at, { tag_id, name }] of tags.entries()) {
    if ((yield* findOwn(place, 'tag', tag_id, ['tags', at, 'tag_id'])) !== null) continue;
    yield* run('INSERT INTO tag (organization_id, tag_uuid, name) VALUES (?, ?, ?)', organizationId, tag_id, name);
  }
  for (const [at, { project_id, name, notes, physical_sample_ids }] of projects.entries()) {
    if ((yield* findOwn(place, 'project', project_id, ['projects', at, 'project_id'])) !== null) continue;
    const { projectId } = yield* addProject({ name, notes: notes ?? null, projectUuid: project_id }, place);
    for (const [index, uuid] of physical_sample_ids.entries()) {
      const path = ['projects', at, 'physical_sample_ids', index];
      yield* linkSample(projectId, yield* linkTo(place, 'sample', uuid, path));
    }
  }
}

/** Names of an organization's instruments. */
function* instrumentNames(organizationId: number): Script<Set<string>> {
  const rows = yield* all<{ body: string }>('SELECT body FROM instrument WHERE organization_id = ?', organizationId);
  return new Set(rows.map(({ body }) => (JSON.parse(body) as { source_name: string }).source_name));
}

/** Find or add a target material. Returns its number: the next one, since people read it. */
function* ensureTarget({ organizationId, userId }: Place, name: string, body: string): Script<number> {
  const sql = 'SELECT id FROM target_sample WHERE organization_id = ? AND name = ?';
  const known = yield* first<{ id: number }>(sql, organizationId, name);
  if (known) return known.id;
  const free = yield* first<{ next: number }>('SELECT coalesce(max(id), 0) + 1 AS next FROM target_sample');
  const id = free?.next ?? 1;
  const insert = 'INSERT INTO target_sample (id, organization_id, user_id, name, body) VALUES (?, ?, ?, ?, ?)';
  yield* run(insert, id, organizationId, userId, name, body);
  return id;
}

/** Add growth instruments and target materials. */
export function* importTools(place: Place, { instruments, target_materials }: ImportFile): Script<void> {
  const { organizationId, counts } = place;
  const known = yield* instrumentNames(organizationId);
  for (const { synth_source_id, source_name, source_label, synth_source_type, source_metadata } of instruments) {
    if (known.has(source_name)) {
      counts.kept += 1;
      continue;
    }
    known.add(source_name);
    // A number that is taken already, by whomever, is replaced by the next free one.
    const sql = 'SELECT synth_source_id FROM instrument WHERE synth_source_id = ?';
    const isFree = (yield* first(sql, synth_source_id ?? 0)) === undefined;
    yield* addInstrument({
      ...place,
      name: source_name,
      label: source_label,
      type: synth_source_type,
      metadata: source_metadata,
      synthSourceId: isFree ? (synth_source_id ?? null) : null,
      nowMs: Date.now(),
    });
    counts.added += 1;
  }
  for (const record of target_materials) {
    const { sample_name, layer_id, substrate, sample_metadata, detail_notes_id, detail_note_content } = record;
    const { composition_string, element_dict, orientation, space_group, mp_id } = record;
    const sampleBody = JSON.stringify({ substrate, sample_metadata, detail_notes_id, detail_note_content });
    const sampleId = yield* ensureTarget(place, sample_name, sampleBody);
    const added = yield* first(
      `INSERT INTO target_layer (sample_id, layer_id, body, updated_ms) VALUES (?, ?, ?, ?)
       ON CONFLICT DO NOTHING RETURNING id`,
      sampleId,
      layer_id,
      JSON.stringify({ composition_string, element_dict, orientation, space_group, mp_id }),
      Date.now(),
    );
    counts[added ? 'added' : 'kept'] += 1;
  }
}
