// The key of the embedded service for the agent itself. It lies in a file of this user alone, and is printed once, when made.
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

/**
 * Make sure that the first user of the default organization has a key. Takes the data folder, and the key wished for, or
 * null for the one made once and kept there.
 *
 * @returns that key.
 * @throws as `ensureKey`.
 */
export async function ensureOwnKey(
  engine: Engine,
  folder: string,
  wished: string | null,
  nowMs: number,
): Promise<string> {
  const key = wished ?? (await keptKey(engine, folder));
  await engine.write(function* () {
    const userId = yield* ensureUser(yield* ensureOrganization(DEFAULT_ORGANIZATION), DEFAULT_USER);
    yield* ensureKey(userId, key, nowMs);
  });
  return key;
}
