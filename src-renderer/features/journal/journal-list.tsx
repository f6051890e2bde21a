import { memo } from 'react';
import { Link } from 'wouter';
import { formatExact, formatMoment, inZone } from '../../format/time.ts';
import type { JournalLine } from '../../state/journal.ts';
import { useTimeZone } from '../../state/time-zone.ts';
import { LevelMark } from '../../ui/marks/level-mark.tsx';
import classes from './journal.module.css';

interface ListProps {
  entries: readonly JournalLine[];
  nowMs: number;
  /** A line each. */
  sourceIds: string;
}

/** The entries, newest first: when, what, what to do, and what it belongs to. */
export const JournalList = memo(function JournalList({ entries, nowMs, sourceIds }: ListProps) {
  useTimeZone();
  const ids = new Set(sourceIds.split('\n'));
  return (
    <ol className={classes.events} aria-label="Events, newest first">
      {entries.map(({ id, atMs, level, code, message, hint, about }) => (
        <li key={id}>
          <LevelMark level={level} />
          <time dateTime={new Date(atMs).toISOString()} title={formatExact(atMs)}>
            {formatMoment(atMs, nowMs)}
          </time>
          <div className={classes.what}>
            <bdi>{inZone(message)}</bdi>
            {hint !== '' && <bdi className={classes.hint}>{inZone(hint)}</bdi>}
            <span className={classes.code}>
              {ids.has(about) && (
                <>
                  <Link href={`/sources/${encodeURIComponent(about)}`}>
                    <bdi>{about}</bdi>
                  </Link>
                  {' · '}
                </>
              )}
              {code}
            </span>
          </div>
        </li>
      ))}
    </ol>
  );
});
