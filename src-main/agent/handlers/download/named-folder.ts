// Folders into which the screen may have files written: the download folder of this user, and those that a person named in the
// settings file. The screen itself does not choose any other.
import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, relative, sep } from 'node:path';
import { AgentError } from '../../../model/agent-error.ts';

/**
 * Look whether files may be written into a folder.
 *
 * @param asked - the folder as the screen names it; it exists.
 * @param allowed - the folders that may be, those within them included.
 * @returns where it really is.
 * @throws `download.folder`.
 */
export function namedFolder(asked: string, allowed: readonly string[]): string {
  if (!isAbsolute(asked) || !existsSync(asked)) throw folderError(asked);
  // Where it really is: a link in a folder that was named may lead out of it.
  const folder = realpathSync(asked);
  if (allowed.some((root) => existsSync(root) && isWithin(realpathSync(root), folder))) return folder;
  throw notNamedError(asked, allowed);
}

function folderError(folder: string): AgentError {
  return new AgentError({
    code: 'download.folder',
    message: isAbsolute(folder) ? `There is no folder ${folder}.` : `${folder} is not the full path of a folder.`,
    hint: 'Name a folder that exists on the PC on which Epistream runs, with its drive or from the root on.',
  });
}

function isWithin(root: string, folder: string): boolean {
  const way = relative(root, folder);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function notNamedError(folder: string, allowed: readonly string[]): AgentError {
  return new AgentError({
    code: 'download.folder',
    message: `Files are not saved in ${folder}: it is not one of the folders for downloads.`,
    hint: `Choose ${allowed.join(' or ')}, or name the folder under downloads.folders in the settings file.`,
  });
}

/**
 * Find the download folder of this user.
 *
 * @param dataFolder - the data folder, which gets one where the user has none.
 * @returns a folder that exists.
 */
export function ownFolder(dataFolder: string): string {
  const downloads = join(homedir(), 'Downloads');
  if (existsSync(downloads)) return downloads;
  const own = join(dataFolder, 'downloads');
  mkdirSync(own, { recursive: true, mode: 0o700 });
  return own;
}
