// Where the API key lives while the agent runs. Never in a file of ours, a log, a snapshot or an error message.
import { AgentError } from '../model/agent-error.ts';

/** Variable that holds the API key where there is no key store of the desktop. */
export const KEY_VARIABLE = 'EPISTREAM_API_KEY';

/** Variable that holds the password for the mail server of alarms. */
export const MAIL_PASSWORD_VARIABLE = 'EPISTREAM_SMTP_PASSWORD';

/** Where the key of the service is kept. */
export interface ApiKeyStore {
  /** The key; null when none is known. */
  read(): string | null;
  /**
   * Keep a key that was typed in, as well as this PC can protect it, at least for this session.
   *
   * @throws `key.malformed` when it cannot be one.
   */
  keep(key: string): Promise<void>;
  /** Why the key lives for this session only, or why a kept one could not be read; absent or empty: nothing to say. */
  readonly warning?: string;
}

/**
 * Check what should be an API key.
 *
 * @param text - text as typed or pasted; blanks and line ends around it are cut off.
 * @returns the key.
 * @throws `key.malformed` for what no header can carry; the text is not repeated.
 */
export function parseKey(text: string): string {
  const key = text.trim();
  if (/^[\x21-\x7e]{1,1000}$/.test(key)) return key;
  throw new AgentError({
    code: 'key.malformed',
    message: key === '' ? 'The API key is empty.' : 'The API key holds characters that no key has.',
    hint: `Copy the key again, without quotes or line breaks, into the window or into ${KEY_VARIABLE}.`,
    retry: 'after-human',
  });
}

/**
 * The same for a field that may be left empty.
 *
 * @returns the key; empty when none was given.
 * @throws `key.malformed`.
 */
export function parseGivenKey(text: string): string {
  return text.trim() === '' ? '' : parseKey(text);
}

/** Keep the key in memory: gone when the program ends. `key`: the first one, null for none yet. */
export function sessionKeyStore(key: string | null = null): ApiKeyStore {
  let kept = key;
  return {
    read: () => kept,
    keep: async (typed) => {
      kept = parseKey(typed);
    },
  };
}

/**
 * Take the key from the environment, for programs without a window.
 *
 * @param environment - the environment; the variable is removed from it, so that programs started from here do not inherit it.
 * @returns a store that holds the key for this session; one typed in later takes its place.
 * @throws `key.malformed` when the variable holds what cannot be a key.
 */
export function environmentKeyStore(environment: NodeJS.ProcessEnv = process.env): ApiKeyStore {
  const text = environment[KEY_VARIABLE];
  delete environment[KEY_VARIABLE];
  return sessionKeyStore(text ? parseKey(text) : null);
}

/**
 * Take the password for the mail server from the environment.
 *
 * @param environment - the environment; the variable is removed from it, as that of the key is.
 * @returns the password as it stands there; null when there is none.
 */
export function takeMailPassword(environment: NodeJS.ProcessEnv = process.env): string | null {
  const password = environment[MAIL_PASSWORD_VARIABLE];
  delete environment[MAIL_PASSWORD_VARIABLE];
  return password || null;
}
