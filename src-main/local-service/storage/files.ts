// Raw files and frames, as files of their UUID in the folder `files`.
import { mkdirSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';

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
    add: async (fileUuid, bytes) => {
      const path = pathOf(fileUuid);
      const file = await open(`${path}.part`, 'w', 0o600);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(`${path}.part`, path);
    },
  };
}
