// Makes a file that was not there, whole or not at all, from pieces that come one after the other. A file that exists is
// never touched: what is written to it meanwhile stays.
import { randomBytes } from 'node:crypto';
import { type FileHandle, link, lstat, open, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AgentError } from '../model/agent-error.ts';
import { type FileFault, fileFaultOf } from './file-fault.ts';
import { renameWhenFree } from './rename-when-free.ts';

function existsError(path: string, cause?: unknown): AgentError {
  return new AgentError({
    code: 'file.exists',
    message: `${path} exists already; it was not touched.`,
    hint: 'Name a file that does not exist yet, or move this one away first.',
    retry: 'after-human',
    cause,
  });
}

/** Give the finished file its name, in one step that fails where the name is taken. */
async function settle(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path);
    await rm(temporary, { force: true });
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw existsError(path, cause);
    // Many file systems know no hard links (FAT, exFAT, shares), and each system says so in another code. So the name is taken
    // first, which fails where it is taken, or for the reason that the link failed; then the content comes under it in one step.
    await (await openNew(path)).close();
    try {
      await renameWhenFree(temporary, path);
    } catch (fault) {
      await rm(path, { force: true });
      throw fault;
    }
  }
}

async function openNew(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') throw existsError(path, cause);
    throw cause;
  }
}

/** Why a file could not be made, and what a person can do; all but a wrong path may pass by themselves. */
const REFUSALS: Readonly<Record<FileFault, { readonly why: string; readonly hint: string }>> = {
  gone: {
    why: 'its folder is not there, or the name is too long',
    hint: 'Make the folder, or name one that exists; a shorter name helps where the name is too long.',
  },
  closed: { why: 'this user may not write there', hint: 'Name another folder, or let this user write to that one.' },
  held: { why: 'another program holds it', hint: 'Close the other program, then try again.' },
  unreachable: { why: 'the disk or the share does not answer', hint: 'Check the disk or the share, then try again.' },
  full: { why: 'the disk is full', hint: 'Free space there and on the disk for temporary files, then try again.' },
  'too-many-open': { why: 'too many files are open', hint: 'Try again; restart this program if it stays so.' },
};

/** A fault of the file system as what it means for the file; anything else as it is. */
function refusedError(path: string, thrown: unknown): unknown {
  const fault = fileFaultOf(thrown);
  if (thrown instanceof AgentError || fault === null) return thrown;
  const { why, hint } = REFUSALS[fault];
  return new AgentError({
    code: 'file.not-made',
    message: `${path} cannot be written: ${why} (${(thrown as NodeJS.ErrnoException).code}).`,
    hint,
    retry: fault === 'gone' || fault === 'closed' ? 'after-human' : 'later',
    cause: thrown,
  });
}

/** Whatever bears the name: a link that leads nowhere takes it, too. */
async function nameIsTaken(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (fault: NodeJS.ErrnoException) => {
      if (fault.code === 'ENOENT') return false;
      throw fault;
    },
  );
}

/**
 * Make a new file of one that is written under another name beside it.
 *
 * @param path - the file.
 * @param temporary - the other name, in the same folder.
 * @param fill - writes everything into the temporary file, which is there and empty, and fails where it is not whole.
 * @returns fulfilled once the content is on disk under `path`.
 * @throws `file.exists`, also when either came to be meanwhile; `file.not-made` where the file system refuses it; those of
 *   `fill`. Nothing is left behind then.
 */
export async function makeNewFile(path: string, temporary: string, fill: () => Promise<void>): Promise<void> {
  try {
    await makeOf(path, temporary, fill);
  } catch (thrown) {
    throw refusedError(path, thrown);
  }
}

async function makeOf(path: string, temporary: string, fill: () => Promise<void>): Promise<void> {
  if (await nameIsTaken(path)) throw existsError(path);
  await (await openNew(temporary)).close();
  try {
    await fill();
    const handle = await open(temporary, 'r+');
    await handle.sync().finally(() => handle.close());
    await settle(temporary, path);
  } catch (error) {
    // A share that is gone takes what was begun with it; what went wrong first is what is told.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

/**
 * Make a new file from pieces of text. Takes its path, and the pieces, which are asked for one after the other.
 *
 * @returns fulfilled once all of them are on disk under that name.
 * @throws as `makeNewFile`, and those of the pieces. Nothing is left behind then.
 */
export async function writeNewFile(path: string, pieces: AsyncIterable<string>): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}-${randomBytes(6).toString('hex')}.tmp`);
  await makeNewFile(path, temporary, async () => {
    const handle = await open(temporary, 'a');
    try {
      for await (const piece of pieces) await handle.appendFile(piece);
    } finally {
      await handle.close();
    }
  });
}
