import type { KeyStore } from '../agent/agent.ts';

/** Variable that holds the API key when there is no key store of the desktop. */
export const KEY_VARIABLE = 'EPISTREAM_API_KEY';

/**
 * Keep the API key for this session: from the environment, or as typed in on the screen. It is never written down.
 *
 * **Takes**: what to do when a new key was typed in (send what waits at once).
 */
export function sessionKeys(onChange: () => void): KeyStore {
  let key: string | null = process.env[KEY_VARIABLE] || null;
  // Programs that this one starts (a browser, say) do not inherit it.
  delete process.env[KEY_VARIABLE];
  return {
    read: () => key,
    keep: async (typed) => {
      key = typed;
      onChange();
    },
  };
}
