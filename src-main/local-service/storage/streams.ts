// Streams and RHEED sessions: their start, their chunks, their end.
import { randomUUID } from 'node:crypto';
import type { RheedSettings } from '../../interface/resources.ts';
import { notFound, violation } from '../requests/problem.ts';
import { addEntry } from './add-entry.ts';
import { type ChunkPolicy, labPolicy } from './chunk-policy.ts';
import { type ChunkRequest, type ChunkStored, storeChunk } from './chunks.ts';
import type { Engine } from './engine.ts';
import { type Owner, ownId, ownIdIf } from './own.ts';
import { first, run, type Script } from './script.ts';

interface NewStream {
  readonly name: string;
  readonly pointsPerChunk: number;
  readonly synthSourceId: number | null;
  readonly sampleUuid: string | null | undefined;
  readonly projectUuid: string | null | undefined;
  /** What begins it, as it calls itself. */
  readonly agent: string;
  readonly nowMs: number;
}

interface NewSession {
  readonly name: string;
  readonly isRotating: boolean;
  readonly sampleUuid: string | null | undefined;
  /** Name of the sample to use, made when the organization has none, when no sample is given; null: none. */
  readonly sampleName: string | null;
  readonly projectUuid: string | null | undefined;
  readonly nowMs: number;
  /** Its settings, but for its sample. */
  readonly settings: Pick<
    RheedSettings,
    'data_item_name' | 'fps_capture_rate' | 'project_id' | 'rotational_period' | 'rotations_per_min'
  >;
}

export interface Streams {
  /** Start a stream; Problem 404 or 422 for what is not the caller's. */
  start(stream: NewStream, owner: Owner): Promise<{ dataId: string; processedDataId: string }>;
  /** Store a chunk; Problem 404, 409, 422. */
  store(request: ChunkRequest): Promise<ChunkStored>;
  /** Start a RHEED session. Returns its UUID. */
  startSession(session: NewSession, owner: Owner): Promise<string>;
  /** What a session was started with, and the number of its entry; Problem 404. */
  settings(dataId: string, owner: Owner): Promise<{ entryId: number; settings: RheedSettings }>;
  /** End a stream or session; ending it again changes nothing. Problem 404. */
  end(kind: 'stream' | 'rheed', dataId: string, owner: Owner, nowMs: number): Promise<void>;
  /** Call the streams successful that have had no chunk since a time, Unix ms. */
  settle(sinceMs: number): Promise<void>;
}

/** The sample of that name; made when the organization has none, so that a repeated start does not make a second. */
function* ensureSample(name: string, { organizationId, userId }: Owner): Script<number> {
  const known = yield* first<{ id: number }>(
    'SELECT id FROM sample WHERE organization_id = ? AND name = ? ORDER BY id LIMIT 1',
    organizationId,
    name,
  );
  if (known) return known.id;
  const added = yield* first<{ id: number }>(
    'INSERT INTO sample (organization_id, user_id, sample_uuid, name) VALUES (?, ?, ?, ?) RETURNING id',
    organizationId,
    userId,
    randomUUID(),
    name,
  );
  return added?.id ?? 0;
}

function* startStream(
  engine: Engine,
  stream: NewStream,
  owner: Owner,
): Script<{ dataId: string; processedDataId: string }> {
  const { pointsPerChunk, synthSourceId, nowMs } = stream;
  if (synthSourceId !== null) {
    const sql = 'SELECT synth_source_id FROM instrument WHERE synth_source_id = ? AND organization_id = ?';
    if (!(yield* first(sql, synthSourceId, owner.organizationId))) {
      throw violation(['body', 'synth_source_id'], `your organization has no growth instrument ${synthSourceId}`);
    }
  }
  const sampleId = yield* ownIdIf('sample', stream.sampleUuid, owner);
  const projectId = yield* ownIdIf('project', stream.projectUuid, owner);
  const { entryId, dataId } = yield* addEntry(engine, {
    organizationId: owner.organizationId,
    userId: owner.userId,
    rawName: stream.name,
    charSourceType: 'tool_state',
    pipelineStatus: 'pending',
    uploadMs: nowMs,
    sampleId,
    projectIds: projectId === null ? [] : [projectId],
  });
  const processedDataId = randomUUID();
  yield* run(
    'INSERT INTO stream (entry_id, processed_data_id, points_per_chunk, synth_source_id, agent) VALUES (?, ?, ?, ?, ?)',
    entryId,
    processedDataId,
    pointsPerChunk,
    synthSourceId,
    stream.agent,
  );
  return { dataId, processedDataId };
}

function* startSession(engine: Engine, session: NewSession, owner: Owner): Script<string> {
  const { name, isRotating, sampleName } = session;
  const projectId = yield* ownIdIf('project', session.projectUuid, owner);
  const given = yield* ownIdIf('sample', session.sampleUuid, owner);
  const sampleId = given ?? (sampleName === null ? null : yield* ensureSample(sampleName, owner));
  const { entryId, dataId } = yield* addEntry(engine, {
    organizationId: owner.organizationId,
    userId: owner.userId,
    rawName: name,
    charSourceType: isRotating ? 'rheed_rotating' : 'rheed_stationary',
    pipelineStatus: 'pending',
    uploadMs: session.nowMs,
    sampleId,
    projectIds: projectId === null ? [] : [projectId],
  });
  const sample =
    sampleId === null
      ? undefined
      : yield* first<{ sample_uuid: string }>('SELECT sample_uuid FROM sample WHERE id = ?', sampleId);
  const { project_id, data_item_name, fps_capture_rate, rotational_period, rotations_per_min } = session.settings;
  const settings: RheedSettings = {
    data_item_name,
    fps_capture_rate,
    project_id,
    physical_sample_id: sample?.sample_uuid ?? null,
    create_physical_sample_name: given === null ? sampleName : null,
    rotational_period,
    rotations_per_min,
  };
  yield* run('INSERT INTO rheed (entry_id, settings) VALUES (?, ?)', entryId, JSON.stringify(settings));
  return dataId;
}

function* endOne(kind: 'stream' | 'rheed', dataId: string, owner: Owner, nowMs: number): Script<void> {
  const id = yield* ownId('entry', dataId, owner);
  const [column, what] = kind === 'stream' ? ['finalized_ms', 'stream'] : ['ended_ms', 'RHEED session'];
  const sql = `UPDATE ${kind} SET ${column} = coalesce(${column}, ?) WHERE entry_id = ? RETURNING entry_id`;
  if (!(yield* first(sql, nowMs, id))) throw notFound(what, dataId);
  yield* run(`UPDATE entry SET pipeline_status = 'success' WHERE id = ?`, id);
}

function* readSettings(dataId: string, owner: Owner): Script<{ entryId: number; settings: RheedSettings }> {
  const entryId = yield* ownId('entry', dataId, owner);
  const found = yield* first<{ settings: string }>('SELECT settings FROM rheed WHERE entry_id = ?', entryId);
  if (!found) throw notFound('RHEED session', dataId);
  return { entryId, settings: JSON.parse(found.settings) as RheedSettings };
}

/** Open the streams. Takes what is done where the interface is silent about chunks. */
export function createStreams(engine: Engine, policy: ChunkPolicy): Streams {
  const { write, read } = engine;
  return {
    start: (stream, owner) => write(() => startStream(engine, stream, owner)),
    store: (request) =>
      engine.ingest && policy === labPolicy ? engine.ingest(request) : write(() => storeChunk(request, policy)),
    startSession: (session, owner) => write(() => startSession(engine, session, owner)),
    settings: (dataId, owner) => read(() => readSettings(dataId, owner)),
    end: (kind, dataId, owner, nowMs) => write(() => endOne(kind, dataId, owner, nowMs)),
    settle: (sinceMs) =>
      write(() =>
        run(
          `UPDATE entry SET pipeline_status = 'success'
           WHERE pipeline_status = 'running' AND id IN (SELECT entry_id FROM stream WHERE last_chunk_ms < ?)`,
          sinceMs,
        ),
      ),
  };
}
