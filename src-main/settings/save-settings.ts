import { mkdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Document } from 'yaml';
import { AgentError } from '../model/agent-error.ts';
import { writeFileAtomic } from '../platform/atomic-file.ts';
import { editDocument } from './edit-document.ts';
import { makeInvalidError } from './fault.ts';
import { parseSettings } from './parse-settings.ts';
import { readParsed, readSettings } from './read-settings.ts';
import type { SettingsInput } from './schema.ts';
import type { Settings } from './settings.ts';
import { spliceValues } from './splice-values.ts';

const HEAD = ` Settings of an Epistream agent. The screen writes here and people may; comments are kept.
 The API key never stands here: it lives in the key store of this PC or in EPISTREAM_API_KEY.`;

/**
 * Say how the settings should be. Takes what the file says now, without defaults; null when there is no file.
 *
 * @returns what it should say. A key that is left out (or undefined) is removed and so falls back to its default.
 */
export type SettingsChange = (current: SettingsInput | null) => SettingsInput;

interface Existing {
  readonly document: Document;
  readonly current: SettingsInput | null;
  readonly text: string;
  readonly hasByteOrderMark: boolean;
}

async function readExisting(file: string): Promise<Existing> {
  try {
    const { text, input, document, hasByteOrderMark } = await readParsed(file);
    return { document, current: input, text, hasByteOrderMark };
  } catch (error) {
    if (!(error instanceof AgentError) || error.code !== 'settings.missing') throw error;
    const document = new Document({});
    document.commentBefore = HEAD;
    return { document, current: null, text: '', hasByteOrderMark: false };
  }
}

function applyChange({ document, current, text }: Existing, wanted: SettingsInput): string {
  const spliced = current === null ? null : spliceValues(text, document, wanted);
  if (spliced !== null) return spliced;
  editDocument(document, wanted);
  return document.toString({ lineWidth: 0 }).replaceAll(/\r?\n/g, text.includes('\r\n') ? '\r\n' : '\n');
}

async function write(file: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFileAtomic(file, text);
  } catch (cause) {
    throw new AgentError({
      code: 'settings.unwritable',
      message: `${file} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}.`,
      hint: 'The settings are as they were. Let this user write in the folder, and look whether the disk is full.',
      retry: 'after-human',
      context: { file },
      cause,
    });
  }
}

/**
 * Change the settings file in place. Takes its path, and a function from what it says to what it should say; only what
 * differs is edited, so comments, order and line ends survive; where single values differ, nothing but they changes. A file
 * that does not exist is made, with its folder; its mode is 0600 in any case.
 *
 * @returns the settings as they now stand on disk. Whatever moment the program ends at, the file holds the old settings or the
 *   new ones, whole.
 * @throws `settings.invalid` when the file as it stands has faults or when the change would bring some (nothing is written),
 *   `settings.unreadable`, `settings.unwritable` (the file is as it was).
 */
export async function saveSettings(file: string, change: SettingsChange): Promise<Settings> {
  const existing = await readExisting(file);
  const { current } = existing;
  const wanted = change(current && structuredClone(current));
  if (current !== null && isDeepStrictEqual(current, wanted)) return readSettings(file);
  const text = applyChange(existing, wanted);
  const parsed = parseSettings(text, file);
  if (!parsed.isValid) {
    const { message, context } = makeInvalidError(file, parsed.faults);
    const hint = `Nothing was changed in ${basename(file)}. Correct these values.`;
    throw new AgentError({ code: 'settings.invalid', message, hint, retry: 'after-human', context });
  }
  await write(file, existing.hasByteOrderMark ? `\uFEFF${text}` : text);
  return parsed.settings;
}
