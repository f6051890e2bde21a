// Organizations, users and keys, for the command line. It works on the service's place (its folder, or the address of its database),
// beside a running service too. What looks or takes back makes no service where there is none (`service.storage-missing`).
import { AgentError } from '../model/agent-error.ts';
import { type AuditLine, addAudit, hereActor, listAudit } from './storage/audit.ts';
import type { Engine } from './storage/engine.ts';
import {
  DEFAULT_ORGANIZATION,
  DEFAULT_USER,
  ensureKey,
  ensureOrganization,
  ensureUser,
  makeKey,
  type Role,
} from './storage/identity.ts';
import { isDatabase, openEngine } from './storage/open-engine.ts';
import { all, first, run, type Script } from './storage/script.ts';

export { type Role, roles } from './storage/identity.ts';
export { isDatabase } from './storage/open-engine.ts';

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
  readonly role: Role;
}

/** How a command is told where the service keeps its data, for hints. */
const optionOf = (place: string) => (isDatabase(place) ? '--database URL' : '--data D');

async function withEngine<T>(place: string, mustExist: boolean, work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = await openEngine(place, { mustExist });
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

/** Add something; the service's place is made where there is none yet. */
const addIn = <T>(place: string, script: () => Script<T>) => withEngine(place, false, ({ write }) => write(script));

/** Change what must be there. */
const changeIn = <T>(place: string, script: () => Script<T>) => withEngine(place, true, ({ write }) => write(script));

/** Look. A place that is mistyped is told so, and stays as it is. */
const lookIn = <T>(place: string, script: () => Script<T>) => withEngine(place, true, ({ read }) => read(script));

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

function* findOrganization(place: string, name: string): Script<number> {
  const found = yield* first<{ id: number }>('SELECT id FROM organization WHERE name = ?', name);
  if (found) return found.id;
  throw new AgentError({
    code: 'service.organization-unknown',
    message: `There is no organization ${JSON.stringify(name)} in this service.`,
    hint: `Add it first with: service org add ${optionOf(place)} --name ${JSON.stringify(name)}`,
    retry: 'after-human',
  });
}

function* findUser(place: string, organization: string, name: string): Script<number> {
  const organizationId = yield* findOrganization(place, organization);
  const sql = 'SELECT id FROM "user" WHERE organization_id = ? AND name = ?';
  const found = yield* first<{ id: number }>(sql, organizationId, name);
  if (found) return found.id;
  throw new AgentError({
    code: 'service.user-unknown',
    message: `There is no user ${JSON.stringify(name)} in the organization ${JSON.stringify(organization)}.`,
    hint: `Add the user first with: service user add ${optionOf(place)} --org ${JSON.stringify(organization)} --name ${JSON.stringify(name)}`,
    retry: 'after-human',
  });
}

/**
 * Add an organization; one that is there is left as it is. Takes the service's place, a name of 1 to 200 characters.
 *
 * @returns whether it was added.
 * @throws AgentError `service.name-unfit`.
 */
export async function addOrganization(place: string, name: string): Promise<boolean> {
  const { isReal } = await addIn(place, () => ensureOrganization(checkName('an organization', name), hereActor()));
  return isReal;
}

/** List the organizations by name. */
export async function listOrganizations(place: string): Promise<string[]> {
  const rows = await lookIn(place, () => all<{ name: string }>('SELECT name FROM organization ORDER BY name'));
  return rows.map(({ name }) => name);
}

/**
 * Add a user; one that is there is left as it is.
 *
 * @returns whether the user was added.
 * @throws AgentError `service.organization-unknown`, `service.name-unfit`.
 */
export async function addUser(
  place: string,
  user: string,
  organization: string = DEFAULT_ORGANIZATION,
): Promise<boolean> {
  const { isReal } = await addIn(place, function* () {
    const actor = hereActor();
    if (organization === DEFAULT_ORGANIZATION) yield* ensureOrganization(organization, actor);
    return yield* ensureUser(yield* findOrganization(place, organization), checkName('a user', user), actor);
  });
  return isReal;
}

/** List the users of all organizations. */
export async function listUsers(place: string): Promise<readonly UserRow[]> {
  return lookIn(place, () =>
    all<UserRow>(
      `SELECT o.name AS organization, u.name AS "user" FROM "user" u JOIN organization o ON o.id = u.organization_id
       ORDER BY o.name, u.name`,
    ),
  );
}

/**
 * Give a user a key. Takes user and organization (absent: the first user of the default one), the key wished for (absent: one
 * is made), the days for which it is good (absent: for ever), and what it may do (absent:
 * everything).
 *
 * @returns the key. It is not kept and cannot be shown again.
 * @throws AgentError `service.organization-unknown`, `service.user-unknown`, `service.key-short`, `service.key-taken`.
 */
export async function addKey(
  place: string,
  {
    organization = DEFAULT_ORGANIZATION,
    user,
    key = makeKey(),
    days,
    role = 'full',
  }: { organization?: string; user?: string; key?: string; days?: number; role?: Role } = {},
): Promise<string> {
  return addIn(place, function* () {
    const actor = hereActor();
    if (organization === DEFAULT_ORGANIZATION) {
      const { value: defaultId } = yield* ensureOrganization(organization, actor);
      if (user === undefined || user === DEFAULT_USER) yield* ensureUser(defaultId, DEFAULT_USER, actor);
    }
    const userId = yield* findUser(place, organization, user ?? DEFAULT_USER);
    const nowMs = Date.now();
    yield* ensureKey(userId, key, nowMs, actor, days === undefined ? null : nowMs + days * DAY_MS, role);
    return key;
  });
}

const DAY_MS = 86_400_000;

/** What a key was that is taken back. */
interface TakenKey {
  readonly userId: number;
  readonly role: Role;
  readonly createdMs: number;
  readonly expiresMs: number | null;
  /** When it was taken back before; null: it was not. */
  readonly revokedMs: number | null;
}

function* revoke(place: string, id: number): Script<TakenKey> {
  const taken = yield* first<TakenKey>(
    `SELECT user_id AS "userId", role, created_ms AS "createdMs", expires_ms AS "expiresMs", revoked_ms AS "revokedMs"
     FROM api_key WHERE id = ?`,
    id,
  );
  if (!taken) {
    throw new AgentError({
      code: 'service.key-unknown',
      message: `This service has no key with the number ${id}.`,
      hint: `See the numbers with: service key list ${optionOf(place)}`,
      retry: 'after-human',
    });
  }
  if (taken.revokedMs === null) {
    yield* run('UPDATE api_key SET revoked_ms = ? WHERE id = ?', Date.now(), id);
    yield* addAudit(hereActor(), 'key revoked', `key ${id}`);
  }
  return taken;
}

/**
 * Take a key back: the next request with it is refused, in a running service too. A key that was taken back stays so.
 *
 * @returns whether it was good until now, or had expired; not, when it was taken back before.
 * @throws AgentError `service.key-unknown`, `service.storage-missing`.
 */
export async function revokeKey(place: string, id: number): Promise<boolean> {
  return (await changeIn(place, () => revoke(place, id))).revokedMs === null;
}

/**
 * Take a key back and give its user another one, with its role, and for as long as that one was given.
 *
 * @returns the new key. It is not kept and cannot be shown again.
 * @throws AgentError `service.key-unknown`, `service.storage-missing`.
 */
export async function replaceKey(place: string, id: number): Promise<string> {
  return changeIn(place, function* () {
    const key = makeKey();
    const { userId, role, createdMs, expiresMs } = yield* revoke(place, id);
    const nowMs = Date.now();
    const endMs = expiresMs === null ? null : nowMs + expiresMs - createdMs;
    yield* ensureKey(userId, key, nowMs, hereActor(), endMs, role);
    return key;
  });
}

/** List who has keys, revoked ones included, with the last four characters of each. */
export async function listKeys(place: string): Promise<readonly KeyRow[]> {
  return lookIn(place, () =>
    all<KeyRow>(
      `SELECT k.id, o.name AS organization, u.name AS "user", k.ending, k.created_ms AS "createdMs",
         k.expires_ms AS "expiresMs", k.revoked_ms AS "revokedMs", k.used_ms AS "usedMs", k.role
       FROM api_key k JOIN "user" u ON u.id = k.user_id JOIN organization o ON o.id = u.organization_id ORDER BY k.id`,
    ),
  );
}

/** Read who changed what a lab relies on, the newest lines, oldest first. */
export async function listAuditLines(place: string, most: number): Promise<readonly AuditLine[]> {
  return lookIn(place, () => listAudit(most));
}
