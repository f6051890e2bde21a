import { formatAge } from '../../format/duration.ts';
import classes from './now.module.css';
import type { ShownValue } from './shown-values.ts';

const WIDTH = 120;
const HEIGHT = 34;

/** The newest value of a channel in large type, with the shape of its last minutes. One that is old says how old it is. */
export function SparkValue({ name, line, text, ageMs, isOld }: Omit<ShownValue, 'key' | 'channel'>) {
  return (
    <div className={classes.spark} data-old={isOld}>
      <span className={classes.sparkName}>
        <bdi>{name}</bdi>
      </span>
      <span className={classes.sparkValue}>
        <span className={classes.sparkNumber}>{text}</span>
        {isOld && <span className={classes.sparkAge}> {formatAge(ageMs)}</span>}
      </span>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        className={classes.sparkLine}
      >
        <path d={sparkPath(line)} fill="none" stroke="currentColor" vectorEffect="non-scaling-stroke" />
      </svg>
    </div>
  );
}

/** The way of a line through a box of WIDTH x HEIGHT; a constant line lies in the middle. */
function sparkPath({ timesMs, values }: ShownValue['line']): string {
  const [firstMs = 0, lastMs = 0] = [timesMs[0], timesMs.at(-1)];
  const [min, max] = [Math.min(...values), Math.max(...values)];
  const toX = (timeMs: number) => ((timeMs - firstMs) / Math.max(lastMs - firstMs, 1)) * WIDTH;
  const toY = (value: number) => (max > min ? HEIGHT - 2 - ((value - min) / (max - min)) * (HEIGHT - 4) : HEIGHT / 2);
  return timesMs
    .map((timeMs, at) => `${at === 0 ? 'M' : 'L'}${toX(timeMs).toFixed(1)} ${toY(values[at] ?? 0).toFixed(1)}`)
    .join('');
}
