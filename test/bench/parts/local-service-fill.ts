// Fills a service's folder with a catalogue and one long stream, past the HTTP interface, for the benches.
import { randomUUID } from 'node:crypto';
import { createEntryAdder } from '../../../src-main/local-service/storage/add-entry.ts';
import { packChunk } from '../../../src-main/local-service/storage/chunk-bytes.ts';
import {
  DEFAULT_ORGANIZATION,
  DEFAULT_USER,
  ensureOrganization,
  ensureUser,
} from '../../../src-main/local-service/storage/identity.ts';
import { openDatabase } from '../../../src-main/local-service/storage/sqlite/database.ts';

const TYPES = ['tool_state', 'rheed_video', 'xps', 'sims', 'optical', 'sem', 'raman', 'metrology'];
const POINTS_PER_CHUNK = 1000;
const CHANNELS = 10;
/** Seconds between two points of the long stream. */
const STEP_S = 0.01;
const START_S = 1_780_000_000;

export interface Filled {
  readonly dataIds: readonly string[];
  readonly sampleUuid: string;
  readonly streamId: string;
  /** Seconds since its start at which the long stream ends. */
  readonly endS: number;
}

/** Fill a folder. Takes entries of the catalogue (a sample for each 20), points of the stream over all channels. */
export function fillService(folder: string, entries: number, points: number): Filled {
  const db = openDatabase(folder);
  try {
    return db.transaction((): Filled => {
      const organizationId = ensureOrganization(db, DEFAULT_ORGANIZATION);
      const owners = [DEFAULT_USER, 'colleague'].map((name) => ensureUser(db, organizationId, name));
      const add = createEntryAdder(db);
      const sample = db.prepare('INSERT INTO sample (organization_id, user_id, sample_uuid, name) VALUES (?, ?, ?, ?)');
      const tag = db.prepare('INSERT INTO tag (organization_id, tag_uuid, name) VALUES (?, ?, ?)');
      const tagIds = ['reference', 'in situ'].map((name) =>
        Number(tag.run(organizationId, randomUUID(), name).lastInsertRowid),
      );
      const dataIds: string[] = [];
      let sampleId = 0;
      let sampleUuid = '';
      for (let n = 0; n < entries; n++) {
        if (n % 20 === 0) {
          sampleUuid = randomUUID();
          sampleId = Number(sample.run(organizationId, owners[0], sampleUuid, `G3-${n} GaAs/AlGaAs`).lastInsertRowid);
        }
        const { dataId } = add({
          organizationId,
          userId: owners[n % 100 === 0 ? 0 : 1] ?? 0,
          rawName: `MBE-1 chamber-log 2026-11-20 19:40:12 ${n.toString(36).padStart(5, '0')}q`,
          charSourceType: TYPES[n % TYPES.length] ?? '',
          pipelineStatus: n % 500 === 0 ? 'error' : 'success',
          uploadMs: (START_S + n) * 1000,
          sampleId,
          projectIds: [],
          tagIds: n % 10 === 0 ? tagIds : [],
        });
        dataIds.push(dataId);
      }
      const stream = add({
        organizationId,
        userId: owners[0] ?? 0,
        rawName: 'the long stream',
        charSourceType: 'tool_state',
        pipelineStatus: 'running',
        uploadMs: START_S * 1000,
        sampleId: null,
        projectIds: [],
      });
      db.prepare(
        'INSERT INTO stream (entry_id, processed_data_id, points_per_chunk, start_time, last_chunk_ms) VALUES (?, ?, ?, ?, ?)',
      ).run(stream.entryId, randomUUID(), POINTS_PER_CHUNK, START_S, Date.now());
      const chunks = points / CHANNELS / POINTS_PER_CHUNK;
      const channel = db.prepare('INSERT INTO channel (entry_id, name, units, points) VALUES (?, ?, ?, ?)');
      const store = db.prepare(
        'INSERT INTO chunk (channel_id, chunk_index, points, min_time, max_time, data) VALUES (?, ?, ?, ?, ?, ?)',
      );
      const channelIds = Array.from({ length: CHANNELS }, (_, at) =>
        Number(channel.run(stream.entryId, `channel ${at}`, 'C', points / CHANNELS).lastInsertRowid),
      );
      for (let k = 0; k < chunks; k++) {
        const times = Array.from(
          { length: POINTS_PER_CHUNK },
          (_, at) => START_S + (k * POINTS_PER_CHUNK + at) * STEP_S,
        );
        const data = packChunk(
          times,
          times.map((time) => Math.sin(time)),
        );
        for (const id of channelIds) store.run(id, k, POINTS_PER_CHUNK, times[0], times.at(-1), data);
      }
      return { dataIds, sampleUuid, streamId: stream.dataId, endS: (points / CHANNELS - 1) * STEP_S };
    })();
  } finally {
    db.close();
  }
}
