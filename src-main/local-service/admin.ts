// Organizations, users and keys, for the command line. It works on the service's folder, beside a running service too.
import { AgentError } from '../model/agent-error.ts';
import {
  DEFAULT_ORGANIZATION,
  DEFAULT_USER,
  ensureKey,
  ensureOrganization,
  ensureUser,
  makeKey,
} from './storage/identity.ts';
import { openDatabase, type ServiceDatabase } from './storage/sqlite/database.ts';

export interface UserRow {
  readonly organization: string;
  readonly user: string;
}

export interface KeyRow extends UserRow {
  /** What `service key revoke` calls it by. */
  readonly id: number;
  /** The last four characters; the key itself is not kept. */
  readonly ending: string;
  readonly createdMs: number;
  /** When it ends; null: never. */
  readonly expiresMs: number | null;
  /** When it was taken back; null: it was not. */
  readonly revokedMs: number | null;
  /** When it was last used, to the minute; null: never. */
  readonly usedMs: number | null;
}

function withDatabase<T>(folder: string, work: (db: ServiceDatabase) => T): T {
  const db = openDatabase(folder);
  try {
    return db.transaction(work).immediate(db);
  } finally {
    db.close();
  }
}

function checkName(what: string, name: string): string {
  const plain = name.trim();
  if (plain && plain.length <= 200) return plain;
  throw new AgentError({
    code: 'service.name-unfit',
    message: `${JSON.stringify(name)} is not a name for ${what}.`,
    hint: 'Give 1 to 200 characters.',
    retry: 'after-human',
  });
}

function findOrganization(db: ServiceDatabase, name: string): number {
  const id = db.prepare<[string], number>('SELECT id FROM organization WHERE name = ?').pluck().get(name);
  if (id !== undefined) return id;
  throw new AgentError({
    code: 'service.organization-unknown',
    message: `There is no organization ${JSON.stringify(name)} in this service.`,
    hint: `Add it first with: service org add --data D --name ${JSON.stringify(name)}`,
    retry: 'after-human',
  });
}

function findUser(db: ServiceDatabase, organization: string, name: string): number {
  const find = db.prepare<[number, string], number>('SELECT id FROM user WHERE organization_id = ? AND name = ?');
  const id = find.pluck().get(findOrganization(db, organization), name);
  if (id !== undefined) return id;
  throw new AgentError({
    code: 'service.user-unknown',
    message: `There is no user ${JSON.stringify(name)} in the organization ${JSON.stringify(organization)}.`,
    hint: `Add the user first with: service user add --data D --org ${JSON.stringify(organization)} --name ${JSON.stringify(name)}`,
    retry: 'after-human',
  });
}

/** Add an organization; one that is there is left as it is. Takes the service's folder, a name of 1 to 200 characters. */
export function addOrganization(folder: string, name: string): void {
  withDatabase(folder, (db) => ensureOrganization(db, checkName('an organization', name)));
}

/** List the organizations by name. */
export function listOrganizations(folder: string): string[] {
  return withDatabase(folder, (db) =>
    db.prepare<[], string>('SELECT name FROM organization ORDER BY name').pluck().all(),
  );
}

/**
 * Add a user; one that is there is left as it is.
 *
 * @throws AgentError `service.organization-unknown`, `service.name-unfit`.
 */
export function addUser(folder: string, user: string, organization: string = DEFAULT_ORGANIZATION): void {
  withDatabase(folder, (db) => {
    if (organization === DEFAULT_ORGANIZATION) ensureOrganization(db, organization);
    ensureUser(db, findOrganization(db, organization), checkName('a user', user));
  });
}

/** List the users of all organizations. */
export function listUsers(folder: string): UserRow[] {
  return withDatabase(folder, (db) =>
    db
      .prepare<[], UserRow>(
        `SELECT o.name AS organization, u.name AS user FROM user u JOIN organization o ON o.id = u.organization_id
         ORDER BY o.name, u.name`,
      )
      .all(),
  );
}

/**
 * Give a user a key. Takes user and organization (absent: the first user of the default one), the key wished for (absent: one
 * is made), and the days for which it is good (absent: for ever).
 *
 * @returns the key. It is not kept and cannot be shown again.
 * @throws AgentError `service.organization-unknown`, `service.user-unknown`, `service.key-short`, `service.key-taken`.
 */
export function addKey(
  folder: string,
  {
    organization = DEFAULT_ORGANIZATION,
    user,
    key = makeKey(),
    days,
  }: { organization?: string; user?: string; key?: string; days?: number } = {},
): string {
  return withDatabase(folder, (db) => {
    if (organization === DEFAULT_ORGANIZATION) {
      const defaultId = ensureOrganization(db, organization);
      if (user === undefined || user === DEFAULT_USER) ensureUser(db, defaultId, DEFAULT_USER);
    }
    const userId = findUser(db, organization, user ?? DEFAULT_USER);
    const nowMs = Date.now();
    ensureKey(db, userId, key, nowMs, days === undefined ? null : nowMs + days * DAY_MS);
    return key;
  });
}

const DAY_MS = 86_400_000;

function revoke(db: ServiceDatabase, id: number): number {
  const take = db.prepare<[number, number], number>(
    'UPDATE api_key SET revoked_ms = coalesce(revoked_ms, ?) WHERE id = ? RETURNING user_id',
  );
  const userId = take.pluck().get(Date.now(), id);
  if (userId !== undefined) return userId;
  throw new AgentError({
    code: 'service.key-unknown',
    message: `This service has no key with the number ${id}.`,
    hint: 'See the numbers with: service key list --data D',
    retry: 'after-human',
  });
}

/**
 * Take a key back: the next request with it is refused, in a running service too. A key that was taken back stays so.
 *
 * @throws AgentError `service.key-unknown`.
 */
export function revokeKey(folder: string, id: number): void {
  withDatabase(folder, (db) => revoke(db, id));
}

/**
 * Take a key back and give its user another one.
 *
 * @returns the new key. It is not kept and cannot be shown again.
 * @throws AgentError `service.key-unknown`.
 */
export function replaceKey(folder: string, id: number): string {
  return withDatabase(folder, (db) => {
    const key = makeKey();
    ensureKey(db, revoke(db, id), key, Date.now());
    return key;
  });
}

/** List who has keys, revoked ones included, with the last four characters of each. */
export function listKeys(folder: string): KeyRow[] {
  return withDatabase(folder, (db) =>
    db
      .prepare<[], KeyRow>(
        `SELECT k.id, o.name AS organization, u.name AS user, k.ending, k.created_ms AS createdMs,
           k.expires_ms AS expiresMs, k.revoked_ms AS revokedMs, k.used_ms AS usedMs FROM api_key k JOIN user u ON u.id = k.user_id JOIN organization o ON o.id = u.organization_id ORDER BY k.id`,
      )
      .all(),
  );
}
