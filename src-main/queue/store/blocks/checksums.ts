// What lies on disk carries a checksum of its own, over the bytes and over where they belong.
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Checksum of a sealed chunk: SHA-256 over its stream, index, channel ids and packed bytes. */
export function chunkChecksum(streamId: number, index: number, channels: string, data: Uint8Array): Buffer {
  return createHash('sha256').update(`${streamId}\n${index}\n${channels}\n`).update(data).digest();
}

/** Checksum of open readings: CRC-32 over their lane and packed bytes. */
export function openReadingsChecksum(laneId: number, data: Uint8Array): number {
  return crc32(data, crc32(`${laneId}\n`));
}
