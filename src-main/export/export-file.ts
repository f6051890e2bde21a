// Exports into a file, in the form that is asked for.
import { basename } from 'node:path';
import type { ExportFormat } from '../model/export.ts';
import type { Exported } from './job.ts';
import { archiveBeside, makeByPart, writeByCopy, writePieces } from './part-file.ts';
import type { PointSource } from './points.ts';
import { type WideCsvOptions, wideCsv } from './wide-csv.ts';

export interface ExportOptions {
  readonly format: ExportFormat;
  readonly csv: WideCsvOptions;
  /** Ends the export; no file is left. */
  readonly signal: AbortSignal;
  /** Told after each window: the part of the time that is done, 0 to 1. */
  readonly onProgress: (done: number) => void;
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
  await WRITERS[options.format](watched, path, options, written);
  const { title, series, pointsGone } = source.head;
  return { title, channels: series.length, ...written, damagedPoints: source.damagedPoints(), pointsGone };
}

type Writer = (
  source: PointSource,
  path: string,
  options: ExportOptions,
  written: { rows: number; points: number },
) => Promise<void>;

const WRITERS: Readonly<Record<ExportFormat, Writer>> = {
  csv: (source, path, { csv }, written) => makeByPart(path, (part) => writePieces(part, wideCsv(source, csv, written))),
  // Loaded when they are needed: a command that writes CSV does not wait for them.
  parquet: async (source, path, _, written) => {
    const { writeParquet } = await import('./parquet.ts');
    await makeByPart(path, (part) => writeParquet(source, part, written));
  },
  nexus: async (source, path, _, written) => {
    const { writeNexus } = await import('./nexus.ts');
    await makeByPart(path, (part) => writeByCopy(part, (local) => writeNexus(source, local, written)));
  },
  'nomad-mbe': (...given) => writeForNomad('nomad-mbe', ...given),
  'nomad-sputter': (...given) => writeForNomad('nomad-sputter', ...given),
  package: async (source, path, { csv }, written) => {
    const { writePackage } = await import('./growth-package.ts');
    await makeByPart(path, (part) => writePackage(source, part, csv, written));
  },
};

/** The archive is made of the HDF5 while that is on the local disk, and gets its name after it. */
async function writeForNomad(
  format: 'nomad-mbe' | 'nomad-sputter',
  ...[source, path, _, written]: Parameters<Writer>
): Promise<void> {
  const [{ writeNexus }, { NOMAD_CLASSES, nomadArchive }] = [await import('./nexus.ts'), await import('./nomad.ts')];
  const { head } = source;
  await makeByPart(archiveBeside(path), (archive) =>
    makeByPart(path, (part) =>
      writeByCopy(part, async (local) => {
        await writeNexus(source, local, written);
        await writePieces(archive, nomadArchive(head, NOMAD_CLASSES[format], local, basename(path)));
      }),
    ),
  );
}

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
