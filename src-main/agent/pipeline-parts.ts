// What a run of the pipeline is started with, and what it is made of.
import type { GrowthDesk } from '../growth/growth-desk.ts';
import type { Clock } from '../platform/clock.ts';
import type { ClockWatch } from '../platform/clock-watch.ts';
import type { Recorder } from '../recorder/recorder.ts';
import type { SessionDesk } from '../rheed-session/session-desk.ts';
import type { FindProxy } from '../service/proxy.ts';
import type { Settings } from '../settings/settings.ts';
import type { OldDataWanted } from '../sources/log/log-source.ts';
import type { Store } from '../store/store.ts';
import type { Uploader } from '../upload/uploader.ts';
import type { Journal } from './journal.ts';
import type { Pause } from './pause-gate.ts';
import type { ServiceLink } from './service-link.ts';

export interface PipelineOptions {
  readonly settings: Settings;
  /** The queue file; its folder exists. */
  readonly queuePath: string;
  /** Folder of the embedded service. */
  readonly serviceFolder: string;
  readonly apiKey: () => string | null;
  /** How the desktop finds its proxy; left out: by the environment alone. */
  readonly systemProxy?: FindProxy | undefined;
  readonly clock: Clock;
  readonly journal: Journal;
  /** Something that the screen shows has changed. */
  readonly onChange: () => void;
  /** Read the log folders to the end that they have now, and stop there. */
  readonly isDrain: boolean;
  /** Old data that a drain reads besides, by source; then these sources alone. Null: as the settings say. */
  readonly fill: OldDataWanted | null;
}

/** Its parts, each started already. */
export interface PipelineParts {
  readonly store: Store;
  readonly link: ServiceLink;
  readonly recorder: Recorder;
  readonly uploader: Uploader;
  readonly rheed: SessionDesk;
  readonly growth: GrowthDesk;
  readonly watch: ClockWatch;
  readonly pause: Pause;
}
