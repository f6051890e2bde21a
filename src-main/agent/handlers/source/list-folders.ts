// The folders that complete a path which somebody types.
import { opendir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { isWholePath } from '../../../settings/fields.ts';

/** Folders that are shown, names that are looked at, and how long somebody waits, milliseconds. */
const SHOWN_MAX = 30;
const NAMES_MAX = 5000;
const LIMIT_MS = 2000;

/**
 * List the folders whose paths begin as typed.
 *
 * @param typed - a path, perhaps in the middle of a name; empty: the home folder is meant.
 * @param settingsFile - paths that are not absolute count from it.
 * @returns at most thirty, in the manner in which it was typed; none when nothing can be listed there.
 */
export async function listFolders(typed: string, settingsFile: string): Promise<string[]> {
  const text = typed.trim() === '' ? `${homedir()}${sep}` : typed.trim();
  const cut = Math.max(text.lastIndexOf('/'), sep === '\\' ? text.lastIndexOf('\\') : -1) + 1;
  const [shown, begun] = [text.slice(0, cut), text.slice(cut).toLowerCase()];
  const folder = isWholePath(shown) ? shown : resolve(dirname(settingsFile), shown);
  const isOver = AbortSignal.timeout(LIMIT_MS);
  const late = new Promise<string[]>((settle) => isOver.addEventListener('abort', () => settle([]), { once: true }));
  return Promise.race([read(folder, begun, isOver), late]).then((names) => names.map((name) => join(shown, name)));
}

async function read(folder: string, begun: string, isOver: AbortSignal): Promise<string[]> {
  const names: string[] = [];
  let looked = 0;
  try {
    for await (const entry of await opendir(folder)) {
      looked += 1;
      if (isOver.aborted || looked > NAMES_MAX) break;
      const isHidden = entry.name.startsWith('.') && !begun.startsWith('.');
      // A link may lead to a folder; whether it does is seen when it is chosen.
      if (!isHidden && !entry.isFile() && entry.name.toLowerCase().startsWith(begun)) names.push(entry.name);
    }
  } catch {
    // What cannot be listed completes nothing; the field's own check says what is wrong with the path.
  }
  return names.sort((one, other) => one.localeCompare(other)).slice(0, SHOWN_MAX);
}
