// How this page proves to the agent that a person opened its link. The token of the link stands behind the #, which no
// browser sends anywhere; it is exchanged once for the secret of a session. The secret stands in the storage of this
// address, host and port: it survives a reload, other tabs of this browser have it too, no page of another port can read it,
// and once the agent has ended it serves to look only. Where a browser keeps no storage it lives as long as this page.

const ITEM = 'epistream.session';

/** `unknown`: the agent answers, but does not know this browser (any more); a fresh link is needed. */
export type Access = 'known' | 'unknown';

export interface ScreenSession {
  /** The secret to go on with; null: there is none, or nobody answers. */
  find(): Promise<string | null>;
  /** A refused socket tells a page nothing, so ask in plain HTTP why. No answer at all means that the agent is gone. */
  ask(secret: string): Promise<void>;
}

/** Take the token of the link out of the address, so that neither a reload nor the history shows it; empty: none. */
function takeToken(): string {
  if (window.location.pathname !== '/enter') return '';
  const token = window.location.hash.slice(1);
  window.history.replaceState(null, '', '/');
  return token;
}

function storage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    // This browser keeps nothing for pages: the secret lives as long as this one.
    return null;
  }
}

/**
 * Open the session of this page.
 *
 * @param tell - who is told that the agent does not know this browser.
 */
export function openScreenSession(tell: (access: Access) => void): ScreenSession {
  let token = takeToken();
  /** Whether the agent was asked with what this page came with. */
  let hasEntered = false;
  let held: string | null = null;
  const kept = () => storage()?.getItem(ITEM) ?? held;

  const send = async (method: 'GET' | 'POST', secret: string): Promise<Response | null> => {
    try {
      return await fetch('/session', { method, headers: { Authorization: `Bearer ${secret}` } });
    } catch {
      // Nobody answers: the contact watch says so already.
      return null;
    }
  };
  /** Come in: by a session that still lives, so that a link is not used up for nothing; else by the link. */
  const enter = async (): Promise<void> => {
    const secret = kept();
    if (secret !== null) {
      const known = await send('GET', secret);
      if (known === null) return;
      // One that may only look is exchanged for the link that a person opened.
      if (known.ok && (token === '' || ((await known.json()) as { mayAct: boolean }).mayAct)) {
        hasEntered = true;
        return;
      }
    }
    const answer = await send('POST', token);
    if (answer === null) return;
    hasEntered = true;
    token = '';
    if (!answer.ok) return;
    held = ((await answer.json()) as { secret: string }).secret;
    storage()?.setItem(ITEM, held);
  };
  return {
    find: async () => {
      if (!hasEntered) await enter();
      if (!hasEntered) return null;
      const secret = kept();
      if (secret === null) tell('unknown');
      return secret;
    },
    ask: async (secret) => {
      const answer = await send('GET', secret);
      if (answer?.status === 401) tell('unknown');
    },
  };
}
