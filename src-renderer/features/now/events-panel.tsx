import type { JournalEntry } from '../../../src-main/contract/snapshot.ts';
import { formatExact, formatMoment } from '../../format/time.ts';
import { LevelMark } from '../../ui/marks/level-mark.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import scroll from '../../ui/rows.module.css';
import classes from './now.module.css';

/** What happened lately, newest first. */
export function EventsPanel({ journal, nowMs }: { journal: readonly JournalEntry[]; nowMs: number }) {
  return (
    <Panel title="Events">
      {journal.length === 0 && <Quiet>Nothing has happened yet.</Quiet>}
      {journal.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard.
        <ol className={`${scroll.rows} ${classes.events}`} tabIndex={0} aria-label="Events, newest first">
          {journal.map((entry) => (
            <li key={entry.id}>
              <LevelMark level={entry.level} />
              <time dateTime={new Date(entry.atMs).toISOString()} title={formatExact(entry.atMs)}>
                {formatMoment(entry.atMs, nowMs)}
              </time>
              <div>
                <bdi>{entry.message}</bdi>
                {entry.hint !== '' && <bdi className={classes.noteHint}>{entry.hint}</bdi>}
              </div>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
