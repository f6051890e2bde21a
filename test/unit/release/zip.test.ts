// The zip archive, read back by its central directory as programs do, and the same bytes whenever it is made.
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { writeZip } from '../../../resources/scripts/release/zip.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const NOON = Date.UTC(2026, 0, 2, 12, 34, 56) / 1000;

/** Follows the format from its end: directory, then each file by its offset. */
function readZip(file: string): { name: string; bytes: Buffer; date: number; time: number }[] {
  const zip = readFileSync(file);
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  let at = zip.readUInt32LE(end + 16);
  expect(at + zip.readUInt32LE(end + 12)).toBe(end);
  return Array.from({ length: zip.readUInt16LE(end + 10) }, () => {
    const [crc, packed, size] = [16, 20, 24].map((field) => zip.readUInt32LE(at + field)) as [number, number, number];
    const nameLength = zip.readUInt16LE(at + 28);
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    const local = zip.readUInt32LE(at + 42);
    expect(zip.readUInt32LE(local)).toBe(0x04034b50);
    expect(zip.toString('utf8', local + 30, local + 30 + nameLength)).toBe(name);
    const bytes = inflateRawSync(zip.subarray(local + 30 + nameLength, local + 30 + nameLength + packed));
    expect([bytes.length, crc32(bytes)]).toEqual([size, crc]);
    const [time, date] = [zip.readUInt16LE(at + 12), zip.readUInt16LE(at + 14)];
    at += 46 + nameLength;
    return { name, bytes, date, time };
  });
}

function plant(files: Readonly<Record<string, string>>): string {
  const folder = tempFolder('zip');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

test('holds every file under its folder, whole, with its time, in order', async () => {
  const text = 'the same line\n'.repeat(5000);
  const folder = plant({ 'b/größe.txt': text, 'a.txt': 'a', empty: '' });
  const file = join(tempFolder('zip'), 'x.zip');
  await writeZip(folder, 'top', file, NOON);
  const entries = readZip(file);
  expect(entries.map(({ name }) => name)).toEqual(['top/a.txt', 'top/b/größe.txt', 'top/empty']);
  expect(entries.map(({ bytes }) => bytes.toString())).toEqual(['a', text, '']);
  for (const { date, time } of entries) {
    expect([(date >> 9) + 1980, (date >> 5) & 15, date & 31]).toEqual([2026, 1, 2]);
    expect([time >> 11, (time >> 5) & 63, (time & 31) * 2]).toEqual([12, 34, 56]);
  }
});

test('the same files give the same bytes, whenever and in whatever order they were written', async () => {
  const files = { 'z.js': 'z', 'a.js': 'a', 'm/n.js': 'n' };
  const [one, two] = [plant(files), plant(Object.fromEntries(Object.entries(files).reverse()))];
  utimesSync(join(two, 'z.js'), 1, 1);
  const out = tempFolder('zip');
  await writeZip(one, 'p', join(out, '1.zip'), NOON);
  await writeZip(two, 'p', join(out, '2.zip'), NOON);
  expect(readFileSync(join(out, '2.zip')).equals(readFileSync(join(out, '1.zip')))).toBe(true);
});
