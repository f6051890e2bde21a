// Catalogue entries of an import file, with what was measured.
import { randomUUID } from 'node:crypto';
import { ChannelName, type TimeSeries } from '../../interface/resources.ts';
import { addEntry } from '../storage/add-entry.ts';
import { isDate, packChunk } from '../storage/chunk-bytes.ts';
import { addChannel, countChannel, putChunk } from '../storage/chunks.ts';
import { addFile } from '../storage/files.ts';
import { addResult } from '../storage/results.ts';
import { first, run, type Script } from '../storage/script.ts';
import { findOwn, ImportStop, linkTo, type Place } from './import-place.ts';
import type { ImportEntry } from './import-schema.ts';

/** Points of an imported series that are kept in one row. */
const POINTS_PER_CHUNK = 1000;

function* importSeries(entryId: number, { properties }: TimeSeries, path: PropertyKey[]): Script<void> {
  let start = Number.POSITIVE_INFINITY;
  for (const { unix_timestamp_ms } of Object.values(properties)) {
    for (const stamp of unix_timestamp_ms) start = Math.min(start, (stamp ?? Number.POSITIVE_INFINITY) / 1000);
  }
  yield* run(
    'INSERT INTO stream (entry_id, processed_data_id, points_per_chunk, start_time, last_chunk_ms) VALUES (?, ?, ?, ?, ?)',
    entryId,
    randomUUID(),
    POINTS_PER_CHUNK,
    Number.isFinite(start) ? start : null,
    Date.now(),
  );
  for (const [name, { unix_timestamp_ms, values, units }] of Object.entries(properties)) {
    const where = [...path, 'properties', name];
    const fit = ChannelName.safeParse(name);
    if (!fit.success) throw new ImportStop(where, `not the name of a channel: ${fit.error.issues[0]?.message}`);
    if (unix_timestamp_ms.length !== values.length)
      throw new ImportStop([...where, 'values'], 'not as many as unix_timestamp_ms');
    if ([...unix_timestamp_ms, ...values].includes(null)) throw new ImportStop(where, 'a series cannot hold null');
    const unfit = unix_timestamp_ms.findIndex((stamp) => !isDate((stamp ?? 0) / 1000));
    if (unfit >= 0) throw new ImportStop([...where, 'unix_timestamp_ms', unfit], 'beyond every date');
    const channelId = yield* addChannel(entryId, name, units ?? null);
    yield* countChannel(channelId, values.length, units ?? null);
    for (let at = 0; at < values.length; at += POINTS_PER_CHUNK) {
      const times = unix_timestamp_ms.slice(at, at + POINTS_PER_CHUNK).map((stamp) => (stamp ?? 0) / 1000);
      const slice = values.slice(at, at + POINTS_PER_CHUNK).map((value) => value ?? 0);
      yield* putChunk(channelId, at / POINTS_PER_CHUNK, packChunk(times, slice));
    }
  }
}

/** Refuse two columns of a result that do not belong together. */
function checkPairs(
  result: Readonly<Record<string, unknown>>,
  [left, right]: readonly [string, string],
  path: PropertyKey[],
): void {
  const lengthOf = (field: string) => (Array.isArray(result[field]) ? result[field].length : 0);
  if (lengthOf(left) !== lengthOf(right)) throw new ImportStop([...path, right], `not as many as ${left}`);
}

/** Fields of an entry that have a column or table of their own; all others are kept as they are. */
const known = new Set([
  ...['data_id', 'raw_name', 'char_source_type', 'pipeline_status', 'upload_datetime', 'last_accessed_datetime'],
  ...[
    'physical_sample_id',
    'physical_sample_name',
    'tags',
    'projects',
    'raw_file',
    'rheed',
    'optical',
    'xps',
    'sims',
    'time_series',
  ],
]);

/** Bytes that an entry brings along. */
export interface ImportedFile {
  fileUuid: string;
  fileName: string;
  bytes: Buffer;
}

/**
 * Add an entry with its results.
 *
 * @returns the files to store for it.
 */
export function* importEntry(
  place: Place,
  entry: ImportEntry,
  at: number,
  readBytes: (file: string, path: PropertyKey[]) => Buffer,
): Script<ImportedFile[]> {
  const path: PropertyKey[] = ['data_entries', at];
  const dataId = entry.data_id;
  if ((yield* findOwn(place, 'entry', dataId, [...path, 'data_id'])) !== null) return [];
  const { physical_sample_id } = entry;
  const extra = Object.fromEntries(Object.entries(entry).filter(([field]) => !known.has(field)));
  const sampleId =
    physical_sample_id == null
      ? null
      : yield* linkTo(place, 'sample', physical_sample_id, [...path, 'physical_sample_id']);
  const linkAll = function* (table: 'project' | 'tag', uuids: readonly string[], field: string): Script<number[]> {
    const ids: number[] = [];
    for (const [index, uuid] of uuids.entries()) ids.push(yield* linkTo(place, table, uuid, [...path, field, index]));
    return ids;
  };
  const { entryId } = yield* addEntry(place.engine, {
    organizationId: place.organizationId,
    userId: place.userId,
    dataId,
    rawName: entry.raw_name,
    charSourceType: entry.char_source_type,
    pipelineStatus: entry.pipeline_status ?? 'success',
    uploadMs: Date.parse(entry.upload_datetime),
    sampleId,
    projectIds: yield* linkAll('project', entry.projects, 'projects'),
    tagIds: yield* linkAll('tag', entry.tags, 'tags'),
    extra: Object.keys(extra).length > 0 ? JSON.stringify(extra) : null,
  });
  if (entry.rheed) yield* addResult(entryId, 'rheed', '', entry.rheed);
  if (entry.xps) checkPairs(entry.xps, ['binding_energies', 'intensities'], [...path, 'xps']);
  if (entry.xps) yield* addResult(entryId, 'xps', '', entry.xps);
  for (const [index, profile] of (entry.sims ?? []).entries()) {
    const isFirst = entry.sims?.findIndex(({ species_name }) => species_name === profile.species_name) === index;
    if (!isFirst) throw new ImportStop([...path, 'sims', index, 'species_name'], 'the species stands there twice');
    checkPairs(profile, ['depths', 'concentrations'], [...path, 'sims', index]);
    yield* addResult(entryId, 'sims', profile.species_name, profile);
  }
  if (entry.time_series) yield* importSeries(entryId, entry.time_series, [...path, 'time_series']);
  const imported: ImportedFile[] = [];
  const take = function* (fileUuid: string, fileName: string, file: string, filePath: PropertyKey[]): Script<void> {
    const bytes = readBytes(file, filePath);
    yield* addFile(entryId, fileUuid, fileName, bytes.length);
    imported.push({ fileUuid, fileName, bytes });
  };
  if (entry.raw_file) yield* take(dataId, entry.raw_name, entry.raw_file, [...path, 'raw_file']);
  if (entry.optical) {
    const frames = entry.optical.frames.map(({ file: _, ...frame }) => frame);
    yield* addResult(entryId, 'optical', '', { ...entry.optical, frames });
    for (const [index, { image_uuid, file }] of entry.optical.frames.entries()) {
      const framePath = [...path, 'optical', 'frames', index];
      if (yield* first('SELECT file_uuid FROM file WHERE file_uuid = ?', image_uuid))
        throw new ImportStop([...framePath, 'image_uuid'], 'another file has this UUID');
      yield* take(image_uuid, file.split(/[\\/]/).at(-1) ?? file, file, [...framePath, 'file']);
    }
  }
  return imported;
}
