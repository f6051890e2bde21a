import type { ChunkPolicy } from '../storage/chunk-policy.ts';
import type { Storage } from '../storage/storage.ts';

/** What those who serve rows have in common. */
export interface ServiceParts {
  readonly storage: Storage;
  /** The service's clock, Unix milliseconds. */
  readonly nowMs: () => number;
  readonly policy: ChunkPolicy;
  /** Address of the service itself, for the links it signs. */
  readonly origin: () => string;
}
