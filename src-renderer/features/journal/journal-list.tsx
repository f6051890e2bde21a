import { Link } from 'wouter';
import type { SourceView } from '../../../src-main/contract/snapshot.ts';
import { formatExact, formatMoment } from '../../format/time.ts';
import type { JournalLine } from '../../state/journal.ts';
import { LevelMark } from '../../ui/level-mark.tsx';
import classes from './journal.module.css';

interface ListProps {
  entries: readonly JournalLine[];
  nowMs: number;
  sources: readonly SourceView[];
}

/** The entries, newest first: when, what, what to do, and what it belongs to. */
export function JournalList({ entries, nowMs, sources }: ListProps) {
  const ids = new Set(sources.map(({ id }) => id));
  return (
    <ol className={classes.events} aria-label="Events, newest first">
      {entries.map(({ id, atMs, level, code, message, hint, about }) => (
        <li key={id}>
          <LevelMark level={level} />
          <time dateTime={new Date(atMs).toISOString()} title={formatExact(atMs)}>
            {formatMoment(atMs, nowMs)}
          </time>
          <div className={classes.what}>
            <bdi>{message}</bdi>
            {hint !== '' && <bdi className={classes.hint}>{hint}</bdi>}
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
}
