import { formatDuration } from '../../format/duration.ts';
import { formatCount, formatCounted } from '../../format/number.ts';
import { formatExact, formatMoment } from '../../format/time.ts';
import type { Reading } from '../../state/plot.ts';
import { Panel } from '../../ui/panel.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import scroll from '../../ui/rows.module.css';
import classes from './plots.module.css';

/** Rows shown of each list. */
const SHOWN_MAX = 200;

/** What stands beside the lines of a span as text: marks of event logs, gaps, and cells that were no numbers. */
export function BesidePanels({ reading }: { reading: Reading }) {
  const { marks, hasMoreMarks, gaps, cells, toMs } = reading;
  return (
    <div className={classes.beside}>
      <Panel title="Marks in this time" aside={<span>{marksText(marks.length, hasMoreMarks)}</span>}>
        {marks.length === 0 && <Quiet>No mark lies in this time.</Quiet>}
        <List
          label="Marks"
          rows={marks
            .toSorted((one, other) => one.timeMs - other.timeMs)
            .map(({ id, timeMs, text, sourceId }) => ({ id, timeMs, words: text, of: sourceId }))}
          toMs={toMs}
        />
      </Panel>
      <Panel title="Gaps in this time" aside={<span>{formatCount(gaps.length)}</span>}>
        {gaps.length === 0 && <Quiet>No gap is known of these sources in this time.</Quiet>}
        <List
          label="Gaps"
          rows={gaps.map(({ id, fromMs, toMs: endMs, cause, sourceId }) => ({
            id,
            timeMs: fromMs,
            words: `${formatDuration(endMs - fromMs)}: ${cause}`,
            of: sourceId,
          }))}
          toMs={toMs}
        />
      </Panel>
      <Panel title="Non-numeric values" aside={<span>{formatCount(cells.length)}</span>}>
        <Quiet>
          {cells.length === 0
            ? 'All values of these sources in this time are numbers.'
            : 'Over-range and the like, shown as a cross at the foot of the plot, never as a value.'}
        </Quiet>
        <List
          label="Non-numeric values"
          rows={cells.map(({ id, timeMs, channel, text, reason }) => ({
            id,
            timeMs,
            words: `"${text}": ${reason}`,
            of: channel,
          }))}
          toMs={toMs}
        />
      </Panel>
    </div>
  );
}

const marksText = (count: number, hasMore: boolean) =>
  hasMore ? `the first ${formatCounted(count, 'mark')}` : formatCount(count);

interface ListProps {
  label: string;
  rows: readonly { id: number; timeMs: number; words: string; of: string }[];
  toMs: number;
}

function List({ label, rows, toMs }: ListProps) {
  if (rows.length === 0) return null;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard. */}
      <ol className={`${scroll.rows} ${classes.list}`} tabIndex={0} aria-label={label}>
        {rows.slice(0, SHOWN_MAX).map(({ id, timeMs, words, of }) => (
          <li key={id}>
            <time dateTime={new Date(timeMs).toISOString()} title={formatExact(timeMs)}>
              {formatMoment(timeMs, toMs)}
            </time>
            <div>
              <bdi className={classes.of}>{of}</bdi>
              <bdi>{words}</bdi>
            </div>
          </li>
        ))}
      </ol>
      {rows.length > SHOWN_MAX && <Quiet>Show a shorter time to see the others.</Quiet>}
    </>
  );
}
