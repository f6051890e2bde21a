// What the health of a source means now: a growth expects data of each source, and of a camera once it has filmed in it;
// between growths a camera has nothing to film. The one value that sentence, tiles, wall, tray, journal and commands read.
import type { SourceView } from '../../contract/snapshot.ts';
import type { Facts } from './facts.ts';

/** Grace period for the first data after the agent or the growth began, milliseconds; and after which their absence is silence. */
export const OPENING_MS = 30_000;
const NONE_MS = 600_000;

/** The sources with the health that is shown, and since when nothing came of them. Pure. */
export function judgeHealth(facts: Facts): SourceView[] {
  return facts.sources.map((source) => ({
    ...source,
    health: healthOf(facts, source),
    lastDataMs: source.lastDataMs ?? storedBeforeMs(facts, source.id),
  }));
}

function healthOf({ growth, atMs, service }: Facts, source: SourceView): SourceView['health'] {
  const { kind, health, state, lastCaptureMs, rowsRead, pointsRead } = source;
  if (state === 'finished' || state === 'stopped') return 'idle';
  if (health === 'gone' || health === 'giving') return health;
  const beganMs = growth?.startedMs ?? Number.POSITIVE_INFINITY;
  if (kind === 'rheed') return (lastCaptureMs ?? 0) < beganMs ? 'idle' : health;
  // A log of events alone has no rhythm.
  const hasEventsOnly = pointsRead === 0 && rowsRead > 0;
  const waitedMs = atMs - Math.max(beganMs, service?.startedMs ?? 0);
  if (health !== 'idle' || growth === null || hasEventsOnly || waitedMs < OPENING_MS) return health;
  return waitedMs < NONE_MS ? 'late' : 'silent';
}

/** Stamp of the newest reading of a source that was stored before this agent began; null: none is known. */
function storedBeforeMs({ tally, service }: Facts, sourceId: string): number | null {
  const stamps = (tally?.streams ?? []).flatMap((stream) =>
    stream.sourceId === sourceId && stream.lastStoredMs !== null ? [stream.lastStoredMs] : [],
  );
  // Stamps in the future are ignored.
  return stamps.length === 0 ? null : Math.min(Math.max(...stamps), service?.startedMs ?? Number.POSITIVE_INFINITY);
}
