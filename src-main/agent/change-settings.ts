// Going over to other settings while the agent runs. Where sources alone differ, only they begin anew; else the whole run
// does: capture ends, all of it is on disk, and the next run goes on at the positions that the queue holds.
import { readFile } from 'node:fs/promises';
import { writeFileAtomic } from '../platform/atomic-file.ts';
import type { ApiKeyStore } from '../platform/secrets.ts';
import { readSettings } from '../settings/read-settings.ts';
import { type SettingsChange, saveSettings } from '../settings/save-settings.ts';
import type { Settings } from '../settings/settings.ts';

export interface ChangeOptions {
  readonly file: string;
  readonly keys: ApiKeyStore;
  /** Take them over without a stop; false: that is not possible. */
  readonly take: (settings: Settings) => Promise<boolean>;
  /** Stop the run, and start one. `start` rejects when it cannot begin. */
  readonly stop: () => Promise<void>;
  readonly start: (settings: Settings) => Promise<void>;
}

/**
 * Change the settings file and go over to it.
 *
 * **Takes**: the change, and a key that is kept once nothing is sent any more by the former settings (empty: none).
 * **Errors**: those of `saveSettings`: nothing has changed then. Those of `start`: file and key are put back, and the run
 * goes on as before.
 */
export async function changeSettings(options: ChangeOptions, change: SettingsChange, apiKey: string): Promise<void> {
  const { file, keys, take, stop, start } = options;
  const formerText = await readFile(file);
  const formerSettings = await readSettings(file);
  const formerKey = keys.read();
  const settings = await saveSettings(file, change);
  if (apiKey === '' && (await take(settings))) return;
  await stop();
  try {
    if (apiKey !== '') await keys.keep(apiKey);
    await start(settings);
  } catch (thrown) {
    await writeFileAtomic(file, formerText);
    if (apiKey !== '' && formerKey !== null) await keys.keep(formerKey);
    await start(formerSettings);
    throw thrown;
  }
}
