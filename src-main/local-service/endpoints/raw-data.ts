// 4.9: raw files, in three ways. A stream has no file; its raw data are its points as CSV.
import { extname } from 'node:path';
import { notFound, Problem } from '../requests/problem.ts';
import type { LinkMode, LinkSigner } from '../requests/signed-link.ts';
import { textStream } from '../requests/text-stream.ts';
import type { RawFile } from '../storage/files.ts';
import { streamCsv } from '../storage/stream-csv.ts';
import type { Handlers } from './handlers.ts';
import type { ServiceParts } from './service-parts.ts';

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
  open(fileUuid: string, query: URLSearchParams): Promise<Response>;
}

const csvName = (name: string) => (name.toLowerCase().endsWith('.csv') ? name : `${name}.csv`);

const nameOf = (raw: RawFile) => (raw.kind === 'file' ? raw.name : csvName(raw.name));

/** Serve raw files. */
export function serveRawData({ storage, nowMs, origin }: ServiceParts, signer: LinkSigner): RawData {
  const { catalogue, points, files, accesses } = storage;

  /** A file's bytes; an entry whose file is missing or cut is called faulty. */
  async function bytesOf(file: Extract<RawFile, { kind: 'file' }>): Promise<ReadableStream> {
    try {
      return ReadableStream.from(await files.read(file));
    } catch (fault) {
      if (!(fault instanceof Problem)) void catalogue.fail(file.entryId).catch(() => undefined);
      throw fault;
    }
  }

  async function send(raw: RawFile, mode: LinkMode): Promise<Response> {
    const fileName = nameOf(raw);
    const body = raw.kind === 'file' ? await bytesOf(raw) : textStream(streamCsv(points, raw.entryId));
    accesses.note(raw.entryId);
    const type = shown[extname(fileName).toLowerCase()];
    const headers = new Headers({
      'Content-Type': type ?? 'application/octet-stream',
      'Content-Disposition': disposition(mode === 'url-embed' && type ? 'inline' : 'attachment', fileName),
      'Content-Security-Policy': "default-src 'none'; sandbox",
    });
    if (raw.kind === 'file') headers.set('Content-Length', String(raw.sizeBytes));
    return new Response(body, { headers });
  }

  return {
    async readRawData({ data_id, return_as }, caller) {
      // A frame of a video has no entry of its own: its UUID names its file.
      const raw = await files.find(data_id, caller);
      if (raw === null) {
        await catalogue.find(data_id, caller);
        throw notFound('raw file for the data entry', data_id);
      }
      if (return_as === 'bytes') return send(raw, 'url-download');
      const fileName = nameOf(raw);
      return {
        url: origin() + signer.sign(data_id, return_as, nowMs()),
        file_name: fileName,
        file_format: extname(fileName).slice(1),
      };
    },

    async open(fileUuid, query) {
      const mode = signer.check(fileUuid, query, nowMs());
      const raw = mode === null ? null : await files.find(fileUuid, null);
      if (mode === null || raw === null) throw new Problem(403, 'This link was not signed here, or has expired.');
      return send(raw, mode);
    },
  };
}
