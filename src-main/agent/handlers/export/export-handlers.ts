// Exports that a person begins on the screen.
import type { Handlers } from '../../../contract/table.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import { namedFolder, ownFolder } from '../download/named-folder.ts';

/** The calls for exports. `running` throws while nothing runs. */
export function exportHandlers(
  running: () => Pick<Pipeline, 'exports' | 'settings'>,
  dataFolder: string,
): Handlers['exports'] {
  const folders = () => [ownFolder(dataFolder), ...running().settings.downloads.folders];
  return {
    list: async () => ({ exports: running().exports.views, folders: folders() }),
    start: async ({ of, folder, ...wanted }) =>
      running().exports.start({ ...wanted, choice: of, folder: namedFolder(folder, folders()) }),
    cancel: async ({ id }) => {
      running().exports.cancel(id);
      return null;
    },
  };
}
