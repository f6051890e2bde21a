// A growth as one zip: its series as CSV, what was said and missed besides it, its receipts, and an RO-Crate that describes
// each file with its SHA-256. Source: RO-Crate Metadata Specification 1.2.
//
// Bounds: the files are made on the local disk and packed from there; zip64 is written where it is needed.
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { textCell } from '../delivery/receipt/csv.ts';
import { instant } from '../delivery/receipt/receipt-words.ts';
import { headDocument } from './head-document.ts';
import { WORK_FOLDER } from './job.ts';
import { hashOf, writePieces } from './part-file.ts';
import type { ExportHead, PointSource } from './points.ts';
import { type WideCsvOptions, type Written, wideCsv } from './wide-csv.ts';

interface PackedFile {
  readonly name: string;
  readonly description: string;
  readonly mediaType: string;
}

/**
 * Write what is exported as a package.
 *
 * @param source - its points.
 * @param part - the file, there and empty.
 * @param csv - how the series are written.
 * @param written - is told rows of the table and points.
 * @throws `export.not-whole`; those of the points and of the file system.
 */
export async function writePackage(
  source: PointSource,
  part: string,
  csv: WideCsvOptions,
  written: Written,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), WORK_FOLDER));
  try {
    const { head } = source;
    const series = { name: 'series.csv', description: 'The series, a row for each instant', mediaType: 'text/csv' };
    const files: PackedFile[] = [series];
    await writePieces(join(folder, 'series.csv'), wideCsv(source, csv, written));
    for (const { text, ...file } of textFiles(head)) {
      await writeFile(join(folder, file.name), text);
      files.push(file);
    }
    const crate = JSON.stringify(await crateOf(head, folder, files), null, 1);
    const zip = new ZipFile();
    zip.on('error', (error: Error) => (zip.outputStream as Readable).destroy(error));
    const mtime = new Date(head.madeMs);
    zip.addBuffer(Buffer.from(crate), 'ro-crate-metadata.json', { mtime });
    for (const { name } of files) zip.addFile(join(folder, name), name, { mtime });
    zip.end();
    await writePieces(part, zip.outputStream as Readable);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const SETTINGS: PackedFile = {
  name: 'epistream.yaml',
  description: 'Settings of Epistream when this was exported, without comments and without what may be a secret',
  mediaType: 'application/yaml',
};

const table = (rows: readonly (readonly string[])[]) =>
  rows.map((row) => `${row.map(textCell).join(',')}\r\n`).join('');

function textFiles(head: ExportHead): (PackedFile & { readonly text: string })[] {
  const csv = { mediaType: 'text/csv' };
  const json = { mediaType: 'application/json' };
  const said = (marks: ExportHead['notes']) => [
    ['time_utc', 'source', 'text', 'place'],
    ...marks.map(({ timeMs, sourceId, text, place }) => [instant(timeMs), sourceId, text, place]),
  ];
  const gaps = head.gaps.map(({ sourceId, fromMs, toMs, cause }) => [sourceId, instant(fromMs), instant(toMs), cause]);
  return [
    {
      name: 'gaps.csv',
      description: 'Intervals without readings, with their causes',
      ...csv,
      text: table([['source', 'from_utc', 'to_utc', 'cause'], ...gaps]),
    },
    { name: 'notes.csv', description: 'What the operators wrote', ...csv, text: table(said(head.notes)) },
    {
      name: 'events.csv',
      description: 'What event logs said, such as shutters and recipe steps',
      ...csv,
      text: table(said(head.events)),
    },
    {
      name: 'rheed-sessions.json',
      description: 'RHEED sessions of the growth',
      ...json,
      text: JSON.stringify(head.sessions, null, 1),
    },
    {
      name: 'receipts.json',
      description: 'What became of each stream, number by number',
      ...json,
      text: JSON.stringify(head.receipts, null, 1),
    },
    {
      name: 'epistream-export.json',
      description: 'Growth, series, units and gaps for programs',
      ...json,
      text: JSON.stringify(headDocument(head), null, 1),
    },
    ...(head.settings === null ? [] : [{ ...SETTINGS, text: head.settings }]),
  ];
}

async function crateOf(head: ExportHead, folder: string, files: readonly PackedFile[]) {
  const described = [];
  for (const { name, description, mediaType } of files) {
    const path = join(folder, name);
    const [{ size }, sha256] = [await stat(path), await hashOf(path)];
    described.push({
      '@id': name,
      '@type': 'File',
      name,
      description,
      encodingFormat: mediaType,
      contentSize: String(size),
      sha256,
    });
  }
  const id = 'ro-crate-metadata.json';
  return {
    '@context': ['https://w3id.org/ro/crate/1.2/context', { sha256: 'https://w3id.org/ro/terms/workflow-run#sha256' }],
    '@graph': [
      {
        '@id': id,
        '@type': 'CreativeWork',
        about: { '@id': './' },
        conformsTo: { '@id': 'https://w3id.org/ro/crate/1.2' },
      },
      {
        '@id': './',
        '@type': 'Dataset',
        name: head.title,
        description: `Readings from ${instant(head.fromMs)} to ${instant(head.toMs)}, captured by Epistream ${head.version}`,
        datePublished: instant(head.madeMs),
        temporalCoverage: `${instant(head.fromMs)}/${instant(head.toMs)}`,
        license: 'No licence was chosen; ask who captured it.',
        ...(head.growth ? { identifier: head.growth.id } : {}),
        hasPart: files.map(({ name }) => ({ '@id': name })),
      },
      ...described,
    ],
  };
}
