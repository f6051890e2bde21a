// Wires the growths: to queue and recorder, to the RHEED sessions, to the uploader.

import type { Uploader } from '../../delivery/upload/uploader.ts';
import { AS_RECORDED } from '../../export/job.ts';
import { dueAfter, runAfterGrowths } from '../../growth/after-growth.ts';
import type { GrowthBook } from '../../growth/growth-book.ts';
import type { GrowthEntries } from '../../growth/growth-entries.ts';
import { GrowthManager } from '../../growth/growth-manager.ts';
import type { SessionManager } from '../../growth/rheed-session/session-manager.ts';
import { RunFileWatch } from '../../growth/run-file-watch.ts';
import type { News } from '../../model/news.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Recorder } from '../../queue/recorder/recorder.ts';
import type { Store } from '../../queue/store/store.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Exports } from './exports.ts';
import type { Journal } from './journal.ts';
import { makeNonce } from './nonce.ts';
import type { SettingsInForce } from './settings-in-force.ts';

export interface GrowthParts {
  readonly book: GrowthBook;
  readonly entries: GrowthEntries;
  /** Sources may be added while the agent runs. */
  readonly inForce: SettingsInForce;
  readonly store: Store;
  readonly recorder: Recorder;
  readonly sessions: SessionManager;
  readonly uploader: Uploader;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly onChange: () => void;
  /** Whether a person is asked what becomes of a growth that is taken up. */
  readonly isAsking: boolean;
}

export interface RunFileParts {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly isDrain: boolean;
}

/**
 * Open the desk of the growths. A growth that ran when the agent ended is taken up.
 *
 * @throws those of the store.
 */
export function openGrowths(parts: GrowthParts): Promise<GrowthManager> {
  const { book, entries, inForce, store, recorder, sessions, uploader, clock, journal, onChange, isAsking } = parts;
  return GrowthManager.open({
    book,
    entries,
    store,
    recorder,
    sessions,
    clock,
    makeNonce,
    onChange,
    rheedSources: () => inForce.now.sources.filter(({ kind }) => kind === 'rheed').map(({ id }) => id),
    onEntries: () => uploader.releaseEntries(),
    dueAfter: (growth) => dueAfter(growth, inForce.now.growth.after),
    isAsking,
    tell: (news, about) => journal.record(news, about),
  });
}

/** Begin and end growths by the files of a folder, until aborted; nothing happens where the settings name none. */
export async function watchRunFiles(desk: GrowthManager, parts: RunFileParts, signal: AbortSignal): Promise<void> {
  const { settings, store, clock, journal, isDrain } = parts;
  const folder = settings.growth.runFiles;
  // A drain reads what is there and ends: nobody waits for a run.
  if (folder === null || isDrain) return;
  const positions = (sourceId: string) => store.positions(sourceId);
  const tell = (news: News, about: string) => journal.record(news, about);
  await new RunFileWatch({ folder, desk, positions, clock, tell }).run(signal);
}

/** Write the files that the settings asked for when a growth ended, until aborted. */
export async function exportAfterGrowths(
  desk: GrowthManager,
  exports: Exports,
  { store, clock, journal, isDrain }: Omit<RunFileParts, 'settings'>,
  signal: AbortSignal,
): Promise<void> {
  if (isDrain) return;
  const write: Parameters<typeof runAfterGrowths>[0]['write'] = ({ growth, format, folder }, signal) => {
    const name = growth.parts.at(-1)?.name || `growth ${growth.id}`;
    const what = { choice: { growth: growth.id }, channels: [], csv: AS_RECORDED, asksService: true };
    return exports.write({ ...what, format, folder, name }, signal);
  };
  const positions = (sourceId: string) => store.positions(sourceId);
  const growth = (id: string) => store.growth(id);
  const growthStreams = (parts: readonly string[]) => store.growthStreams(parts);
  const keep = (some: Parameters<GrowthManager['keep']>[0]) => desk.keep(some);
  const tell = (news: News, about: string) => journal.record(news, about);
  await runAfterGrowths({ positions, keep, growth, growthStreams, write, clock, tell }, signal);
}
