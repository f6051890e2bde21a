// 4.9: raw files, in three ways. A stream has no file; its raw data are its points as CSV.
import { createReadStream, statSync } from 'node:fs';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { notFound, Problem } from '../requests/problem.ts';
import type { LinkMode, LinkSigner } from '../requests/signed-link.ts';
import { textStream } from '../requests/text-stream.ts';
import { streamCsv } from '../storage/stream-csv.ts';
import type { Handlers } from './handlers.ts';
import type { ServiceParts } from './service-parts.ts';

interface FileRow {
  file_uuid: string;
  entry_id: number;
  file_name: string;
  size_bytes: number;
}

/** Types that a browser shows by itself and that cannot run anything. All else is saved. */
const shown: Record<string, string> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.csv': 'text/csv; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.json': 'application/json',
  '.pdf': 'application/pdf',
};

/** Longest name in a header, characters; readers of HTTP refuse headers above 16 kB. */
const HEADER_NAME_MAX = 255;

/** Keep the beginning and the extension of a name that is too long for a header. */
function shorten(fileName: string): string {
  const characters = [...fileName];
  if (characters.length <= HEADER_NAME_MAX) return fileName;
  const extension = [...extname(fileName)].slice(0, 20);
  return [...characters.slice(0, HEADER_NAME_MAX - extension.length), ...extension].join('');
}

/** RFC 6266: a name in ASCII for old readers, the real one beside it. */
function disposition(kind: 'inline' | 'attachment', name: string): string {
  const fileName = shorten(name);
  const ascii = fileName.replace(/[^\x20-\x7e]|["\\]/g, '_');
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(fileName).replace(/['()*]/g, escape)}`;
}

export interface RawData extends Pick<Handlers, 'readRawData'> {
  /** Answer a signed link. */
  open(fileUuid: string, query: URLSearchParams): Response;
}

/** Serve raw files. */
export function serveRawData(
  { db, write, own, accesses, files, nowMs, origin }: ServiceParts,
  signer: LinkSigner,
): RawData {
  const findFile = db.prepare<[string, number], FileRow>(
    `SELECT f.file_uuid, f.entry_id, f.file_name, f.size_bytes FROM file f JOIN entry e ON e.id = f.entry_id
     WHERE f.file_uuid = ? AND e.organization_id = ?`,
  );
  const anyFile = db.prepare<[string], FileRow>(
    'SELECT file_uuid, entry_id, file_name, size_bytes FROM file WHERE file_uuid = ?',
  );
  const findStream = db.prepare<[string], { entry_id: number; raw_name: string }>(
    'SELECT s.entry_id, e.raw_name FROM entry e JOIN stream s ON s.entry_id = e.id WHERE e.data_id = ?',
  );

  const fail = db.prepare(`UPDATE entry SET pipeline_status = 'error' WHERE id = ?`);

  /** Where a file's bytes lie, all of them; an entry whose file is missing or cut is called faulty. */
  function pathOf({ file_uuid, entry_id, file_name, size_bytes }: FileRow): string {
    const path = files.pathOf(file_uuid);
    const sizeBytes = statSync(path, { throwIfNoEntry: false })?.size ?? null;
    if (sizeBytes === size_bytes) return path;
    void write(() => fail.run(entry_id)).catch(() => undefined);
    const state = sizeBytes === null ? 'is missing' : `has ${sizeBytes} bytes instead of ${size_bytes}`;
    throw new Error(`the raw file ${JSON.stringify(file_name)} (${path}) ${state}`);
  }

  /** The bytes under a name; `file` null: the points of a stream. */
  function send(
    file: FileRow | null,
    stream: { entry_id: number; raw_name: string } | undefined,
    mode: LinkMode,
  ): Response {
    const fileName = file?.file_name ?? csvName(stream?.raw_name ?? '');
    const path = file && pathOf(file);
    accesses.note(file?.entry_id ?? stream?.entry_id ?? 0);
    const type = shown[extname(fileName).toLowerCase()];
    const headers = new Headers({
      'Content-Type': type ?? 'application/octet-stream',
      'Content-Disposition': disposition(mode === 'url-embed' && type ? 'inline' : 'attachment', fileName),
      'Content-Security-Policy': "default-src 'none'; sandbox",
    });
    if (!file || !path) return new Response(textStream(streamCsv(db, stream?.entry_id ?? 0)), { headers });
    headers.set('Content-Length', String(file.size_bytes));
    return new Response(Readable.toWeb(createReadStream(path)) as ReadableStream, { headers });
  }

  const csvName = (name: string) => (name.toLowerCase().endsWith('.csv') ? name : `${name}.csv`);

  return {
    readRawData({ data_id, return_as }, caller) {
      // A frame of a video has no entry of its own: its UUID names its file.
      const file = findFile.get(data_id, caller.organizationId) ?? null;
      if (!file) own.entry(data_id, caller);
      const stream = file ? undefined : findStream.get(data_id);
      if (!file && !stream) throw notFound('raw file for the data entry', data_id);
      if (return_as === 'bytes') return send(file, stream, 'url-download');
      const fileName = file?.file_name ?? csvName(stream?.raw_name ?? '');
      return {
        url: origin() + signer.sign(data_id, return_as, nowMs()),
        file_name: fileName,
        file_format: extname(fileName).slice(1),
      };
    },

    open(fileUuid, query) {
      const mode = signer.check(fileUuid, query, nowMs());
      const file = anyFile.get(fileUuid) ?? null;
      const stream = file ? undefined : findStream.get(fileUuid);
      if (mode === null || (!file && !stream)) throw new Problem(403, 'This link was not signed here, or has expired.');
      return send(file, stream, mode);
    },
  };
}
