// The API key on a desktop: encrypted by the key store of the operating system, in a file of this user alone. Where
// there is no real key store nothing is written, and the key lives for this session: never a plain text on disk.
import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { safeStorage } from 'electron';
import { writeFileAtomic } from '../platform/atomic-file.ts';

export interface DesktopKeys {
  /** The key; null when none is known. */
  read(): string | null;
  /** Keep a key: across sessions where this PC can protect it, else for this one. */
  keep(key: string): Promise<void>;
  /** Why the key lives for this session only; empty when it is kept. */
  readonly warning: string;
}

/**
 * Open the place of the API key. Takes the file for the encrypted key, and what to do when a new key was typed in. Electron
 * must be ready.
 *
 * @returns the keys, with the one kept earlier if it can still be decrypted. A file that cannot be decrypted (made by another
 *   user or on another PC) is left alone and said in `warning`.
 */
export async function openDesktopKeys(file: string, onChange: () => void): Promise<DesktopKeys> {
  let warning = '';
  let key = await readKept(file).catch((fault: Error) => {
    warning = `The kept API key cannot be read on this PC (${fault.message}). Type it in again.`;
    return null;
  });
  return {
    read: () => key,
    keep: async (typed) => {
      key = typed;
      const isKept = await canProtect();
      if (isKept) await write(file, await safeStorage.encryptStringAsync(typed));
      warning = isKept ? '' : 'This PC has no key store, so the API key is kept for this session only.';
      onChange();
    },
    get warning() {
      return warning;
    },
  };
}

/** On Linux without a key ring Electron would encrypt with a password that everybody knows. */
async function canProtect(): Promise<boolean> {
  if (process.platform === 'linux' && safeStorage.getSelectedStorageBackend() === 'basic_text') return false;
  return safeStorage.isAsyncEncryptionAvailable();
}

async function readKept(file: string): Promise<string | null> {
  const sealed = await readFile(file).catch((fault: NodeJS.ErrnoException) => {
    if (fault.code === 'ENOENT') return null;
    throw fault;
  });
  if (sealed === null) return null;
  const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(sealed);
  if (shouldReEncrypt) await write(file, await safeStorage.encryptStringAsync(result));
  return result;
}

async function write(file: string, sealed: Buffer): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFileAtomic(file, sealed);
}
