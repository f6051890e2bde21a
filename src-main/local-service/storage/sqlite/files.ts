// Raw files and frames, as files of their UUID in the folder `files`.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../../../platform/atomic-file.ts';

export interface FileStore {
  /** Where a file's bytes lie. */
  pathOf(fileUuid: string): string;
  /** Store bytes for good: they are on disk when this is fulfilled. Storing the same again replaces it. */
  add(fileUuid: string, bytes: Uint8Array): Promise<void>;
}

/** Open the folder of files below the service's. */
export function createFileStore(folder: string): FileStore {
  const filesFolder = join(folder, 'files');
  mkdirSync(filesFolder, { recursive: true, mode: 0o700 });
  const pathOf = (fileUuid: string) => {
    if (!/^[0-9A-Za-z-]{1,64}$/.test(fileUuid)) throw new Error(`Not an identifier of a file: ${fileUuid}`);
    return join(filesFolder, fileUuid);
  };
  return {
    pathOf,
    add: (fileUuid, bytes) => writeFileAtomic(pathOf(fileUuid), bytes),
  };
}
