import type { RunningGrowth } from '../../../src-main/contract/growth.ts';
import type { Snapshot } from '../../../src-main/contract/snapshot.ts';
import { formatDuration } from '../../format/duration.ts';
import { formatCounted } from '../../format/number.ts';
import { TallLink } from '../../ui/tall-link.tsx';
import classes from './now.module.css';

/** The growth with its clock, and what waits to be delivered: in one line. */
export function NowStrip({ snapshot, nowMs }: { snapshot: Snapshot; nowMs: number }) {
  const { growth } = snapshot;
  return (
    <div className={classes.strip} data-testid="strip">
      <TallLink href="/growth">{growth === null ? 'No growth is under way' : <GrowthName growth={growth} />}</TallLink>
      {growth !== null && (
        <span className={classes.stripClock} role="timer" aria-label="Time since the start of the growth">
          {growthClock(growth, nowMs)}
        </span>
      )}
      <span className={classes.stripEnd}>
        <TallLink href="/streams">{waitingWords(ownWaiting(snapshot)) || 'Streams'}</TallLink>
      </span>
    </div>
  );
}

function GrowthName({ growth }: { growth: RunningGrowth }) {
  return growth.name === '' ? 'Growth, not named yet' : <bdi>{growth.name}</bdi>;
}

/** How long a growth has run, in whole seconds. */
export function growthClock({ startedMs }: RunningGrowth, nowMs: number): string {
  return formatDuration(Math.max(0, Math.floor((nowMs - startedMs) / 1000) * 1000));
}

/** Points that wait for the service that the settings name; null: not known. */
export function ownWaiting({ store, former }: Snapshot): number | null {
  if (store === null) return null;
  return Math.max(0, store.waitingPoints - former.reduce((sum, { points }) => sum + points, 0));
}

/** What waits on this PC; null: not known. */
export function waitingWords(waitingPoints: number | null): string {
  if (waitingPoints === null) return '';
  return waitingPoints === 0
    ? 'Nothing waits'
    : `${formatCounted(waitingPoints, 'point')} safe here, not delivered yet`;
}
