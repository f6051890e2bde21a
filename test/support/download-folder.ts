import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { tempFolder } from './temp-folder.ts';

/** Gives the user of this test a download folder of its own. */
export function useDownloadFolder(): string {
  const home = tempFolder('home');
  for (const name of ['HOME', 'USERPROFILE']) vi.stubEnv(name, home);
  onTestFinished(() => void vi.unstubAllEnvs());
  const folder = join(home, 'Downloads');
  mkdirSync(folder);
  return folder;
}
