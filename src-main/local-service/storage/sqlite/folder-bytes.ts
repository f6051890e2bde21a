// Raw files and frames, as files of their UUID in the folder `files`.
import { createReadStream, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../../../platform/atomic-file.ts';
import { checkFileUuid, type FileBytes } from '../file-bytes.ts';

/** Open the folder of files below the service's. */
export function createFolderBytes(folder: string): FileBytes {
  const filesFolder = join(folder, 'files');
  mkdirSync(filesFolder, { recursive: true, mode: 0o700 });
  const place = (fileUuid: string) => join(filesFolder, checkFileUuid(fileUuid));
  return {
    add: (fileUuid, bytes) => writeFileAtomic(place(fileUuid), bytes),
    size: async (fileUuid) => statSync(place(fileUuid), { throwIfNoEntry: false })?.size ?? null,
    read: (fileUuid) => createReadStream(place(fileUuid)),
    place,
  };
}
