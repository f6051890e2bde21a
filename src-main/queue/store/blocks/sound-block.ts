// What lies packed in the row of a sealed chunk, as long as it is what was sealed. How many rows it has stands twice: packed,
// under the checksum, and beside it, for the sums. Where the two differ, the one beside was altered.

import { type Block, unpack } from '../../../platform/point-block.ts';
import { chunkChecksum } from './checksums.ts';

/** The columns of a chunk that this needs. */
export interface SealedRow {
  readonly stream: number;
  readonly chunk_index: number;
  /** These three as the file has them: one bit makes text of bytes. */
  readonly channels: unknown;
  readonly sha256: unknown;
  readonly data: unknown;
}

/**
 * Unpack a sealed chunk.
 *
 * @param sealedRow - its row.
 * @returns its points; null when the disk altered its bytes or where they belong. `rows` of the block counts, whatever stands
 *   beside it.
 */
export function soundBlock({ stream, chunk_index: index, channels, sha256, data }: SealedRow): Block | null {
  if (!(data instanceof Uint8Array) || !(sha256 instanceof Uint8Array) || typeof channels !== 'string') return null;
  return chunkChecksum(stream, index, channels, data).equals(sha256) ? unpack(data) : null;
}
