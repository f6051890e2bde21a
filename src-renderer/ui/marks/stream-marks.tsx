import type { SourceView, StreamView } from '../../../src-main/contract/snapshot.ts';
import { formatDuration } from '../../format/duration.ts';
import { formatCount, formatCounted } from '../../format/number.ts';
import { formatExact, formatMoment } from '../../format/time.ts';
import classes from './stream-marks.module.css';

interface MarksProps {
  stream: StreamView;
  /** The source that it is made of; null: not there any more. */
  source: SourceView | null;
  nowMs: number;
}

/**
 * How far a stream has come: read from the instrument, stored on this disk, acknowledged by the service (everything up
 * to the stamp that is told); and between the marks how far each is behind the one before.
 */
export function StreamMarks({ stream, source, nowMs }: MarksProps) {
  const waiting = Math.max(0, stream.pointsStored - stream.pointsAcknowledged - stream.pointsRefused);
  const isOpen = stream.state === 'open';
  // What was read and is not on disk yet goes into the open stream of its source.
  const unstored = isOpen ? (source?.pointsUnstored ?? 0) : 0;
  const newestMs = isOpen ? (source?.newestReadMs ?? stream.lastStoredMs) : stream.lastStoredMs;
  return (
    <ol className={classes.marks}>
      <Mark
        name="Read"
        timeMs={newestMs}
        nowMs={nowMs}
        count={stream.pointsStored + unstored}
        isReached={unstored === 0}
      />
      <Distance seconds={unstored === 0 ? 0 : behind(newestMs, stream.lastStoredMs)} points={unstored} />
      <Mark name="Stored here" timeMs={stream.lastStoredMs} nowMs={nowMs} count={stream.pointsStored} />
      <Distance seconds={waiting === 0 ? 0 : behind(stream.lastStoredMs, stream.deliveredUpToMs)} points={waiting} />
      <Mark
        name="Acknowledged"
        timeMs={stream.deliveredUpToMs}
        nowMs={nowMs}
        count={stream.pointsAcknowledged}
        isReached={waiting === 0}
        isLimit
      />
    </ol>
  );
}

interface MarkProps {
  name: string;
  timeMs: number | null;
  nowMs: number;
  count: number;
  isReached?: boolean;
  /** The stamp is one up to which all is done, not only the newest one. */
  isLimit?: boolean;
}

function Mark({ name, timeMs, nowMs, count, isReached = true, isLimit = false }: MarkProps) {
  const hasAny = timeMs !== null;
  const none = count > 0 ? 'older points wait' : 'nothing yet';
  return (
    <li className={classes.mark}>
      <span className={classes.markDot} data-filled={hasAny && isReached} aria-hidden="true" />
      <span className={classes.markName}>{name}</span>
      <span className={classes.markCount}>{formatCount(count)}</span>
      <span className={classes.markTime} title={hasAny ? formatExact(timeMs) : undefined}>
        {hasAny ? `${isLimit ? 'up to ' : ''}${formatMoment(timeMs, nowMs)}` : none}
      </span>
    </li>
  );
}

/** The way between two marks; solid when nothing is behind. */
function Distance({ seconds, points }: { seconds: number | null; points: number }) {
  const isLevel = points === 0 && (seconds ?? 0) < 1;
  const words = [
    points > 0 ? formatCounted(points, 'point') : '',
    seconds !== null && seconds > 0.05 ? formatDuration(seconds * 1000) : '',
  ].filter((word) => word !== '');
  return (
    <li className={classes.distance} data-level={isLevel}>
      <span className={classes.distanceLine} aria-hidden="true" />
      <span className={classes.distanceText}>{isLevel ? 'up to date' : `${words.join(', ')} behind`}</span>
    </li>
  );
}

function behind(aheadMs: number | null, laterMs: number | null): number | null {
  return aheadMs === null || laterMs === null ? null : Math.max(0, aheadMs - laterMs) / 1000;
}
