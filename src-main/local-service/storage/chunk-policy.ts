/**
 * What the service does where the interface is silent about chunks. A lab's service has one answer to each (see
 * `labPolicy`); the bench of the tests has them all.
 */
export interface ChunkPolicy {
  readonly repeat: 'replace' | 'reject' | 'ignore' | 'append';
  readonly longChunk: 'refuse' | 'accept';
  readonly shortChunk: 'accept' | 'refuse';
  /** Tell of a chunk stored; for reads that lag. */
  onStored(channelId: number, chunkIndex: number): void;
  /** Whether a read shows a chunk yet. */
  isVisible(channelId: number, chunkIndex: number): boolean;
}

/** A repeated chunk replaces its slice, a longer one is refused, a shorter one taken; reads show what is stored. */
export const labPolicy: ChunkPolicy = {
  repeat: 'replace',
  longChunk: 'refuse',
  shortChunk: 'accept',
  onStored: () => {},
  isVisible: () => true,
};
