// The sessions of the screen that outlive the agent, as a file of digests in its data folder, for its user alone. Removing the
// file ends them at the next start. If it cannot be read or written, pages need a fresh link after a restart.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeFileAtomic } from '../../platform/atomic-file.ts';
import type { SessionBook } from '../../web/sessions.ts';

/** More than 32 digests take, bytes. */
const BYTES_MAX = 4096;

const Digests = z.array(z.string().regex(/^[A-Za-z0-9+/]{43}=$/));

/** Open the file of a data folder. */
export function openSessionBook(dataFolder: string): SessionBook {
  const path = join(dataFolder, 'screen-sessions.json');
  let written = Promise.resolve();
  return {
    read: () => {
      try {
        const info = statSync(path);
        if (!info.isFile() || info.size > BYTES_MAX) return [];
        return Digests.parse(JSON.parse(readFileSync(path, 'utf8')));
      } catch {
        // None yet, or not as it was written.
        return [];
      }
    },
    write: (digests) => {
      written = written.then(() => writeFileAtomic(path, JSON.stringify(digests)).catch(() => undefined));
    },
  };
}
