// The settings that the agent last ran with, kept beside the queue. A power cut, or an editor that was cut off, may leave
// the settings file empty or torn: recording then goes on with these, and says so. A file that a person wrote wrongly is
// something else: it is refused with its faults, since nobody wants other settings than those that they see.
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AgentError } from '../model/agent-error.ts';
import { writeFileAtomic } from '../platform/atomic-file.ts';
import { parseSettings } from './parse-settings.ts';
import { readSettings, readSettingsText, SETTINGS_SIZE_MAX } from './read-settings.ts';
import type { Settings } from './settings.ts';

/** Where the copy lies. Takes the folder of the queue. */
export const lastSettingsIn = (folder: string): string => join(folder, 'settings.last-good.yaml');

/**
 * Say whether a text is what a cut leaves of a file: nothing, blocks of zeros, or its beginning.
 *
 * @param found - the text found.
 * @param whole - the text that stood there last.
 */
function isTorn(found: string, whole: string): boolean {
  return found.trim() === '' || found.includes('\0') || (found.length < whole.length && whole.startsWith(found));
}

/**
 * Read the settings file, or in the place of a torn one what stood there when the agent last ran.
 *
 * @param file - the settings file.
 * @param copy - where the copy of a former run lies (it need not be there).
 * @returns the settings, and `settings.torn` as a notice when they are those of the copy; the file is left as it is.
 * @throws those of `readSettings` when the file is not torn, or there is no sound copy.
 */
export async function readSettingsOrLast(
  file: string,
  copy: string,
): Promise<{ settings: Settings; notice: AgentError | null }> {
  try {
    return { settings: await readSettings(file), notice: null };
  } catch (thrown) {
    const { code } = thrown as { code?: string };
    if (code !== 'settings.invalid') throw thrown;
    const [found, whole] = await Promise.all([readSettingsText(file), readSettingsText(copy)]).catch(() => {
      throw thrown;
    });
    const last = parseSettings(whole.text, file);
    if (!last.isValid || !isTorn(found.text, whole.text)) throw thrown;
    return { settings: last.settings, notice: tornNotice(file, found.text, copy) };
  }
}

function tornNotice(file: string, found: string, copy: string): AgentError {
  const how = found.replaceAll('\0', '').trim() === '' ? 'empty' : 'cut off';
  return new AgentError({
    code: 'settings.torn',
    message: `The settings file ${basename(file)} is ${how}, as after a power cut: the settings of the last run are used.`,
    hint: `Look whether they are still right (${copy}) and copy that file over ${file}.`,
    retry: 'after-human',
    context: { file, copy },
  });
}

/**
 * Keep the settings file's text as that of a run that has begun.
 *
 * @param file - the settings file.
 * @param copy - where the copy lies.
 * @returns fulfilled when the copy is on disk; a file that is not sound is not kept.
 * @throws those of the file system.
 */
export async function keepLastSettings(file: string, copy: string): Promise<void> {
  const bytes = await readFile(file);
  if (bytes.length > SETTINGS_SIZE_MAX || !parseSettings(bytes.toString(), file).isValid) return;
  const former = await readFile(copy).catch(() => null); // The first run has none.
  if (!former?.equals(bytes)) await writeFileAtomic(copy, bytes);
}
