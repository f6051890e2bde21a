// Saving raw files into a folder of this PC.
import type { Handlers } from '../../../contract/table.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import type { Downloads } from './downloads.ts';
import { ownFolder } from './named-folder.ts';

/** The calls for downloads. `running` throws while nothing runs. */
export function downloadHandlers(
  running: () => Pick<Pipeline, 'link' | 'settings'>,
  downloads: Downloads,
  dataFolder: string,
): Handlers['download'] {
  return {
    list: async () => ({ downloads: downloads.views, suggestedFolder: ownFolder(dataFolder) }),
    start: async (wanted) => {
      const { link, settings } = running();
      return downloads.start(link.client, wanted, [ownFolder(dataFolder), ...settings.downloads.folders]);
    },
    cancel: async ({ id }) => {
      downloads.cancel(id);
      return null;
    },
  };
}
