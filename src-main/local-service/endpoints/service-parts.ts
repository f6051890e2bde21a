import type { Accesses } from '../storage/accesses.ts';
import type { ChunkPolicy } from '../storage/chunk-policy.ts';
import type { Results } from '../storage/results.ts';
import type { ServiceDatabase } from '../storage/sqlite/database.ts';
import type { FileStore } from '../storage/sqlite/files.ts';
import type { Write } from '../storage/sqlite/writer.ts';
import type { Ownership } from './ownership.ts';

/** What those who serve rows have in common. */
export interface ServiceParts {
  readonly db: ServiceDatabase;
  readonly write: Write;
  /** The service's clock, Unix milliseconds. */
  readonly nowMs: () => number;
  readonly own: Ownership;
  readonly policy: ChunkPolicy;
  readonly results: Results;
  readonly accesses: Accesses;
  readonly files: FileStore;
  /** Address of the service itself, for the links it signs. */
  readonly origin: () => string;
}
