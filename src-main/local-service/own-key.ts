// The key of the embedded service for the agent itself. It lies in a file of this user alone, and is printed once, when made.
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  DEFAULT_ORGANIZATION,
  DEFAULT_USER,
  ensureKey,
  ensureOrganization,
  ensureUser,
  isRevoked,
  makeKey,
} from './storage/identity.ts';
import type { ServiceDatabase } from './storage/sqlite/database.ts';

const FILE_NAME = 'service.key';

/** Whether a key was made here at an earlier start. */
export function hasOwnKey(folder: string): boolean {
  return existsSync(join(folder, FILE_NAME));
}

/** Read the key made at an earlier start, or make one and keep it, readable by this user of the PC only. A revoked one goes. */
function keptKey(db: ServiceDatabase, folder: string): string {
  const path = join(folder, FILE_NAME);
  if (existsSync(path)) {
    const kept = readFileSync(path, 'utf8').trim();
    if (kept && !isRevoked(db, kept)) return kept;
  }
  const key = makeKey();
  writeFileSync(path, `${key}\n`, { mode: 0o600 });
  chmodSync(path, 0o600);
  return key;
}

/**
 * Make sure that the first user of the default organization has a key. Takes the data folder, and the key wished for, or
 * null for the one made once and kept there.
 *
 * @returns that key.
 * @throws as `ensureKey`.
 */
export function ensureOwnKey(db: ServiceDatabase, folder: string, wished: string | null, nowMs: number): string {
  const key = wished ?? keptKey(db, folder);
  db.transaction(() => {
    const userId = ensureUser(db, ensureOrganization(db, DEFAULT_ORGANIZATION), DEFAULT_USER);
    ensureKey(db, userId, key, nowMs);
  }).immediate();
  return key;
}
