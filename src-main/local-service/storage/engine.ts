import { AgentError } from '../../model/agent-error.ts';
import type { ChunkRequest, ChunkStored } from './chunks.ts';
import type { FileBytes } from './file-bytes.ts';
import type { PageFilter, PageRow } from './page.ts';
import type { Script } from './script.ts';

/** A database: it runs scripts, and knows what each database writes in its own way. */
export interface Engine {
  /** Run a script that changes something, alone or as if it were; fulfilled when the change is on disk. */
  write<T>(script: () => Script<T>): Promise<T>;
  /** Run a script that only looks. */
  read<T>(script: () => Script<T>): Promise<T>;
  /** Put an entry's words into the search, in place of those it had. */
  index(entryId: number): Script<void>;
  /** Take an entry out of the search. */
  unindex(entryId: number): Script<void>;
  /** Read a page of the catalogue, newest first. */
  page(filter: PageFilter): Script<readonly PageRow[]>;
  /** Which index finds the chunks of a channel that end after a time, where the database must be told. */
  readonly byEnd: string;
  /** Store a chunk in one round trip; absent where a script costs none. */
  readonly ingest?: (request: ChunkRequest) => Promise<ChunkStored>;
  readonly bytes: FileBytes;
  /** Size of all that is stored in it, bytes. */
  sizeBytes(): Promise<number>;
  /** Why nothing can be taken now, as a sentence; null when all is well. */
  whyGone(): Promise<string | null>;
  close(): Promise<void>;
}

/** Tell that there is no service at a place where one was to be looked at. Takes what the place is, as a sentence. */
export function storageMissing(message: string): AgentError {
  return new AgentError({
    code: 'service.storage-missing',
    message,
    hint: 'Check the name after --data or --database. Starting a service there, or adding its first user, makes one.',
    retry: 'after-human',
  });
}
