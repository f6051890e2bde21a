// How a command finds the agent that runs in a data folder: the agent leaves a note, readable by its user alone.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeFileAtomic } from './atomic-file.ts';
import { type DataFolder, findInstance } from './data-folder.ts';

const NOTE = 'agent.json';

const Announcement = z.object({
  address: z.string().regex(/^http:\/\/127\.0\.0\.1:\d{1,5}$/),
  token: z.string().min(32),
  pid: z.int(),
  sinceMs: z.number(),
  door: z.string(),
});

/** Where a running agent answers. The token is for its user alone: never shown, never logged. */
export type Announcement = z.infer<typeof Announcement>;

async function readNote(path: string): Promise<Announcement | null> {
  try {
    return Announcement.parse(JSON.parse(await readFile(join(path, NOTE), 'utf8')));
  } catch {
    return null; // No note, or none that an agent wrote: nobody to ask.
  }
}

/**
 * Tell where this agent answers.
 *
 * **Takes**: the open data folder, and the address and token of the control server.
 * **Gives**: the function that takes the note away again; it leaves the note of another agent alone. On a full disk no
 * note is left: commands then find no agent to ask, and it delivers all the same.
 * **Errors**: other faults of the file system.
 */
export async function announceAgent(
  { path, instance }: DataFolder,
  { address, token }: { readonly address: string; readonly token: string },
): Promise<() => Promise<void>> {
  const text = `${JSON.stringify({ address, token, ...instance }, null, 2)}\n`;
  await writeFileAtomic(join(path, NOTE), text).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOSPC' && error.code !== 'EDQUOT') throw error;
  });
  return async () => {
    if ((await readNote(path))?.door === instance.door) await rm(join(path, NOTE), { force: true });
  };
}

/**
 * Find the agent that runs in a data folder.
 *
 * **Gives**: where it answers; null when none runs there. A note left by an agent that was killed is not believed: its
 * port may be another program's by now.
 */
export async function findAgent(path: string): Promise<Announcement | null> {
  const note = await readNote(path);
  if (!note) return null;
  const holder = await findInstance(path);
  return holder?.door === note.door ? note : null;
}
