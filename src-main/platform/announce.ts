// How a command finds the agent that runs in a data folder: the agent leaves a note, readable by its user alone.
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeFileAtomic } from './atomic-file.ts';
import { type DataFolder, findInstance } from './data-folder.ts';

const NOTE = 'agent.json';
/** How often it is looked whether note and claim still stand, milliseconds. */
const KEEP_MS = 2000;

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
 * Tell where this agent answers, as long as it does.
 *
 * The note and the claim on the folder are looked for every KEEP_MS and left again where they are gone: a full or failing
 * disk may not take them at first, and somebody may remove them. The note of another agent is left alone.
 *
 * @param folder - the open data folder.
 * @param options - the address and token of the control server.
 * @returns the function that ends this and takes the note away again.
 */
export async function announceAgent(
  folder: DataFolder,
  { address, token }: { readonly address: string; readonly token: string },
): Promise<() => Promise<void>> {
  const path = join(folder.path, NOTE);
  const text = `${JSON.stringify({ address, token, ...folder.instance }, null, 2)}\n`;
  const keep = async () => {
    await folder.keep();
    if (!existsSync(path)) await writeFileAtomic(path, text);
  };
  // What the disk does not take now is tried again; until then commands are told that nobody can be asked.
  let kept = writeFileAtomic(path, text).catch(() => undefined);
  await kept;
  let isKept = true;
  const timer = setInterval(() => {
    if (!isKept) return;
    isKept = false;
    kept = keep()
      .catch(() => undefined)
      .finally(() => {
        isKept = true;
      });
  }, KEEP_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await kept;
    if ((await readNote(folder.path))?.door === folder.instance.door) await rm(path, { force: true });
  };
}

/**
 * Find the agent that runs in a data folder.
 *
 * @returns where it answers; null when none runs there. A note left by an agent that was killed is not believed: its port may
 *   be another program's by now.
 */
export async function findAgent(path: string): Promise<Announcement | null> {
  const note = await readNote(path);
  if (!note) return null;
  const holder = await findInstance(path);
  return holder?.door === note.door ? note : null;
}
