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

/** Marks of event logs, gaps, and cells that were no numbers, as text below the plots of a span. */
export function BesidePanels({ reading }: { reading: Reading }) {
  const { marks, hasMoreMarks, gaps, cells, toMs } = reading;
  const lists = [
    {
      title: 'Marks in this time',
      count: marksText(marks.length, hasMoreMarks),
      note: marks.length === 0 ? 'No mark lies in this time.' : '',
      rows: marks
        .toSorted((one, other) => one.timeMs - other.timeMs)
        .map(({ id, timeMs, text, sourceId }) => ({ id, timeMs, words: text, of: sourceId })),
    },
    {
      title: 'Gaps in this time',
      count: formatCount(gaps.length),
      note: gaps.length === 0 ? 'No gap is known of these sources in this time.' : '',
      rows: gaps.map(({ id, fromMs, toMs: endMs, cause, sourceId }) => {
        return { id, timeMs: fromMs, words: `${formatDuration(endMs - fromMs)}: ${cause}`, of: sourceId };
      }),
    },
    {
      title: 'Non-numeric values',
      count: formatCount(cells.length),
      note:
        cells.length === 0
          ? 'All values of these sources in this time are numbers.'
          : 'Over-range and the like, shown as a cross at the foot of the plot, never as a value.',
      rows: cells.map(({ id, timeMs, channel, text, reason }) => {
        return { id, timeMs, words: `"${text}": ${reason}`, of: channel };
      }),
    },
  ];
  return (
    <div className={classes.beside}>
      {lists.map(({ title, count, note, rows }) => (
        <Panel key={title} title={title} aside={<span>{count}</span>}>
          {note !== '' && <Quiet>{note}</Quiet>}
          <List label={title.replace(' in this time', '')} rows={rows} toMs={toMs} />
        </Panel>
      ))}
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
