// Rotated logs that gzip compressed, shown as what they hold: then a log that was compressed before its rest was read is found by
// its content and read on, like one that was renamed.
//
// Bounds: 64 MiB of content; what holds more, or is no whole gzip file, is shown as it is. One that is younger than a minute and
// not whole is still being written: it is not there as long as the file that it is made from is, and else it is held. The content
// that was unpacked last is kept while there is memory for it.
// Invariants: only names that a rotation gives are unpacked, so any other archive is what it is; a size is that of the content
// that was unpacked, never what the file says of itself (it may be of several members, or padded).
import { gunzipSync } from 'node:zlib';
import type { FileFacts, Files, OpenFile } from '../../../platform/files.ts';
import { readRange } from '../../../platform/read-range.ts';
import { isGzip, withoutGzip } from './packed.ts';
import { formerPaths } from './rotated-names.ts';

const CONTENT_MAX = 64 * 1024 * 1024;
/** A gzip file that is not whole is being written as long as it changed within this time, milliseconds. */
const WRITTEN_MS = 60_000;
/** Sizes known at most: each file is looked at again and again, and unpacked again where its size is not known any more. */
const SIZES_MAX = 100_000;
/** The shortest gzip file: head, an empty block, check and size. */
const GZIP_BYTES_MIN = 20;

/** What is known of one packed file: its content, or that it is shown as it is. */
type Content = Uint8Array | 'as it is';

/**
 * Show rotated logs that were compressed with gzip as what they hold.
 *
 * @param files - the file system.
 * @param nowMs - the wall clock.
 * @returns the same, with the sizes and bytes of their contents. One that is still being written fails with ENOENT or EBUSY.
 */
export function unpackedFiles(files: Files, nowMs: () => number): Files {
  /** Bytes of content, by object; null: it is shown as it is. */
  const sizes = new Map<string, number | null>();
  let last: { readonly key: string; readonly content: WeakRef<Uint8Array> } | null = null;

  const keep = (key: string, bytes: number | null) => {
    sizes.delete(key);
    sizes.set(key, bytes);
    const [oldest] = sizes.keys();
    if (sizes.size > SIZES_MAX && oldest !== undefined) sizes.delete(oldest);
  };

  const contentOf = (handle: OpenFile, facts: FileFacts, key: string): Content => {
    const known = last?.key === key ? last.content.deref() : undefined;
    if (known !== undefined) return known;
    if (sizes.get(key) === null) return 'as it is';
    try {
      const content = isGzipFile(handle, facts)
        ? gunzipSync(readRange(handle, 0, facts.sizeBytes), { maxOutputLength: CONTENT_MAX })
        : null;
      keep(key, content?.length ?? null);
      if (content === null) return 'as it is';
      last = { key, content: new WeakRef(content) };
      return content;
    } catch (cause) {
      if (!isDamaged(cause)) throw cause;
      if (isYoung(facts) && !isTooLarge(cause))
        throw Object.assign(new Error('not whole', { cause }), { code: 'EBUSY' });
      keep(key, null);
      return 'as it is';
    }
  };

  const isYoung = ({ modifiedMs }: FileFacts) => Math.abs(nowMs() - modifiedMs) < WRITTEN_MS;

  /** Open a packed log for a moment or longer; while it is not whole, the file that it is made from is the log. */
  const openPacked = <T>(path: string, use: (handle: OpenFile, facts: FileFacts) => T): T => {
    const handle = files.open(path);
    try {
      return use(handle, handle.facts());
    } catch (thrown) {
      handle.close();
      const isNotWhole = (thrown as { code?: string }).code === 'EBUSY';
      if (isNotWhole && isThere(files, withoutGzip(path))) throw Object.assign(thrown as Error, { code: 'ENOENT' });
      throw thrown;
    }
  };

  return {
    isWatchable: files.isWatchable,
    list: (folder) => files.list(folder),
    realPath: (path) => files.realPath(path),
    facts: (path) => {
      const facts = files.facts(path);
      if (facts.kind !== 'file' || !isPackedLog(path)) return facts;
      const known = sizes.get(keyOf(path, facts));
      if (known !== undefined) return { ...facts, sizeBytes: known ?? facts.sizeBytes };
      return openPacked(path, (handle, own) => {
        const content = contentOf(handle, own, keyOf(path, own));
        handle.close();
        return content === 'as it is' ? own : { ...own, sizeBytes: content.length };
      });
    },
    open: (path) => {
      if (!isPackedLog(path)) return files.open(path);
      return openPacked(path, (handle, own) => {
        const content = contentOf(handle, own, keyOf(path, own));
        return content === 'as it is' ? handle : contentHandle(handle, content);
      });
    },
  };
}

function isThere(files: Files, path: string): boolean {
  try {
    files.facts(path);
    return true;
  } catch {
    return false;
  }
}

/** True for the name of a log that was rotated and compressed. */
function isPackedLog(path: string): boolean {
  return isGzip(path) && formerPaths(path).length > 0;
}

/** Which object it is, as it is now. Where the file system numbers nothing, its path tells. */
function keyOf(path: string, { id, sizeBytes, modifiedMs }: FileFacts): string {
  return `${id || path} ${sizeBytes} ${modifiedMs}`;
}

function isTooLarge(thrown: unknown): boolean {
  return (thrown as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE';
}

/** True for what unpacking fails with; false: the file could not be read. */
function isDamaged(thrown: unknown): boolean {
  return isTooLarge(thrown) || ((thrown as { code?: string }).code ?? '').startsWith('Z_');
}

function isGzipFile(handle: OpenFile, { sizeBytes }: FileFacts): boolean {
  if (sizeBytes < GZIP_BYTES_MIN || sizeBytes > CONTENT_MAX) return false;
  const head = readRange(handle, 0, 2);
  return head[0] === 0x1f && head[1] === 0x8b;
}

/** The content of a file that stays open as long as it is read: so it stays the same object. */
function contentHandle(handle: OpenFile, content: Uint8Array): OpenFile {
  return {
    facts: () => ({ ...handle.facts(), sizeBytes: content.length }),
    read: (into, offset, length, position) => {
      const some = content.subarray(position, position + length);
      into.set(some, offset);
      return { bytesRead: some.length };
    },
    close: () => handle.close(),
  };
}
