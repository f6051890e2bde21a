// Who may ask: organizations, their users, their keys. Of a key only its hash is stored.
import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { AgentError } from '../../model/agent-error.ts';
import type { ServiceDatabase } from './sqlite/database.ts';

/** The user and organization that a key belongs to. */
export interface Caller {
  /** The key that was sent, by its number. */
  readonly keyId: number;
  readonly userId: number;
  readonly userUuid: string;
  readonly organizationId: number;
}

export const DEFAULT_ORGANIZATION = 'default';
export const DEFAULT_USER = 'operator';
const KEY_MIN = 8;

const hashOf = (key: string) => createHash('sha256').update(key, 'utf8').digest();

/** Make a key nobody can guess: 256 bits, 43 characters. */
export function makeKey(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Make the look-up of callers.
 *
 * @returns a function from a key to its caller, or null when nobody has that key, or it was revoked or has expired. The
 *   compare takes the same time for every key.
 */
export function createCallerLookup(db: ServiceDatabase, nowMs: () => number): (key: string) => Caller | null {
  const find = db.prepare<[Buffer, number], Caller & { hash: Buffer }>(
    `SELECT k.id AS keyId, k.hash, u.id AS userId, u.user_uuid AS userUuid, u.organization_id AS organizationId
     FROM api_key k JOIN user u ON u.id = k.user_id
     WHERE k.hash = ? AND k.revoked_ms IS NULL AND coalesce(k.expires_ms, 1e300) > ?`,
  );
  return (key) => {
    const hash = hashOf(key);
    const found = find.get(hash, nowMs());
    // The index compares hashes, which tell nothing of the key; this compare also rules out a prefix match.
    if (!found || !timingSafeEqual(found.hash, hash)) return null;
    const { hash: _, ...caller } = found;
    return caller;
  };
}

/**
 * Find or add an organization.
 *
 * @returns its number.
 */
export function ensureOrganization(db: ServiceDatabase, name: string): number {
  db.prepare('INSERT INTO organization (name) VALUES (?) ON CONFLICT DO NOTHING').run(name);
  return db.prepare<[string], number>('SELECT id FROM organization WHERE name = ?').pluck().get(name) ?? 0;
}

/**
 * Find or add a user of an organization.
 *
 * @returns the user's number.
 */
export function ensureUser(db: ServiceDatabase, organizationId: number, name: string): number {
  db.prepare('INSERT INTO user (organization_id, user_uuid, name) VALUES (?, ?, ?) ON CONFLICT DO NOTHING').run(
    organizationId,
    randomUUID(),
    name,
  );
  const find = db.prepare<[number, string], number>('SELECT id FROM user WHERE organization_id = ? AND name = ?');
  return find.pluck().get(organizationId, name) ?? 0;
}

/** Whether a key was revoked; one that nobody has was not. */
export function isRevoked(db: ServiceDatabase, key: string): boolean {
  const find = db.prepare<[Buffer], number>('SELECT 1 FROM api_key WHERE hash = ? AND revoked_ms IS NOT NULL');
  return find.get(hashOf(key)) !== undefined;
}

/**
 * Give a user a key; a key the user already has is left as it is.
 *
 * @param expiresMs - when it ends, Unix ms; null: never.
 * @throws AgentError `service.key-short` below 8 characters, `service.key-taken` when another user has it,
 *   `service.key-revoked` when it was revoked.
 */
export function ensureKey(
  db: ServiceDatabase,
  userId: number,
  key: string,
  nowMs: number,
  expiresMs: number | null = null,
): void {
  if (key.length < KEY_MIN || /[^\x21-\x7e]/.test(key)) {
    throw new AgentError({
      code: 'service.key-short',
      message: `The key must have at least ${KEY_MIN} characters, letters, digits and signs without spaces.`,
      hint: 'Leave the key out to have one made.',
      retry: 'after-human',
    });
  }
  if (isRevoked(db, key)) {
    throw new AgentError({
      code: 'service.key-revoked',
      message: 'This key was revoked.',
      hint: 'Choose another key, or leave it out to have one made.',
      retry: 'after-human',
    });
  }
  const hash = hashOf(key);
  const owner = db.prepare<[Buffer], number>('SELECT user_id FROM api_key WHERE hash = ?').pluck().get(hash);
  if (owner === userId) return;
  if (owner !== undefined) {
    throw new AgentError({
      code: 'service.key-taken',
      message: 'Another user of this service has that key.',
      hint: 'Choose another key, or leave it out to have one made.',
      retry: 'after-human',
    });
  }
  db.prepare('INSERT INTO api_key (user_id, hash, ending, created_ms, expires_ms) VALUES (?, ?, ?, ?, ?)').run(
    userId,
    hash,
    key.slice(-4),
    nowMs,
    expiresMs,
  );
}
