// HDF5 in the classes of NeXus. No application definition of NeXus describes a growth, so none is named and no conformance is
// claimed. Source: NeXus base classes (NXroot, NXentry, NXinstrument, NXsensor, NXlog, NXnote, NXprocess, NXsample,
// NXcollection), NeXus manual, "Rules for storing data items".
//
// A gap is an absence of points and a row in /entry/gaps: nothing is filled. Times are seconds since `start`, a whole
// millisecond, as doubles: an instant comes back to the nanosecond.
//
// Bounds: BLOCK_POINTS of each series are held before they are written, 128 KiB a series. Text has a fixed length.
import { randomUUID } from 'node:crypto';
import type { Dataset, File, Group } from 'h5wasm/node';
import { instant } from '../delivery/receipt/receipt-words.ts';
import { headDocument } from './head-document.ts';
import { notWhole } from './part-file.ts';
import type { ExportHead, PointSource } from './points.ts';
import { udunits } from './udunits.ts';
import type { Written } from './wide-csv.ts';

/** Points of a chunk of the file; each is written once, whole. */
const BLOCK_POINTS = 8192;
const COMPRESSION = 4;

/** Load the library; its memory stays with the process. */
export const loadHdf5 = async () => {
  const h5 = await import('h5wasm/node');
  await h5.ready;
  return h5;
};

/**
 * Write what is exported as HDF5, and read it again.
 *
 * @param source - its points.
 * @param part - the path of the file to make, on a local disk.
 * @param written - is told rows and points.
 * @throws `export.not-whole`; those of the points and of the file system.
 */
export async function writeNexus(source: PointSource, part: string, written: Written): Promise<void> {
  const h5 = await loadHdf5();
  const { head } = source;
  const file = new h5.File(part, 'w');
  let isOpen = true;
  try {
    const startMs = Math.floor(head.fromMs);
    const entry = writeHead(file, head);
    const instrument = group(entry, 'instrument', 'NXinstrument');
    const logs = head.series.map(
      (one, i) => new SeriesLog(instrument, channelName(i, head.series.length), one, startMs),
    );
    for await (const { columns } of source.windows()) {
      for (const [i, { timesMs, values }] of columns.entries()) logs[i]?.add(timesMs, values);
    }
    for (const log of logs) log.end();
    written.points = logs.reduce((sum, { points }) => sum + points, 0);
    written.rows = written.points;
    isOpen = false;
    if (file.close() !== 0) throw notWhole(part, 'the file could not be closed');
    await check(part, logs);
  } finally {
    if (isOpen) file.close();
  }
}

const channelName = (i: number, count: number) => `ch${String(i + 1).padStart(Math.max(2, String(count).length), '0')}`;

/** Where the numbers of a series stand: the path of its NXlog. */
export const logPathOf = (i: number, count: number) => `/entry/instrument/${channelName(i, count)}/value_log`;

function group(parent: Group, name: string, nexusClass: string): Group {
  const made = parent.create_group(name);
  made.create_attribute('NX_class', nexusClass);
  return made;
}

/** Text of a fixed length: at least one byte, which HDF5 asks for. */
function putText(parent: Group, name: string, text: string): Dataset {
  const bytes = Buffer.byteLength(text);
  return parent.create_dataset({ name, data: text, shape: [], dtype: `S${Math.max(1, bytes)}` });
}

function putTexts(parent: Group, name: string, texts: readonly string[]): void {
  const longest = texts.reduce((most, text) => Math.max(most, Buffer.byteLength(text)), 1);
  parent.create_dataset({ name, data: [...texts], shape: [texts.length], dtype: `S${longest}` });
}

function putSeconds(parent: Group, name: string, numbers: readonly number[]): void {
  const made = parent.create_dataset({ name, data: Float64Array.from(numbers), shape: [numbers.length], dtype: '<d' });
  made.create_attribute('units', 's');
}

function putNote(parent: Group, name: string, fields: Readonly<Record<string, string>>): void {
  const note = group(parent, name, 'NXnote');
  for (const [field, text] of Object.entries(fields)) putText(note, field, text);
}

function writeHead(file: File, head: ExportHead): Group {
  const made = {
    file_time: instant(head.madeMs),
    creator: 'Epistream',
    creator_version: head.version,
    default: 'entry',
  };
  for (const [name, value] of Object.entries({ NX_class: 'NXroot', ...made })) file.create_attribute(name, value);
  const entry = group(file, 'entry', 'NXentry');
  putText(entry, 'title', head.title);
  putText(entry, 'start_time', instant(head.growth?.startedMs ?? head.fromMs));
  putText(entry, 'end_time', instant(head.growth?.endedMs ?? head.toMs));
  putText(entry, 'entry_identifier_uuid', randomUUID());
  if (head.growth) putText(entry, 'experiment_identifier', head.growth.id);
  const part = head.growth?.parts.at(-1);
  const sampleName = part?.newSampleName ?? part?.sampleId ?? null;
  if (sampleName !== null) putText(group(entry, 'sample', 'NXsample'), 'name', sampleName);
  const process = group(entry, 'acquisition', 'NXprocess');
  putText(process, 'program', 'Epistream');
  putText(process, 'version', head.version);
  putText(process, 'date', instant(head.madeMs));
  for (const [i, { timeMs, text }] of head.notes.entries()) {
    const fields = { date: instant(timeMs), type: 'text/plain', description: text };
    putNote(entry, `note_${String(i + 1).padStart(4, '0')}`, fields);
  }
  const data = JSON.stringify(headDocument(head));
  putNote(entry, 'receipt', { type: 'application/json', file_name: 'epistream-export.json', data });
  writeGaps(entry, head);
  return entry;
}

function writeGaps(entry: Group, { gaps, fromMs }: ExportHead): void {
  const made = group(entry, 'gaps', 'NXcollection');
  const startMs = Math.floor(fromMs);
  made.create_attribute('start', instant(startMs));
  made.create_attribute('count', gaps.length);
  if (gaps.length === 0) return;
  putTexts(
    made,
    'source',
    gaps.map(({ sourceId }) => sourceId),
  );
  const secondsOf = (gap: 'fromMs' | 'toMs') => gaps.map((one) => (one[gap] - startMs) / 1000);
  putSeconds(made, 'start_s', secondsOf('fromMs'));
  putSeconds(made, 'end_s', secondsOf('toMs'));
  putTexts(
    made,
    'reason_text',
    gaps.map(({ cause }) => cause),
  );
}

/** One series of the file: an NXsensor with its NXlog. */
class SeriesLog {
  readonly path: string;
  points = 0;
  readonly #log: Group;
  readonly #startMs: number;
  readonly #time: GrowingDataset;
  readonly #value: GrowingDataset;
  first: number | null = null;
  last: number | null = null;

  constructor(parent: Group, name: string, series: ExportHead['series'][number], startMs: number) {
    const sensor = group(parent, name, 'NXsensor');
    putText(sensor, 'name', series.channel);
    sensor.create_attribute('source', series.sourceId);
    this.#log = group(sensor, 'value_log', 'NXlog');
    this.path = `/entry/instrument/${name}/value_log`;
    this.#startMs = startMs;
    this.#time = new GrowingDataset(this.#log, 'time', { start: instant(startMs), units: 's' });
    const known = udunits(series.unit);
    const units = { ...(known === null ? {} : { units: known }), original_units: series.unit };
    this.#value = new GrowingDataset(this.#log, 'value', units);
  }

  add(timesMs: Float64Array, values: Float64Array): void {
    for (let i = 0; i < values.length; i++) {
      this.#time.add(((timesMs[i] as number) - this.#startMs) / 1000);
      this.#value.add(values[i] as number);
    }
    this.first ??= values[0] ?? null;
    this.last = values.at(-1) ?? this.last;
    this.points += values.length;
  }

  end(): void {
    this.#time.flush();
    this.#value.flush();
  }
}

class GrowingDataset {
  readonly #parent: Group;
  readonly #name: string;
  readonly #held = new Float64Array(BLOCK_POINTS);
  #count = 0;
  #length = 0;

  constructor(parent: Group, name: string, attributes: Readonly<Record<string, string>>) {
    this.#parent = parent;
    this.#name = name;
    const made = parent.create_dataset({
      name,
      data: new Float64Array(0),
      shape: [0],
      dtype: '<d',
      maxshape: [null],
      chunks: [BLOCK_POINTS],
      compression: COMPRESSION,
    });
    // HDF5 knows no empty fixed text in an attribute.
    for (const [key, value] of Object.entries(attributes)) if (value !== '') made.create_attribute(key, value);
  }

  add(value: number): void {
    this.#held[this.#count++] = value;
    if (this.#count === BLOCK_POINTS) this.flush();
  }

  flush(): void {
    if (this.#count === 0) return;
    const dataset = this.#parent.get(this.#name) as Dataset;
    const to = this.#length + this.#count;
    dataset.resize([to]);
    dataset.write_slice([[this.#length, to]], this.#held.slice(0, this.#count));
    this.#length = to;
    this.#count = 0;
  }
}

/** Read counts, first and last values again. */
async function check(part: string, logs: readonly SeriesLog[]): Promise<void> {
  const h5 = await loadHdf5();
  const file = new h5.File(part, 'r');
  try {
    for (const { path, points, first, last } of logs) {
      const value = file.get(`${path}/value`) as Dataset | null;
      const time = file.get(`${path}/time`) as Dataset | null;
      const found = value?.shape?.[0];
      if (found !== points || time?.shape?.[0] !== points) {
        throw notWhole(part, `${points} points of ${path} were written and ${found ?? 'none'} come back`);
      }
      if (points === 0 || !value) continue;
      const at = (row: number) => (value.slice([[row, row + 1]]) as Float64Array)[0];
      if (!Object.is(at(0), first) || !Object.is(at(points - 1), last)) throw notWhole(part);
    }
  } finally {
    file.close();
  }
}
