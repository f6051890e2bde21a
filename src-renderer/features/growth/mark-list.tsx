import { useState } from 'react';
import { formatDuration } from '../../format/duration.ts';
import { formatCounted } from '../../format/number.ts';
import { formatClock, formatExact } from '../../format/time.ts';
import type { Reading } from '../../state/plot.ts';
import { NOTES } from '../../ui/plot/mark-sources.ts';
import { Quiet } from '../../ui/quiet.tsx';
import classes from './timeline.module.css';

interface MarkListProps {
  reading: Reading;
  /** When the agent was started again in the span, Unix milliseconds. */
  restartsMs: readonly number[];
}

/** Marks, gaps and restarts of the span as a list, in the order of time; drawn once it is opened. */
export function MarkList({ reading: { marks, gaps, hasMoreMarks }, restartsMs }: MarkListProps) {
  const [isOpen, setIsOpen] = useState(false);
  const all = [
    ...marks.map(({ id, timeMs, sourceId, text }) => ({ key: `mark ${id}`, timeMs, sourceId, text })),
    ...gaps.map(({ id, fromMs, toMs, sourceId, cause }) => ({
      key: `gap ${id}`,
      timeMs: fromMs,
      sourceId,
      text: `gap of ${formatDuration(toMs - fromMs)}: ${cause}`,
    })),
    ...restartsMs.map((timeMs) => ({ key: `restart ${timeMs}`, timeMs, sourceId: 'agent', text: 'restarted' })),
  ].toSorted((a, b) => a.timeMs - b.timeMs);
  if (all.length === 0) return <Quiet>No mark and no gap in this time.</Quiet>;
  const counts = [
    formatCounted(marks.length, 'mark'),
    gaps.length > 0 ? formatCounted(gaps.length, 'gap') : '',
    restartsMs.length > 0 ? formatCounted(restartsMs.length, 'restart') : '',
  ].filter((words) => words !== '');
  return (
    <details className={classes.list} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{counts.join(', ')} as text</summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard.
        <ol tabIndex={0} aria-label="Marks and gaps, oldest first">
          {all.map(({ key, timeMs, sourceId, text }) => (
            <li key={key}>
              <time dateTime={new Date(timeMs).toISOString()} title={formatExact(timeMs)}>
                {formatClock(timeMs)}
              </time>
              <bdi className={classes.who}>{sourceId === NOTES ? 'note' : sourceId}</bdi>
              <bdi>{text}</bdi>
            </li>
          ))}
        </ol>
      )}
      {hasMoreMarks && <Quiet>These are the first thousand marks; zoom in to see others.</Quiet>}
    </details>
  );
}
