import type { Accesses } from './accesses.ts';
import type { ChunkPolicy } from './chunk-policy.ts';
import type { ServiceDatabase } from './database.ts';
import type { FileStore } from './files.ts';
import type { Ownership } from './ownership.ts';
import type { Results } from './results.ts';
import type { Write } from './writer.ts';

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
