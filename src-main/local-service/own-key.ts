// The key of the embedded service for the agent itself. It lies in a file of this user alone, and is printed once, when made.
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hereActor } from './storage/audit.ts';
import type { Engine } from './storage/engine.ts';
import {
  DEFAULT_ORGANIZATION,
  DEFAULT_USER,
  ensureKey,
  ensureOrganization,
  ensureUser,
  isRevoked,
  makeKey,
} from './storage/identity.ts';
import { first, type Script } from './storage/script.ts';

const FILE_NAME = 'service.key';

/** Whether a key was made here at an earlier start. */
export function hasOwnKey(folder: string): boolean {
  return existsSync(join(folder, FILE_NAME));
}

/** Read the key made at an earlier start, or make one and keep it, readable by this user of the PC only. A revoked one goes. */
async function keptKey(engine: Engine, folder: string): Promise<string> {
  const path = join(folder, FILE_NAME);
  if (existsSync(path)) {
    const kept = readFileSync(path, 'utf8').trim();
    if (kept && !(await engine.read(() => isRevoked(kept)))) return kept;
  }
  const key = makeKey();
  writeFileSync(path, `${key}\n`, { mode: 0o600 });
  chmodSync(path, 0o600);
  return key;
}

/** Make a key unless the first user has a good one, which nobody can tell any more. */
function* firstKey(nowMs: number): Script<string | null> {
  const good = yield* first(
    `SELECT k.id FROM api_key k JOIN "user" u ON u.id = k.user_id JOIN organization o ON o.id = u.organization_id
     WHERE o.name = ? AND u.name = ? AND k.revoked_ms IS NULL AND (k.expires_ms IS NULL OR k.expires_ms > ?)`,
    DEFAULT_ORGANIZATION,
    DEFAULT_USER,
    nowMs,
  );
  return good ? null : makeKey();
}

/**
 * Make sure that the first user of the default organization has a key. Takes the data folder, null where there is none, and the
 * key wished for, or null for the one made once and kept in the folder.
 *
 * @returns that key; empty where there is no folder and it was made at an earlier start.
 * @throws as `ensureKey`.
 */
export async function ensureOwnKey(
  engine: Engine,
  folder: string | null,
  wished: string | null,
  nowMs: number,
): Promise<string> {
  const given = wished ?? (folder === null ? null : await keptKey(engine, folder));
  return engine.write(function* () {
    const key = given ?? (yield* firstKey(nowMs));
    if (key === null) return '';
    const actor = hereActor();
    const { value: organizationId } = yield* ensureOrganization(DEFAULT_ORGANIZATION, actor);
    const { value: userId } = yield* ensureUser(organizationId, DEFAULT_USER, actor);
    yield* ensureKey(userId, key, nowMs, actor);
    return key;
  });
}
