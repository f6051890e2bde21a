// A file of the service while it comes in: bounded in size, and compared with the size and the digest that the service names.
import { createHash } from 'node:crypto';

/** Most that a file may have, unless less is asked for. */
const SIZE_MAX_BYTES = 16 * 1024 ** 3;

export interface IncomingFile {
  /** The name as the service gave it: text from outside. */
  readonly originalName: string;
  /** null: the service does not say. */
  readonly sizeBytes: number | null;
  /** The bytes. It throws, before its last part, when the file is not the one that the service named. */
  readonly body: AsyncIterable<Buffer>;
}

export interface FileOptions {
  readonly signal?: AbortSignal | undefined;
  /** Most that is taken, bytes; default 16 GiB. */
  readonly maxBytes?: number | undefined;
}

/** The body is larger than what may be taken. */
export class BodyTooLarge extends Error {}

/** The body is another one than the service named. */
export class BodyDiffers extends Error {}

/**
 * Check a body while it passes.
 *
 * @param body - the body as it comes in.
 * @param named - its size in bytes and its SHA-256 in base64, as the service names them; null: it does not.
 * @param maxBytes - most that is taken.
 * @returns the same bytes, each part once the next one has come, so that a wrong file is never complete.
 * @throws those of the body, BodyTooLarge, BodyDiffers.
 */
export async function* checkBody(
  body: AsyncIterable<Buffer>,
  named: { readonly sizeBytes: number | null; readonly sha256: string | null },
  maxBytes = SIZE_MAX_BYTES,
): AsyncGenerator<Buffer> {
  const size = named.sizeBytes ?? 0;
  if (size > maxBytes) throw new BodyTooLarge(`${size} bytes`);
  const hash = createHash('sha256');
  let receivedBytes = 0;
  let last: Buffer | null = null;
  for await (const part of body) {
    if (last) yield last;
    last = part;
    hash.update(part);
    receivedBytes += part.length;
    if (receivedBytes > maxBytes) throw new BodyTooLarge(`more than ${maxBytes} bytes`);
  }
  if (named.sizeBytes !== null && receivedBytes !== named.sizeBytes) {
    throw new BodyDiffers(`it has ${receivedBytes} bytes instead of ${named.sizeBytes}`);
  }
  if (named.sha256 !== null && hash.digest('base64') !== named.sha256)
    throw new BodyDiffers('its SHA-256 is another one');
  if (last) yield last;
}

/** Read a file into memory; only for what is bounded by `maxBytes`. */
export async function readWhole({ body }: Pick<IncomingFile, 'body'>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts);
}
