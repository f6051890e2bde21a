// Saving raw files into a folder of this PC.
import type { Handlers } from '../../contract/table.ts';
import type { ServiceLink } from '../../service-link/service-link.ts';
import { type Downloads, suggestFolder } from './downloads.ts';

/** The calls for downloads. `link` throws while nothing runs. */
export function downloadHandlers(link: () => ServiceLink, downloads: Downloads): Handlers['download'] {
  return {
    list: async () => ({ downloads: downloads.views, suggestedFolder: suggestFolder() }),
    start: async ({ dataId, name, folder }) => downloads.start(link().client, dataId, name, folder),
    cancel: async ({ id }) => {
      downloads.cancel(id);
      return null;
    },
  };
}
