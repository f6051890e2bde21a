// The settings as they may be passed on with what was recorded: without comments, and without anything that may be a secret.
// The schema has no place for one; what a person wrote into a free text all the same is taken out here. It is better to take
// too much than to let one through.
import { stringify } from 'yaml';
import { lastSettingsIn } from './last-good.ts';
import { parseSettings } from './parse-settings.ts';
import { readSettingsText } from './read-settings.ts';

const REMOVED = '(removed)';

const SECRET_NAME = /key|token|pass|secret|credential|auth|login/i;
/** `//name:password@host`, in any address or path. */
const USER_INFO = /([\\/]{2})[^\\/\s@]*@/g;
/** `password: x`, `?token=x`, `Authorization: Bearer x`: the rest of the text goes with it. */
const NAMED =
  /(?<![a-z])((?:api[_-]?)?(?:key|token|pass(?:word|wd|phrase|code)?|secret|credentials?|auth\w*|bearer|login)\s*[=: ]\s*)\S.*$/gis;
/** What stands after the host of an address may be all that protects it: that of a webhook often is. */
const WEBHOOK = /^([a-z]+:\/\/[^/?]*).+$/is;
/** A long word of letters and digits, as keys are. */
const OPAQUE = /(?=[a-z+]*\d)(?=[\d+]*[a-z])[a-z\d+]{20,}=*/gi;

const cleanText = (text: string) =>
  text.replace(USER_INFO, `$1${REMOVED}@`).replace(NAMED, `$1${REMOVED}`).replace(OPAQUE, REMOVED);

const cut = (name: string, value: unknown) =>
  name === 'webhook' && typeof value === 'string' ? value.replace(WEBHOOK, `$1/${REMOVED}`) : value;

function clean(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      cleanText(name),
      SECRET_NAME.test(name) ? REMOVED : clean(cut(name, one)),
    ]),
  );
}

/**
 * Take everything out of settings that may be a secret.
 *
 * @param text - of a settings file.
 * @returns the same settings as YAML without comments, `(removed)` where something was taken out; null when the text is not
 *   sound.
 */
export function withoutSecrets(text: string): string | null {
  const parsed = parseSettings(text, 'epistream.yaml');
  return parsed.isValid ? stringify(clean(parsed.input)) : null;
}

/**
 * Read the settings that the agent runs with, or ran with last, as they may be passed on.
 *
 * @param folder - in which the queue lies.
 * @returns YAML; null when there are none, or none that can be read: what was recorded is complete without them.
 */
export async function readSharedSettings(folder: string): Promise<string | null> {
  const read = await readSettingsText(lastSettingsIn(folder)).catch(() => null);
  return read && withoutSecrets(read.text);
}
