// Who may see the screen in a browser: a person who opened a link that this agent printed. A link works once; what it leaves
// behind is a session that lives until the agent ends. Bounds: 8 links not yet used, 32 sessions; the oldest goes first.
import { createHash, randomBytes } from 'node:crypto';

const LINKS_MAX = 8;
const SESSIONS_MAX = 32;

/** Tokens are kept and looked up as digests, so that comparing them tells nothing about them by its duration. */
const digest = (secret: string) => createHash('sha256').update(secret).digest('base64');
const makeSecret = () => randomBytes(32).toString('base64url');

export interface Sessions {
  /** Make a token for one link. */
  mintToken(): string;
  /**
   * Use a token up.
   *
   * @returns the secret of a new session, or null when the token is used, too old or wrong.
   */
  redeem(token: string): string | null;
  /**
   * Find a living session.
   *
   * @returns its number, from 1 in the order of the links that were opened; null: there is none.
   */
  numberOf(secret: string | undefined): number | null;
}

/** Open an empty book of links and sessions; it lives in memory only. */
export function openSessions(): Sessions {
  const links = new Map<string, number>();
  const sessions = new Map<string, number>();
  let opened = 0;
  const open = () => {
    opened += 1;
    return addBounded(sessions, opened, SESSIONS_MAX);
  };
  return {
    mintToken: () => addBounded(links, 0, LINKS_MAX),
    redeem: (token) => (links.delete(digest(token)) ? open() : null),
    numberOf: (secret) => (secret === undefined ? null : (sessions.get(digest(secret)) ?? null)),
  };
}

function addBounded(book: Map<string, number>, entry: number, max: number): string {
  const secret = makeSecret();
  book.set(digest(secret), entry);
  for (const oldest of book.keys()) {
    if (book.size <= max) break;
    book.delete(oldest);
  }
  return secret;
}
