import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { AgentError } from '../model/agent-error.ts';
import { makeInvalidError } from './fault.ts';
import { type ParsedSettings, parseSettings } from './parse-settings.ts';
import type { Settings } from './settings.ts';

/** A settings file is a page of text; what is larger than this is something else, bytes. */
export const SETTINGS_SIZE_MAX = 256 * 1024;

/** Opening a pipe nobody writes to would otherwise wait for ever; Windows has no such flag. */
const READ_AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

function unreadable(file: string, what: string, hint: string, cause?: unknown): AgentError {
  const message = `${basename(file)} cannot be read: ${what}.`;
  return new AgentError({ code: 'settings.unreadable', message, hint, retry: 'after-human', context: { file }, cause });
}

async function readBytes(file: string): Promise<Buffer> {
  let handle: Awaited<ReturnType<typeof open>>;
  try {
    handle = await open(file, READ_AT_ONCE);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw new AgentError({
        code: 'settings.missing',
        message: `There is no settings file ${file}.`,
        hint: 'Name the file with --config, or start without it to be led through the first settings.',
        retry: 'after-human',
        context: { file },
        cause,
      });
    }
    throw unreadable(file, String(code), 'Let this user read the file and the folder it is in.', cause);
  }
  try {
    const { size, isFile } = await handle.stat().then((stat) => ({ size: stat.size, isFile: stat.isFile() }));
    if (!isFile) throw unreadable(file, 'it is not a file', 'Name the file itself, for example epistream.yaml.');
    if (size > SETTINGS_SIZE_MAX) {
      throw unreadable(file, `it has ${size} bytes, at most ${SETTINGS_SIZE_MAX} are read`, 'Name a settings file.');
    }
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** The text of a settings file and what a save keeps of its outer form. */
export interface SettingsText {
  readonly text: string;
  readonly hasByteOrderMark: boolean;
}

/**
 * Read the text of a settings file.
 *
 * @param file - a path.
 * @returns the text without byte-order mark, line ends as they are.
 * @throws `settings.missing`; `settings.unreadable` when it may not be read, is no file, is larger than SETTINGS_SIZE_MAX or is
 *   not UTF-8 (then with the line).
 */
export async function readSettingsText(file: string): Promise<SettingsText> {
  const bytes = await readBytes(file).catch((cause: unknown) => {
    if (cause instanceof AgentError) throw cause;
    throw unreadable(
      file,
      cause instanceof Error ? cause.message : String(cause),
      'Look whether the disk is well.',
      cause,
    );
  });
  const saveAsUtf8 = 'Save it as UTF-8: most editors offer that under "Save as".';
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    throw unreadable(file, 'it is written as UTF-16', saveAsUtf8);
  }
  const hasByteOrderMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), hasByteOrderMark };
  } catch (cause) {
    const sound = new TextDecoder('utf-8').decode(bytes);
    const line = sound.slice(0, sound.indexOf('\uFFFD')).split('\n').length;
    throw unreadable(file, `line ${line} holds bytes that are not UTF-8`, saveAsUtf8, cause);
  }
}

/** Read and parse; a file with faults is thrown as `settings.invalid`. */
export async function readParsed(file: string): Promise<SettingsText & Extract<ParsedSettings, { isValid: true }>> {
  const read = await readSettingsText(file);
  const parsed = parseSettings(read.text, file);
  if (!parsed.isValid) throw makeInvalidError(file, parsed.faults);
  return { ...read, ...parsed };
}

/**
 * Read the settings file.
 *
 * @param file - its path.
 * @returns the settings with every default filled in.
 * @throws `settings.missing`, `settings.unreadable`, or `settings.invalid`, whose message names every fault with line, column,
 *   field and hint. Nothing is changed on disk; call again once the file has been corrected.
 */
export async function readSettings(file: string): Promise<Settings> {
  return (await readParsed(file)).settings;
}
