// 4.4 to 4.6: RHEED sessions and what is known of processed RHEED videos.
import { randomUUID } from 'node:crypto';
import type { RheedSettings } from '../../interface/resources.ts';
import { notFound, violation } from '../requests/problem.ts';
import { createEntryAdder } from '../storage/add-entry.ts';
import type { Caller } from '../storage/identity.ts';
import type { Handlers } from './handlers.ts';
import type { ServiceParts } from './service-parts.ts';

/** Serve RHEED. */
export function serveRheed({
  db,
  write,
  nowMs,
  own,
  results,
  accesses,
}: ServiceParts): Pick<Handlers, 'startRheedStream' | 'readRheedSettings' | 'readRheedMetadata'> {
  const addEntry = createEntryAdder(db);
  const addSession = db.prepare('INSERT INTO rheed (entry_id, settings) VALUES (?, ?)');
  const findSettings = db.prepare<[number], string>('SELECT settings FROM rheed WHERE entry_id = ?').pluck();
  const addSample = db.prepare('INSERT INTO sample (organization_id, user_id, sample_uuid, name) VALUES (?, ?, ?, ?)');
  const sampleByName = db
    .prepare<[number, string], number>(
      'SELECT id FROM sample WHERE organization_id = ? AND name = ? ORDER BY id LIMIT 1',
    )
    .pluck();
  const sampleUuid = db.prepare<[number], string>('SELECT sample_uuid FROM sample WHERE id = ?').pluck();

  /** The sample of that name; made when the organization has none, so that a repeated start does not make a second. */
  function ensureSample(name: string, { organizationId, userId }: Caller): number {
    const known = sampleByName.get(organizationId, name);
    return known ?? Number(addSample.run(organizationId, userId, randomUUID(), name).lastInsertRowid);
  }

  return {
    startRheedStream(request, caller) {
      const { data_item_name, fps_capture_rate, project_id, rotational_period, rotations_per_min } = request;
      // The start gives seconds a turn, the settings tell frames a turn.
      const framesPerTurn = rotational_period == null ? null : rotational_period * fps_capture_rate;
      if (framesPerTurn !== null && !Number.isFinite(framesPerTurn)) {
        throw violation(['body', 'rotational_period'], 'its frames a turn are no number any more');
      }
      return write(() => {
        const projectId = own.project(project_id, caller);
        const given = own.sample(request.physical_sample_id, caller);
        const wished = request.create_physical_sample_name || null;
        const sampleId = given ?? (wished === null ? null : ensureSample(wished, caller));
        const isRotating = Boolean(rotational_period) || Boolean(rotations_per_min);
        const { entryId, dataId } = addEntry({
          ...caller,
          rawName: data_item_name,
          charSourceType: isRotating ? 'rheed_rotating' : 'rheed_stationary',
          pipelineStatus: 'pending',
          uploadMs: nowMs(),
          sampleId,
          projectIds: projectId === null ? [] : [projectId],
        });
        const settings: RheedSettings = {
          data_item_name,
          fps_capture_rate,
          project_id: project_id ?? null,
          physical_sample_id: sampleId === null ? null : (sampleUuid.get(sampleId) ?? null),
          create_physical_sample_name: given === null ? wished : null,
          rotational_period: framesPerTurn,
          rotations_per_min: rotations_per_min ?? null,
        };
        addSession.run(entryId, JSON.stringify(settings));
        return dataId;
      });
    },

    readRheedSettings({ data_id }, caller) {
      const id = own.entry(data_id, caller);
      const settings = findSettings.get(id);
      if (settings === undefined) throw notFound('RHEED session', data_id);
      accesses.note(id);
      return JSON.parse(settings) as RheedSettings;
    },

    readRheedMetadata({ data_ids }, caller) {
      return data_ids.map((dataId) => {
        const id = own.entry(dataId, caller);
        const [metadata] = results.read(id, 'rheed');
        if (!metadata) throw notFound('processed RHEED video for the data entry', dataId);
        accesses.note(id);
        return { ...(metadata as object), data_id: dataId };
      });
    },
  };
}
