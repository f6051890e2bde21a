// What is done after a growth: files that the settings ask for. Nothing is run. What is due is kept with the end of the growth,
// in one commit, with form and folder as the settings named them then; it is tried until it is done, also after a restart.
//
// Bounds: FAILED_WAIT_MIN_MS doubled up to FAILED_WAIT_MAX_MS between two tries; one file is written at a time.
import { toAgentError } from '../model/agent-error.ts';
import { EXPORT_FORMAT_NAMES, type ExportFormat } from '../model/export.ts';
import type { Growth, GrowthStream } from '../model/growth.ts';
import type { News } from '../model/news.ts';
import { titleOf } from './growth-manager.ts';
import type { GrowthPosition } from './ports.ts';

/** Under which positions are kept; no source can have this name. */
const KEEPER = '(after growths)';
const DONE = 'done';

/** How often is looked whether something is due, milliseconds. */
const LOOK_MS = 1000;
const FAILED_WAIT_MIN_MS = 10_000;
const FAILED_WAIT_MAX_MS = 300_000;
/** The streams of a growth are closed when a later reading or silence shows that they are whole; after this long nobody waits
 * for them any more, milliseconds. */
const STREAMS_WAIT_MS = 1_800_000;

/** One file that is written after each growth. */
export interface AfterGrowth {
  readonly format: ExportFormat;
  /** Absolute path of a folder. */
  readonly folder: string;
}

interface Due {
  readonly key: string;
  readonly growthId: string;
  readonly format: ExportFormat;
  readonly folder: string;
}

export interface AfterGrowthOptions {
  readonly positions: (sourceId: string) => Promise<ReadonlyMap<string, string>>;
  readonly keep: (positions: readonly GrowthPosition[]) => Promise<void>;
  readonly growth: (id: string) => Promise<Growth | null>;
  readonly growthStreams: (parts: readonly string[]) => Promise<readonly GrowthStream[]>;
  /** Write the file; gives its path and how many points are in it. */
  readonly write: (
    due: { growth: Growth; format: ExportFormat; folder: string },
    signal: AbortSignal,
  ) => Promise<{ path: string; points: number; pointsGone: number; damagedPoints: number }>;
  readonly clock: {
    nowMs(): number;
    monotonicMs(): number;
    sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
  };
  readonly tell: (news: News, about: string) => void;
}

/**
 * Say what is due once a growth has ended, as positions that are kept with its end.
 *
 * @param growth - has ended.
 * @param after - what the settings ask for.
 */
export function dueAfter(growth: Growth, after: readonly AfterGrowth[]): GrowthPosition[] {
  return after.map(({ format, folder }, i) => {
    return { sourceId: KEEPER, key: `${growth.id} ${i}`, value: `${format} ${folder}` };
  });
}

/**
 * Write what is due, until aborted. Never rejects: what is wrong is told, and tried again.
 *
 * @param options - the queue, who writes, and who is told.
 * @param signal - ends it.
 */
export async function runAfterGrowths(options: AfterGrowthOptions, signal: AbortSignal): Promise<void> {
  const { clock } = options;
  /** By key: how often it failed, and when it is tried again. */
  const failed = new Map<string, { times: number; atMs: number }>();
  for (; !signal.aborted; await clock.sleep(LOOK_MS, signal)) {
    for (const due of await readDue(options).catch(() => [])) {
      const before = failed.get(due.key);
      if (signal.aborted || (before && clock.monotonicMs() < before.atMs)) continue;
      if (await tryOnce(options, due, signal)) {
        failed.delete(due.key);
        continue;
      }
      const times = (before?.times ?? 0) + 1;
      const waitMs = Math.min(FAILED_WAIT_MAX_MS, FAILED_WAIT_MIN_MS * 2 ** (times - 1));
      failed.set(due.key, { times, atMs: clock.monotonicMs() + waitMs });
    }
  }
}

/** What is due and whole. A disk that does not answer is asked again at the next look. */
async function readDue({
  positions,
  growth,
  growthStreams,
  clock,
}: AfterGrowthOptions): Promise<(Due & { of: Growth })[]> {
  const found: (Due & { of: Growth })[] = [];
  for (const [key, value] of await positions(KEEPER)) {
    const due = dueOf(key, value);
    const of = due && (await growth(due.growthId));
    if (!due || !of || of.endedMs === null) continue;
    const streams = await growthStreams(of.parts.map(({ id }) => id));
    const waitedMs = clock.nowMs() - of.endedMs;
    const areClosed = streams.length > 0 && streams.every(({ isClosed }) => isClosed);
    if (areClosed || waitedMs > STREAMS_WAIT_MS) found.push({ ...due, of });
  }
  return found;
}

function dueOf(key: string, value: string): Due | null {
  const cut = value.indexOf(' ');
  const format = EXPORT_FORMAT_NAMES.find((name) => name === value.slice(0, cut));
  return format ? { key, growthId: key.split(' ')[0] ?? '', format, folder: value.slice(cut + 1) } : null;
}

/** @returns whether it needs no other try. */
async function tryOnce(
  { write, keep, tell }: AfterGrowthOptions,
  { key, of, format, folder }: Due & { of: Growth },
  signal: AbortSignal,
): Promise<boolean> {
  const done = () => keep([{ sourceId: KEEPER, key, value: DONE }]);
  const growth = `Growth ${titleOf(of)}`;
  try {
    const { path, points, pointsGone, damagedPoints } = await write({ growth: of, format, folder }, signal);
    await done();
    const missing = pointsGone + damagedPoints;
    tell(
      {
        level: missing > 0 ? 'warning' : 'info',
        code: 'growth.exported',
        message: `${growth} was exported: ${points} points to ${path}.${missing > 0 ? ` ${missing} points are not in it.` : ''}`,
        hint: missing > 0 ? 'Export it again on its page once the service can be reached.' : '',
      },
      key,
    );
    return true;
  } catch (thrown) {
    if (signal.aborted) return false;
    const { code, message, hint, retry } = toAgentError(thrown);
    if (code === 'export.nothing-found') {
      await done();
      tell(
        { level: 'warning', code: 'growth.not-exported', message: `${growth} was not exported: ${message}`, hint },
        key,
      );
      return true;
    }
    const again = `Epistream tries again automatically. ${retry === 'later' ? 'Check that the folder is there and has room.' : hint}`;
    tell(
      {
        level: 'warning',
        code: 'growth.export-waits',
        message: `${growth} could not be exported to ${folder}: ${message}`,
        hint: again,
      },
      key,
    );
    return false;
  }
}
