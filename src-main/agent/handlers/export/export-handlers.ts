// Exports that a person begins on the screen. They are written into the download folder of this user: the screen chooses no
// folder, since a session of it may be in other hands.
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Handlers } from '../../../contract/table.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';

/** The calls for exports. `running` throws while nothing runs. */
export function exportHandlers(running: () => Pick<Pipeline, 'exports'>, dataFolder: string): Handlers['exports'] {
  return {
    list: async () => ({ exports: running().exports.views, folder: downloadFolder(dataFolder) }),
    start: async ({ of, ...wanted }) => {
      const folder = downloadFolder(dataFolder);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return running().exports.start({ ...wanted, choice: of, folder });
    },
    cancel: async ({ id }) => {
      running().exports.cancel(id);
      return null;
    },
  };
}

/** The download folder of this user; one in the data folder, made with the first export, where the user has none. */
function downloadFolder(dataFolder: string): string {
  const downloads = join(homedir(), 'Downloads');
  return existsSync(downloads) ? downloads : join(dataFolder, 'downloads');
}
