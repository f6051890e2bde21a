// A zip archive that is the same whenever it is made: files sorted by name, one time, no rights, no owner.
// Source: PKWARE APPNOTE 6.3.10, sections 4.3.7 (local header), 4.3.12 (central directory), 4.3.16 (its end), 4.4.6 (time).
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { deflateAsync } from '@gfx/zopfli';
import { filesBelow } from './files-below.ts';

const VERSION_NEEDED = 20;
const NAME_IS_UTF8 = 0x0800;
const DEFLATED = 8;
/** Beyond these the format needs its 64-bit fields, which are not written here. */
const BYTES_MAX = 0xffff_ffff;
const FILES_MAX = 0xffff;

/**
 * Zopfli packs programs 4 % smaller than zlib's best level, which is what the archive's bound leaves. More rounds and the search
 * for better block borders give another 0.6 % for several times the minute that `node.exe` takes.
 */
const ZOPFLI = { numiterations: 1, blocksplitting: false };

/** Date and time as MS-DOS has them, read as UTC: years from 1980 on, steps of 2 s. */
function dosTime(epochS: number): { time: number; date: number } {
  const at = new Date(epochS * 1000);
  return {
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
    date: ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
  };
}

/** The fields that local header and central directory share, 26 bytes. */
function commonFields(bytes: Uint8Array, packed: Uint8Array, name: Uint8Array, epochS: number): Buffer {
  const fields = Buffer.alloc(26);
  const { time, date } = dosTime(epochS);
  for (const [at, value] of [VERSION_NEEDED, NAME_IS_UTF8, DEFLATED, time, date].entries())
    fields.writeUInt16LE(value, 2 * at);
  for (const [at, value] of [crc32(bytes), packed.length, bytes.length].entries())
    fields.writeUInt32LE(value, 10 + 4 * at);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}

const signed = (signature: number, length: number): Buffer => {
  const buffer = Buffer.alloc(length);
  buffer.writeUInt32LE(signature);
  return buffer;
};

/**
 * Write a folder's files into a zip archive.
 *
 * @param prefix the folder in the archive under which they stand.
 * @param epochS the time that every file gets, seconds since 1970, UTC.
 * @throws Error when the archive would need the 64-bit form (4 GB, 65,535 files).
 */
export async function writeZip(folder: string, prefix: string, file: string, epochS: number): Promise<void> {
  const target = openSync(file, 'w');
  try {
    const central: Buffer[] = [];
    let offset = 0;
    const put = (part: Uint8Array) => {
      writeFileSync(target, part);
      offset += part.length;
    };
    const paths = filesBelow(folder);
    for (const path of paths) {
      const bytes = readFileSync(join(folder, path));
      const packed = await deflateAsync(bytes, ZOPFLI);
      const name = Buffer.from(`${prefix}/${path}`);
      const fields = commonFields(bytes, packed, name, epochS);
      const entry = Buffer.concat([signed(0x02014b50, 6), fields, Buffer.alloc(14)]);
      entry.writeUInt16LE(VERSION_NEEDED, 4);
      entry.writeUInt32LE(offset, 42);
      central.push(entry, name);
      for (const part of [signed(0x04034b50, 4), fields, name, packed]) put(part);
    }
    const directory = Buffer.concat(central);
    const end = signed(0x06054b50, 22);
    end.writeUInt16LE(paths.length, 8);
    end.writeUInt16LE(paths.length, 10);
    end.writeUInt32LE(directory.length, 12);
    end.writeUInt32LE(offset, 16);
    if (paths.length > FILES_MAX || offset + directory.length > BYTES_MAX)
      throw new Error(`${file} would be too large for a zip archive without 64-bit fields.`);
    put(directory);
    put(end);
  } finally {
    closeSync(target);
  }
}
