import type { Value } from '../../../src-main/contract/table.ts';
import { formatDuration } from '../../format/duration.ts';
import { formatZoned } from '../../format/time.ts';
import classes from './log-preview.module.css';

interface ZoneChangeProps {
  change: NonNullable<Value<'source', 'previewLog'>['zoneChange']>;
  oldZone: string;
  zone: string;
}

/** The last rows of a log by two time zones, all instants in the zone of the page, and against the clock of this PC. */
export function ZoneChange({ change: { rows, writtenMs }, oldZone, zone }: ZoneChangeProps) {
  const last = rows.at(-1);
  return (
    <div className={classes.preview} data-testid="zone-change">
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">In the log</th>
            <th scope="col">Until now, by {oldZone}</th>
            <th scope="col">New, by {zone}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ text, oldMs, timeMs }, at) => (
            // Lines have no name of their own, and the table is replaced whole.
            <tr key={at}>
              <td className={classes.text} title={text}>
                <bdi>{text}</bdi>
              </td>
              <td>{oldMs === null ? 'no time' : formatZoned(oldMs)}</td>
              <td>{timeMs === null ? 'no time' : formatZoned(timeMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {last && (
        <p className={classes.line}>
          This PC saw the file change at {formatZoned(writtenMs)}. Until now the last row is{' '}
          {distance(last.oldMs, writtenMs)} this time; with {zone} it is {distance(last.timeMs, writtenMs)} this time.
        </p>
      )}
    </div>
  );
}

function distance(timeMs: number | null, writtenMs: number): string {
  if (timeMs === null) return 'without a time beside';
  const gap = formatDuration(Math.round(Math.abs(timeMs - writtenMs) / 1000) * 1000);
  return `${gap} ${timeMs > writtenMs ? 'ahead of' : 'behind'}`;
}
