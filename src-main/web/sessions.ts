// Who may see the screen in a browser: whoever opened a link that this agent printed. A link works once; what it leaves
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
  /** Use a token up. **Gives**: the secret of a new session, or null when the token is used, too old or wrong. */
  redeem(token: string): string | null;
  /** Tell whether a secret belongs to a living session. */
  isOpen(secret: string | undefined): boolean;
}

/** Open an empty book of links and sessions; it lives in memory only. */
export function openSessions(): Sessions {
  const links = new Set<string>();
  const sessions = new Set<string>();
  return {
    mintToken: () => addBounded(links, LINKS_MAX),
    redeem: (token) => (links.delete(digest(token)) ? addBounded(sessions, SESSIONS_MAX) : null),
    isOpen: (secret) => secret !== undefined && sessions.has(digest(secret)),
  };
}

function addBounded(book: Set<string>, max: number): string {
  const secret = makeSecret();
  book.add(digest(secret));
  for (const oldest of book) {
    if (book.size <= max) break;
    book.delete(oldest);
  }
  return secret;
}
