// Samples, tags, projects, instruments and target materials of an import file.

import { addInstrument } from '../endpoints/instruments.ts';
import { findOwn, linkTo, type Place } from './import-place.ts';
import type { ImportFile } from './import-schema.ts';

/** Add samples, tags and projects. */
export function importLinks(place: Place, { physical_samples, tags, projects }: ImportFile): void {
  const { db, organizationId, userId } = place;
  for (const [at, { physical_sample_id, name }] of physical_samples.entries()) {
    if (findOwn(place, 'sample', physical_sample_id, ['physical_samples', at, 'physical_sample_id']) !== null) continue;
    db.prepare('INSERT INTO sample (organization_id, user_id, sample_uuid, name) VALUES (?, ?, ?, ?)').run(
      organizationId,
      userId,
      physical_sample_id,
      name,
    );
  }
  for (const [at, { tag_id, name }] of tags.entries()) {
    if (findOwn(place, 'tag', tag_id, ['tags', at, 'tag_id']) !== null) continue;
    db.prepare('INSERT INTO tag (organization_id, tag_uuid, name) VALUES (?, ?, ?)').run(organizationId, tag_id, name);
  }
  for (const [at, { project_id, name, notes, physical_sample_ids }] of projects.entries()) {
    if (findOwn(place, 'project', project_id, ['projects', at, 'project_id']) !== null) continue;
    const added = db
      .prepare('INSERT INTO project (organization_id, user_id, project_uuid, name, notes) VALUES (?, ?, ?, ?, ?)')
      .run(organizationId, userId, project_id, name, notes ?? null);
    for (const [index, uuid] of physical_sample_ids.entries()) {
      const sampleId = linkTo(place, 'sample', uuid, ['projects', at, 'physical_sample_ids', index]);
      db.prepare('INSERT INTO project_sample (project_id, sample_id) VALUES (?, ?) ON CONFLICT DO NOTHING').run(
        added.lastInsertRowid,
        sampleId,
      );
    }
  }
}

/** Add growth instruments and target materials. */
export function importTools(place: Place, { instruments, target_materials }: ImportFile): void {
  const { db, organizationId, userId, counts } = place;
  for (const { synth_source_id, source_name, source_label, synth_source_type, source_metadata } of instruments) {
    const find = db.prepare(`SELECT 1 FROM instrument WHERE organization_id = ? AND body ->> '$.source_name' = ?`);
    if (find.get(organizationId, source_name)) {
      counts.kept += 1;
      continue;
    }
    // A number that is taken already, by whomever, is replaced by the next free one.
    const isFree =
      db.prepare('SELECT 1 FROM instrument WHERE synth_source_id = ?').get(synth_source_id ?? 0) === undefined;
    addInstrument(db, {
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
    db.prepare(
      'INSERT INTO target_sample (organization_id, user_id, name, body) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    ).run(organizationId, userId, sample_name, sampleBody);
    const find = db.prepare<[number, string], number>(
      'SELECT id FROM target_sample WHERE organization_id = ? AND name = ?',
    );
    const { changes } = db
      .prepare(
        'INSERT INTO target_layer (sample_id, layer_id, body, updated_ms) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
      )
      .run(
        find.pluck().get(organizationId, sample_name) ?? 0,
        layer_id,
        JSON.stringify({ composition_string, element_dict, orientation, space_group, mp_id }),
        Date.now(),
      );
    counts[changes > 0 ? 'added' : 'kept'] += 1;
  }
}
