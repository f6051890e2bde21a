// Who may see the screen in a browser: a person who opened a link that this agent printed. A link works once and
// opens a session. After a restart of the agent the session is read-only, so that a page on a wall continues. Bounds: 8 links not yet used, 32 sessions; the oldest goes first.
import { createHash, randomBytes } from 'node:crypto';

const LINKS_MAX = 8;
const SESSIONS_MAX = 32;

/** Tokens are kept and looked up as digests, so that comparing them tells nothing about them by its duration. */
const digest = (secret: string) => createHash('sha256').update(secret).digest('base64');
const makeSecret = () => randomBytes(32).toString('base64url');

interface Session {
  /** From 1 in the order of the links that were opened. */
  readonly number: number;
  /** False: its link was opened before the agent was started. */
  readonly mayAct: boolean;
}

/** Digests of sessions that outlive the agent, oldest first. A digest opens nothing. */
export interface SessionBook {
  read(): readonly string[];
  write(digests: readonly string[]): void;
}

export interface Sessions {
  /** Make a token for one link. */
  mintToken(): string;
  /**
   * Use a token up.
   *
   * @returns the secret of a new session, or null when the token is used, too old or wrong.
   */
  redeem(token: string): string | null;
  /** Find a living session; null: there is none. */
  find(secret: string | undefined): Session | null;
}

/** Open the sessions of earlier runs, to look, and no link. */
export function openSessions(book: SessionBook): Sessions {
  const links = new Map<string, null>();
  const before = book.read().slice(-SESSIONS_MAX);
  const sessions = new Map(before.map((one, at): [string, Session] => [one, { number: at + 1, mayAct: false }]));
  let opened = sessions.size;
  const open = () => {
    opened += 1;
    const secret = addBounded(sessions, { number: opened, mayAct: true }, SESSIONS_MAX);
    book.write([...sessions.keys()]);
    return secret;
  };
  return {
    mintToken: () => addBounded(links, null, LINKS_MAX),
    redeem: (token) => (links.delete(digest(token)) ? open() : null),
    find: (secret) => (secret === undefined ? null : (sessions.get(digest(secret)) ?? null)),
  };
}

function addBounded<E>(known: Map<string, E>, entry: E, max: number): string {
  const secret = makeSecret();
  known.set(digest(secret), entry);
  for (const oldest of known.keys()) {
    if (known.size <= max) break;
    known.delete(oldest);
  }
  return secret;
}
