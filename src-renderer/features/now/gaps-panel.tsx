import type { GapView } from '../../../src-main/contract/snapshot.ts';
import { formatDuration } from '../../format/duration.ts';
import { formatCount } from '../../format/number.ts';
import { formatExact, formatMoment } from '../../format/time.ts';
import { Panel } from '../../ui/panel.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import scroll from '../../ui/rows.module.css';
import classes from './now.module.css';

interface GapsPanelProps {
  gaps: readonly GapView[];
  /** All there are, also those that are not listed. */
  total: number;
  nowMs: number;
}

/** What could not be captured or was lost here: source, from, to, cause; the gaps noted last first. */
export function GapsPanel({ gaps, total, nowMs }: GapsPanelProps) {
  return (
    <Panel title="Gaps" aside={total > 0 && <span>{formatCount(total)} in all</span>}>
      <div data-testid="gaps">
        {total === 0 && <Quiet>No gap is known.</Quiet>}
        {gaps.length > 0 && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard.
          <ol className={`${scroll.rows} ${classes.gaps}`} tabIndex={0} aria-label="Gaps, noted last first">
            {gaps.map((gap) => (
              <li key={gap.id}>
                <bdi className={classes.gapSource}>{gap.sourceId}</bdi>
                <span title={`${formatExact(gap.fromMs)} to ${formatExact(gap.toMs)}`}>
                  {formatMoment(gap.fromMs, nowMs)} to {formatMoment(gap.toMs, nowMs)} (
                  {formatDuration(gap.toMs - gap.fromMs)})
                </span>
                <bdi className={classes.gapCause}>{gap.cause}</bdi>
              </li>
            ))}
          </ol>
        )}
        {gaps.length > 0 && gaps.length < total && <Quiet>The others stand in the receipts of their streams.</Quiet>}
      </div>
    </Panel>
  );
}
