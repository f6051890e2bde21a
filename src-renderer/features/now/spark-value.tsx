import { formatAge } from '../../format/duration.ts';
import { formatMeasured } from '../../format/number.ts';
import type { PlotLine } from '../../state/plot.ts';
import type { Staleness } from '../../ui/sources/staleness.ts';
import classes from './now.module.css';

const WIDTH = 120;
const HEIGHT = 34;

interface SparkValueProps extends Staleness {
  name: string;
  line: PlotLine;
  nowMs: number;
}

/** The newest value of a channel in large type, with the shape of its last minutes. One that is old says how old it is. */
export function SparkValue({ name, line, nowMs, isStale, staleAfterMs }: SparkValueProps) {
  const { unit, timesMs, values } = line;
  const last = values.at(-1);
  const ageMs = nowMs - (timesMs.at(-1) ?? nowMs);
  const isOld = last !== undefined && (isStale || ageMs > staleAfterMs);
  return (
    <div className={classes.spark} data-old={isOld}>
      <span className={classes.sparkName}>
        <bdi>{name}</bdi>
      </span>
      <span className={classes.sparkValue}>
        {last === undefined ? '–' : <span className={classes.sparkNumber}>{formatMeasured(last, unit)}</span>}
        {isOld && <span className={classes.sparkAge}> {formatAge(ageMs)}</span>}
      </span>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        className={classes.sparkLine}
      >
        <path d={sparkPath(timesMs, values)} fill="none" stroke="currentColor" vectorEffect="non-scaling-stroke" />
      </svg>
    </div>
  );
}

/** The way of a line through a box of WIDTH x HEIGHT; a constant line lies in the middle. */
function sparkPath(timesMs: readonly number[], values: readonly number[]): string {
  const [firstMs = 0, lastMs = 0] = [timesMs[0], timesMs.at(-1)];
  const [min, max] = [Math.min(...values), Math.max(...values)];
  const toX = (timeMs: number) => ((timeMs - firstMs) / Math.max(lastMs - firstMs, 1)) * WIDTH;
  const toY = (value: number) => (max > min ? HEIGHT - 2 - ((value - min) / (max - min)) * (HEIGHT - 4) : HEIGHT / 2);
  return timesMs
    .map((timeMs, at) => `${at === 0 ? 'M' : 'L'}${toX(timeMs).toFixed(1)} ${toY(values[at] ?? 0).toFixed(1)}`)
    .join('');
}
