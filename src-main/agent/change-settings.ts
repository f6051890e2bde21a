// Going over to other settings while the agent runs. Where sources alone differ, only they restart; else the whole run
// does: capture ends, all of it is on disk, and the next run goes on at the positions that the queue holds.
import { readFile } from 'node:fs/promises';
import { writeFileAtomic } from '../platform/atomic-file.ts';
import type { BoundKey } from '../platform/bound-key.ts';
import { readSettings } from '../settings/read-settings.ts';
import { type SettingsChange, saveSettings } from '../settings/save-settings.ts';
import type { Settings } from '../settings/settings.ts';

export interface ChangeOptions {
  readonly file: string;
  readonly key: BoundKey;
  /** Take them over without a stop; false: that is not possible. */
  readonly take: (settings: Settings) => Promise<boolean>;
  /** Stop the run for one by other settings, and start one. `start` rejects when it cannot begin. */
  readonly stop: (next: Settings) => Promise<void>;
  readonly start: (settings: Settings) => Promise<void>;
}

/**
 * Change the settings file and go over to it. Takes the change, and a key that is kept once nothing is sent any more by the
 * former settings (empty: none).
 *
 * @throws those of `saveSettings`, and `key.other-address` where the kept key would go to another address: nothing has changed
 *   then. Those of `start`: file and key are put back, and the run goes on as before.
 */
export async function changeSettings(options: ChangeOptions, change: SettingsChange, apiKey: string): Promise<void> {
  const { file, key, take, stop, start } = options;
  const formerText = await readFile(file);
  const formerSettings = await readSettings(file);
  const settings = await saveSettings(file, (current) => {
    const wanted = change(current);
    const url = wanted.service?.url;
    if (apiKey === '' && url !== undefined && url !== current?.service?.url) key.expectFor(url);
    return wanted;
  });
  if (apiKey === '' && (await take(settings))) return;
  await stop(settings);
  let putKeyBack = async () => {};
  try {
    if (apiKey !== '') putKeyBack = await key.keep(apiKey, settings.service.url);
    await start(settings);
  } catch (thrown) {
    await writeFileAtomic(file, formerText);
    await putKeyBack();
    await start(formerSettings);
    throw thrown;
  }
}
