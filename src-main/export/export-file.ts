// Exports into a file, in the form that is asked for.
import { makeByPart, writeByCopy, writePieces } from './part-file.ts';
import type { PointSource } from './points.ts';
import { type WideCsvOptions, wideCsv } from './wide-csv.ts';

/** The forms, each with what it is. */
export const EXPORT_FORMATS = {
  csv: 'wide CSV: a row for each instant, a column for each channel',
  parquet: 'Parquet: a row for each point',
  nexus: 'HDF5 in the classes of NeXus',
  package: 'zip with series, gaps, notes, events and receipts, described as an RO-Crate',
} as const;
export type ExportFormat = keyof typeof EXPORT_FORMATS;

export interface ExportOptions {
  readonly format: ExportFormat;
  readonly csv: WideCsvOptions;
  /** Ends the export; no file is left. */
  readonly signal: AbortSignal;
  /** Told after each window: the part of the time that is done, 0 to 1. */
  readonly onProgress: (done: number) => void;
}

export interface Exported {
  readonly rows: number;
  readonly points: number;
  readonly damagedPoints: number;
  readonly pointsGone: number;
}

/**
 * Export into a new file.
 *
 * @param source - what is exported.
 * @param path - the file; it must not exist.
 * @param options - form, how to end it, and who hears how far it is.
 * @returns what was written.
 * @throws `file.exists`, `export.under-way`, `export.not-whole`; the reason of the signal; those of the queue and of the file
 *   system. Nothing is left behind then.
 */
export async function exportFile(source: PointSource, path: string, options: ExportOptions): Promise<Exported> {
  const watched = watch(source, options);
  const written = { rows: 0, points: 0 };
  await makeByPart(path, (part) => WRITERS[options.format](watched, part, options, written));
  return { ...written, damagedPoints: source.damagedPoints(), pointsGone: source.head.pointsGone };
}

type Writer = (
  source: PointSource,
  part: string,
  options: ExportOptions,
  written: { rows: number; points: number },
) => Promise<void>;

const WRITERS: Readonly<Record<ExportFormat, Writer>> = {
  csv: (source, part, { csv }, written) => writePieces(part, wideCsv(source, csv, written)),
  // Loaded when they are needed: a command that writes CSV does not wait for them.
  parquet: async (source, part, _, written) => (await import('./parquet.ts')).writeParquet(source, part, written),
  nexus: async (source, part, _, written) => {
    const { writeNexus } = await import('./nexus.ts');
    await writeByCopy(part, (local) => writeNexus(source, local, written));
  },
  package: async (source, part, { csv }, written) =>
    (await import('./growth-package.ts')).writePackage(source, part, csv, written),
};

/** The same points; each window looks whether the export was ended, and tells how far it is. */
function watch(source: PointSource, { signal, onProgress }: ExportOptions): PointSource {
  const { fromMs, toMs } = source.head;
  async function* windows() {
    signal.throwIfAborted();
    for await (const window of source.windows()) {
      yield window;
      signal.throwIfAborted();
      onProgress((window.toMs - fromMs) / (toMs - fromMs));
    }
  }
  return { ...source, windows };
}
