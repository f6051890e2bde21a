// What the handlers need of the agent beside what runs.
import type { Snapshot } from '../../contract/snapshot.ts';
import type { Caller } from '../../contract/table.ts';
import type { FindProxy } from '../../delivery/client/proxy.ts';
import type { BoundKey } from '../../platform/bound-key.ts';
import type { Clock } from '../../platform/clock.ts';
import type { SettingsChange } from '../../settings/save-settings.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';

export interface HandlerParts {
  readonly settingsFile: string;
  readonly dataFolder: string;
  readonly version: string;
  readonly key: BoundKey;
  readonly clock: Clock;
  /** How the desktop finds its proxy; left out: by the environment alone. */
  readonly systemProxy?: FindProxy;
  readonly isTrial: () => boolean;
  /** Null: nothing runs. */
  readonly pipeline: () => Pipeline | null;
  readonly snapshot: () => Snapshot;
  /**
   * Change the settings file and go over to it, one change after the other. Takes the change, who makes it, and a key to
   * keep with it (empty: as it is).
   *
   * @returns fulfilled when it runs by them; the journal says what was changed and by whom.
   * @throws `key.malformed`, `key.other-address` and those of `saveSettings` (nothing has changed); those of the start, and
   *   then the former settings run again.
   */
  readonly change: (change: SettingsChange, caller?: Caller, apiKey?: string) => Promise<void>;
}
