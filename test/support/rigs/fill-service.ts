// Fills a service's folder with a catalogue and one long stream, past the HTTP interface.

import { randomUUID } from 'node:crypto';
import { addEntry } from '../../../src-main/local-service/storage/add-entry.ts';
import { hereActor } from '../../../src-main/local-service/storage/audit.ts';
import { packChunk } from '../../../src-main/local-service/storage/chunk-bytes.ts';
import { addChannel, countChannel, putChunk } from '../../../src-main/local-service/storage/chunks.ts';
import type { Engine } from '../../../src-main/local-service/storage/engine.ts';
import {
  DEFAULT_ORGANIZATION,
  DEFAULT_USER,
  ensureOrganization,
  ensureUser,
} from '../../../src-main/local-service/storage/identity.ts';
import { openEngine } from '../../../src-main/local-service/storage/open-engine.ts';
import { first, run, type Script, type Value } from '../../../src-main/local-service/storage/script.ts';

const TYPES = ['tool_state', 'rheed_video', 'xps', 'sims', 'optical', 'sem', 'raman', 'metrology'];
const POINTS_PER_CHUNK = 1000;
const CHANNELS = 10;
/** Seconds between two points of the long stream. */
const STEP_S = 0.01;
const START_S = 1_780_000_000;

export interface Filled {
  readonly dataIds: readonly string[];
  readonly streamId: string;
}

/** Fill a folder. Takes entries of the catalogue (a sample for each 20), points of the stream over all channels. */
export async function fillService(folder: string, entries: number, points: number): Promise<Filled> {
  const engine = await openEngine(folder);
  try {
    return await engine.write(() => fill(engine, entries, points));
  } finally {
    await engine.close();
  }
}

function* idOf(sql: string, ...values: readonly Value[]): Script<number> {
  return (yield* first<{ id: number }>(`${sql} RETURNING id`, ...values))?.id ?? 0;
}

function* fill(engine: Engine, entries: number, points: number): Script<Filled> {
  const actor = hereActor();
  const { value: organizationId } = yield* ensureOrganization(DEFAULT_ORGANIZATION, actor);
  const owners = [
    (yield* ensureUser(organizationId, DEFAULT_USER, actor)).value,
    (yield* ensureUser(organizationId, 'colleague', actor)).value,
  ];
  const tagIds: number[] = [];
  for (const name of ['reference', 'in situ']) {
    const sql = 'INSERT INTO tag (organization_id, tag_uuid, name) VALUES (?, ?, ?)';
    tagIds.push(yield* idOf(sql, organizationId, randomUUID(), name));
  }
  const dataIds: string[] = [];
  let sampleId = 0;
  for (let n = 0; n < entries; n++) {
    if (n % 20 === 0) {
      const sql = 'INSERT INTO sample (organization_id, user_id, sample_uuid, name) VALUES (?, ?, ?, ?)';
      sampleId = yield* idOf(sql, organizationId, owners[0] ?? 0, randomUUID(), `G3-${n} GaAs/AlGaAs`);
    }
    const { dataId } = yield* addEntry(engine, {
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
  const stream = yield* addEntry(engine, {
    organizationId,
    userId: owners[0] ?? 0,
    rawName: 'the long stream',
    charSourceType: 'tool_state',
    pipelineStatus: 'running',
    uploadMs: START_S * 1000,
    sampleId: null,
    projectIds: [],
  });
  yield* run(
    'INSERT INTO stream (entry_id, processed_data_id, points_per_chunk, start_time, last_chunk_ms) VALUES (?, ?, ?, ?, ?)',
    stream.entryId,
    randomUUID(),
    POINTS_PER_CHUNK,
    START_S,
    Date.now(),
  );
  const channelIds: number[] = [];
  for (let at = 0; at < CHANNELS; at++) {
    const id = yield* addChannel(stream.entryId, `channel ${at}`, 'C');
    yield* countChannel(id, points / CHANNELS, 'C');
    channelIds.push(id);
  }
  for (let k = 0; k < points / CHANNELS / POINTS_PER_CHUNK; k++) {
    // As a growth is written: times in whole milliseconds, values to a tenth.
    const at = (n: number) => k * POINTS_PER_CHUNK + n;
    const times = Array.from({ length: POINTS_PER_CHUNK }, (_, n) => (START_S * 1000 + at(n) * STEP_S * 1000) / 1000);
    const chunk = packChunk(
      times,
      times.map((_, n) => Math.round(6000 + 400 * Math.sin(at(n) / 200) + ((n * 7919) % 3)) / 10),
    );
    for (const id of channelIds) yield* putChunk(id, k, chunk);
  }
  return { dataIds, streamId: stream.dataId };
}
