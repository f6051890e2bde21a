// Every export is written as `name.part`, read again, and only then gets its name: what bears the name is whole.
//
// A part that a killed export left is replaced once nobody has written to it for LEFT_BEHIND_MS.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentError } from '../model/agent-error.ts';
import { makeNewFile } from '../platform/new-file.ts';
import { WORK_FOLDER } from './job.ts';

const LEFT_BEHIND_MS = 10 * 60_000;

/** Name of the archive that stands beside an HDF5. */
export const archiveBeside = (path: string): string => `${path.replace(/\.[^./\\]*$/, '')}.archive.json`;

/** The name under which a file is written. */
export const partOf = (path: string): string => `${path}.part`;

/**
 * Make a file by way of its part.
 *
 * @param path - the file; it must not exist.
 * @param write - writes the part, and fails where what can be read of it is not what was written.
 * @throws `file.exists`, `export.under-way`; those of `write` and of the file system. Nothing is left behind then.
 */
export async function makeByPart(path: string, write: (part: string) => Promise<void>): Promise<void> {
  const part = partOf(path);
  const left = await stat(part).catch(() => null);
  if (left && Date.now() - left.mtimeMs < LEFT_BEHIND_MS) {
    throw new AgentError({
      code: 'export.under-way',
      message: `${part} is being written, or an export that was killed left it less than ten minutes ago.`,
      hint: 'Wait for the other export, or delete that file and try again.',
      retry: 'later',
    });
  }
  if (left) await rm(part, { force: true });
  await makeNewFile(path, part, () => write(part));
}

/**
 * Write a file from its beginning to its end, and read it again.
 *
 * @param part - the file, there and empty.
 * @param pieces - text or bytes, asked for one after the other, each when the former is written.
 * @throws `export.not-whole` when the disk gives back something else; those of the pieces and of the file system.
 */
export async function writePieces(part: string, pieces: AsyncIterable<string | Uint8Array>): Promise<void> {
  const written = createHash('sha256');
  const handle = await open(part, 'a');
  try {
    for await (const piece of pieces) {
      written.update(piece);
      await handle.appendFile(piece);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  if ((await hashOf(part)) !== written.digest('hex')) throw notWhole(part);
}

/**
 * Write a file by a library that writes here and there in it: on a local disk, from where it is copied. Such a library may
 * wait for ever on a share that is gone.
 *
 * @param part - the file, there and empty.
 * @param write - makes the file at a path of the local disk.
 * @throws as `writePieces`, and those of `write`.
 */
export async function writeByCopy(part: string, write: (local: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), WORK_FOLDER));
  try {
    const local = join(folder, 'export');
    await write(local);
    await writePieces(part, createReadStream(local));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** SHA-256 of a file, lower case hexadecimal. */
export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) hash.update(piece);
  return hash.digest('hex');
}

/** What was written does not come back: `export.not-whole`. */
export function notWhole(part: string, why = 'what was written does not come back'): AgentError {
  return new AgentError({
    code: 'export.not-whole',
    message: `The disk did not keep the export: ${why}. ${part} was removed.`,
    hint: 'Check the disk or the share, then export again.',
    retry: 'later',
  });
}
