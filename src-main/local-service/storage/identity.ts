// Who may ask: organizations, their users, their keys. Of a key only its hash is stored.
import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { AgentError } from '../../model/agent-error.ts';
import { type Actor, addAudit, type Change } from './audit.ts';
import type { Engine } from './engine.ts';
import { first, run, type Script } from './script.ts';

/** What a key may do: everything; only what an agent does to deliver; only look. */
export type Role = 'full' | 'ingest' | 'read';

export const roles: readonly Role[] = ['full', 'ingest', 'read'];

/** The user and organization that a key belongs to. */
export interface Caller extends Actor {
  /** The key that was sent, by its number. */
  readonly keyId: number;
  readonly userId: number;
  readonly userUuid: string;
  readonly organizationId: number;
  readonly role: Role;
  /** What the caller calls itself (`User-Agent`), at most 100 characters. */
  readonly agent: string;
}

/** A key that is not good. */
export interface RefusedKey {
  readonly why: 'unknown' | 'revoked' | 'expired';
  /** Whose it was, with its number; `unknown` when nobody has it. */
  readonly who: string;
}

export interface Identity {
  /**
   * Find the caller who has a key, or why it is not good. The compare takes the same time for every key. Takes the address that the
   * key was sent from, too, and what the caller calls itself.
   */
  findCaller(key: string, nowMs: number, from: string, agent: string): Promise<Caller | RefusedKey>;
}

export const DEFAULT_ORGANIZATION = 'default';
export const DEFAULT_USER = 'operator';
const KEY_MIN = 8;

const hashOf = (key: string) => createHash('sha256').update(key, 'utf8').digest();

/** Make a key nobody can guess: 256 bits, 43 characters. */
export function makeKey(): string {
  return randomBytes(32).toString('base64url');
}

/** Open the identities. */
export function createIdentity(engine: Engine): Identity {
  return {
    findCaller: async (key, nowMs, from, agent) => {
      const hash = hashOf(key);
      const found = await engine.read(() =>
        first<{
          id: number;
          hash: Uint8Array;
          role: Role;
          revoked_ms: number | null;
          expires_ms: number | null;
          user_id: number;
          user_uuid: string;
          organization_id: number;
          who: string;
        }>(
          `SELECT k.id, k.hash, k.role, k.revoked_ms, k.expires_ms, u.id AS user_id, u.user_uuid, u.organization_id,
             u.name || ' of ' || o.name AS who
           FROM api_key k JOIN "user" u ON u.id = k.user_id JOIN organization o ON o.id = u.organization_id
           WHERE k.hash = ?`,
          hash,
        ),
      );
      // The index compares hashes, which tell nothing of the key; this compare also rules out a prefix match.
      if (!found || !timingSafeEqual(found.hash, hash)) return { why: 'unknown', who: 'unknown' };
      const { id, role, user_id, user_uuid, organization_id, revoked_ms, expires_ms } = found;
      const who = `${found.who}, key ${id}`;
      if (revoked_ms !== null) return { why: 'revoked', who };
      if (expires_ms !== null && expires_ms <= nowMs) return { why: 'expired', who };
      const [userId, userUuid, organizationId] = [user_id, user_uuid, organization_id];
      return { keyId: id, role, userId, userUuid, organizationId, who, from, agent };
    },
  };
}

/** Find or make the secret that pre-signed links are signed with: all services on the same data have the same. */
export function* ensureLinkSecret(): Script<string> {
  const sql = `INSERT INTO setting (name, value) VALUES ('link secret', ?) ON CONFLICT DO NOTHING`;
  yield* run(sql, makeKey());
  return (yield* first<{ value: string }>(`SELECT value FROM setting WHERE name = 'link secret'`))?.value ?? makeKey();
}

/**
 * Find or add an organization.
 *
 * @returns its number, and whether it was added.
 */
export function* ensureOrganization(name: string, actor: Actor): Script<Change<number>> {
  const known = yield* first<{ id: number }>('SELECT id FROM organization WHERE name = ?', name);
  if (known) return { value: known.id, isReal: false };
  const added = yield* first<{ id: number }>('INSERT INTO organization (name) VALUES (?) RETURNING id', name);
  yield* addAudit(actor, 'organization added', name);
  return { value: added?.id ?? 0, isReal: true };
}

/**
 * Find or add a user of an organization.
 *
 * @returns the user's number, and whether the user was added.
 */
export function* ensureUser(organizationId: number, name: string, actor: Actor): Script<Change<number>> {
  const sql = 'SELECT id FROM "user" WHERE organization_id = ? AND name = ?';
  const known = yield* first<{ id: number }>(sql, organizationId, name);
  if (known) return { value: known.id, isReal: false };
  const added = yield* first<{ id: number }>(
    'INSERT INTO "user" (organization_id, user_uuid, name) VALUES (?, ?, ?) RETURNING id',
    organizationId,
    randomUUID(),
    name,
  );
  yield* addAudit(actor, 'user added', name);
  return { value: added?.id ?? 0, isReal: true };
}

/** Whether a key was revoked; one that nobody has was not. */
export function* isRevoked(key: string): Script<boolean> {
  const sql = 'SELECT id FROM api_key WHERE hash = ? AND revoked_ms IS NOT NULL';
  return (yield* first(sql, hashOf(key))) !== undefined;
}

/**
 * Give a user a key; a key the user already has is left as it is.
 *
 * @param actor - who gives it.
 * @param expiresMs - when it ends, Unix ms; null: never.
 * @param role - what it may do.
 * @throws AgentError `service.key-short` below 8 characters, `service.key-taken` when another user has it,
 *   `service.key-revoked` when it was revoked.
 */
export function* ensureKey(
  userId: number,
  key: string,
  nowMs: number,
  actor: Actor,
  expiresMs: number | null = null,
  role: Role = 'full',
): Script<void> {
  if (key.length < KEY_MIN || /[^\x21-\x7e]/.test(key)) {
    throw new AgentError({
      code: 'service.key-short',
      message: `The key must have at least ${KEY_MIN} characters, letters, digits and signs without spaces.`,
      hint: 'Leave the key out to have one made.',
      retry: 'after-human',
    });
  }
  if (yield* isRevoked(key)) {
    throw new AgentError({
      code: 'service.key-revoked',
      message: 'This key was revoked.',
      hint: 'Choose another key, or leave it out to have one made.',
      retry: 'after-human',
    });
  }
  const hash = hashOf(key);
  const owner = yield* first<{ user_id: number }>('SELECT user_id FROM api_key WHERE hash = ?', hash);
  if (owner?.user_id === userId) return;
  if (owner !== undefined) {
    throw new AgentError({
      code: 'service.key-taken',
      message: 'Another user of this service has that key.',
      hint: 'Choose another key, or leave it out to have one made.',
      retry: 'after-human',
    });
  }
  const made = yield* first<{ id: number }>(
    `INSERT INTO api_key (user_id, hash, ending, created_ms, expires_ms, role) VALUES (?, ?, ?, ?, ?, ?)
     RETURNING id`,
    userId,
    hash,
    key.slice(-4),
    nowMs,
    expiresMs,
    role,
  );
  const user = yield* first<{ name: string }>('SELECT name FROM "user" WHERE id = ?', userId);
  const end = expiresMs === null ? 'does not expire' : `expires ${new Date(expiresMs).toISOString()}`;
  yield* addAudit(actor, 'key made', `key ${made?.id} of ${user?.name}, role ${role}, ${end}`);
}
