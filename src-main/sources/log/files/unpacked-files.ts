// Rotated logs that gzip compressed, shown as what they hold: then a log that was compressed before its rest was read is found by
// its content and read on, like one that was renamed.
//
// Bounds: 64 MiB of content; what holds more, or is no whole gzip file, is shown as it is. One that is younger than a minute and
// not whole is still being written: it is not there as long as the file that it is made from is, and else it is held. The content
// that was unpacked last is kept while there is memory for it.
// Invariant: only names that a rotation gives are unpacked, so any other archive is what it is.
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FileFacts, Files, OpenFile } from '../../../platform/files.ts';
import { readRange } from '../../../platform/read-range.ts';
import { formerPaths } from './heirs.ts';
import { isGzip, withoutGzip } from './packed.ts';

const CONTENT_MAX = 64 * 1024 * 1024;
/** A gzip file that is not whole is being written as long as it changed within this time, milliseconds. */
const WRITTEN_MS = 60_000;
/** Sizes known at most: the files beside a log are looked at again and again. */
const SIZES_MAX = 1000;
/** The shortest gzip file: head, an empty block, check and size. */
const GZIP_BYTES_MIN = 20;

const unpack = promisify(gunzip);

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
  const sizes = new Map<string, number>();
  let last: { readonly key: string; readonly content: WeakRef<Uint8Array> } | null = null;

  const keep = (key: string, bytes: number) => {
    sizes.delete(key);
    sizes.set(key, bytes);
    const [oldest] = sizes.keys();
    if (sizes.size > SIZES_MAX && oldest !== undefined) sizes.delete(oldest);
    return bytes;
  };

  const contentOf = async (handle: OpenFile, facts: FileFacts): Promise<Content> => {
    const key = keyOf(facts);
    const known = last?.key === key ? last.content.deref() : undefined;
    if (known !== undefined) return known;
    if ((await statedBytes(handle, facts)) === null) return 'as it is';
    try {
      const content = await unpack(await readRange(handle, 0, facts.sizeBytes), { maxOutputLength: CONTENT_MAX });
      last = { key, content: new WeakRef(content) };
      keep(key, content.length);
      return content;
    } catch (cause) {
      if (isYoung(facts) && !isTooLarge(cause))
        throw Object.assign(new Error('not whole', { cause }), { code: 'EBUSY' });
      keep(key, facts.sizeBytes);
      return 'as it is';
    }
  };

  const isYoung = ({ modifiedMs }: FileFacts) => Math.abs(nowMs() - modifiedMs) < WRITTEN_MS;

  /** Open a packed log for a moment or longer; while it is not whole, the file that it is made from is the log. */
  const openPacked = async <T>(path: string, use: (handle: OpenFile, facts: FileFacts) => Promise<T>): Promise<T> => {
    const handle = await files.open(path);
    try {
      return await use(handle, await handle.facts());
    } catch (thrown) {
      await handle.close();
      const isNotWhole = (thrown as { code?: string }).code === 'EBUSY';
      if (isNotWhole && (await isThere(files, withoutGzip(path))))
        throw Object.assign(thrown as Error, { code: 'ENOENT' });
      throw thrown;
    }
  };

  return {
    isWatchable: files.isWatchable,
    list: (folder) => files.list(folder),
    realPath: (path) => files.realPath(path),
    facts: async (path) => {
      const facts = await files.facts(path);
      if (facts.kind !== 'file' || !isPackedLog(path)) return facts;
      const known = sizes.get(keyOf(facts));
      if (known !== undefined) return { ...facts, sizeBytes: known };
      return openPacked(path, async (handle, own) => {
        const content = isYoung(own) ? await contentOf(handle, own) : 'as it is';
        const stated = content === 'as it is' ? await statedBytes(handle, own) : content.length;
        await handle.close();
        return { ...own, sizeBytes: keep(keyOf(own), stated ?? own.sizeBytes) };
      });
    },
    open: (path) => {
      if (!isPackedLog(path)) return files.open(path);
      return openPacked(path, async (handle, own) => {
        const content = await contentOf(handle, own);
        return content === 'as it is' ? handle : contentHandle(handle, content);
      });
    },
  };
}

async function isThere(files: Files, path: string): Promise<boolean> {
  return files.facts(path).then(
    () => true,
    () => false,
  );
}

/** True for the name of a log that was rotated and compressed. */
function isPackedLog(path: string): boolean {
  return isGzip(path) && formerPaths(path).length > 0;
}

function keyOf({ id, sizeBytes, modifiedMs }: FileFacts): string {
  return `${id} ${sizeBytes} ${modifiedMs}`;
}

function isTooLarge(thrown: unknown): boolean {
  return (thrown as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE';
}

/** How many bytes a gzip file says, at its end, that it holds (RFC 1952: modulo 2^32, of its last member); null: it is none. */
async function statedBytes(handle: OpenFile, { sizeBytes }: FileFacts): Promise<number | null> {
  if (sizeBytes < GZIP_BYTES_MIN || sizeBytes > CONTENT_MAX) return null;
  const [head, end] = [await readRange(handle, 0, 2), await readRange(handle, sizeBytes - 4, 4)];
  if (head[0] !== 0x1f || head[1] !== 0x8b || end.length < 4) return null;
  return new DataView(end.buffer, end.byteOffset, 4).getUint32(0, true);
}

/** The content of a file that stays open as long as it is read: so it stays the same object. */
function contentHandle(handle: OpenFile, content: Uint8Array): OpenFile {
  return {
    facts: async () => ({ ...(await handle.facts()), sizeBytes: content.length }),
    read: async (into, offset, length, position) => {
      const some = content.subarray(position, position + length);
      into.set(some, offset);
      return { bytesRead: some.length };
    },
    close: () => handle.close(),
  };
}
