// What of updates depends on the installation: whether it can exchange itself, and what was packed in for it.
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Name of the folder among the packed resources; `resources/update` of the repository. */
const FOLDER = 'update';

/** Settings of electron-updater that are packed in. */
export const updaterConfigIn = (resourcesPath: string) => join(resourcesPath, FOLDER, 'app-update.yml');

/** The public key (PEM) that is packed in; null: none. */
export function readPackedKey(resourcesPath: string): string | null {
  try {
    return readFileSync(join(resourcesPath, FOLDER, 'public-key.pem'), 'utf8');
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw fault;
  }
}

/** Why an installation cannot exchange itself, to follow "Updates stay off: "; empty: it can. */
export function whyNoUpdates(isPackaged: boolean, platform: NodeJS.Platform, appImage: string | undefined): string {
  if (!isPackaged) return 'this program runs from its sources.';
  if (platform === 'win32') return '';
  if (platform !== 'linux') return 'on this system only a program signed by its vendor could exchange itself.';
  if (appImage === undefined) return 'this program was installed as a package of the system, which updates it.';
  return canWriteIn(dirname(appImage)) ? '' : 'the folder of this program cannot be written by this user.';
}

function canWriteIn(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    // Whatever the reason: the new program could not be put there, and a person is told before one is fetched.
    return false;
  }
}

/**
 * Put a new AppImage in the place of the one that runs. Under the same name, which the start with the PC and people's
 * shortcuts hold; by a rename, so that after a power cut there is the former program or the new one.
 *
 * @throws those of the disk; the former program stands then.
 */
export function replaceAppImage(from: string, place: string): void {
  const beside = `${place}.new`;
  try {
    copyFileSync(from, beside);
    chmodSync(beside, 0o755);
    const file = openSync(beside, 'r+');
    fsyncSync(file);
    closeSync(file);
    renameSync(beside, place);
  } catch (fault) {
    rmSync(beside, { force: true });
    throw fault;
  }
}
