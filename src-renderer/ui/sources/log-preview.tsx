import { Button } from '@mantine/core';
import type { Value } from '../../../src-main/contract/table.ts';
import { formatDuration } from '../../format/duration.ts';
import { formatCounted, formatPlain } from '../../format/number.ts';
import { formatZoned } from '../../format/time.ts';
import { Notice } from '../notice.tsx';
import { Quiet } from '../quiet.tsx';
import classes from './log-preview.module.css';
import { ZoneChange } from './zone-change.tsx';

type Preview = Value<'source', 'previewLog'>;

interface PreviewProps {
  preview: Preview;
  /** The zone in which the log was read; times are told in it, so that they stand beside what the log says. */
  zone: string;
  /** The zone that it replaces; absent: none. */
  oldZone?: string | undefined;
  isOld: boolean;
  /** The person says in which zone the log is written. */
  onZone?: (zone: string) => void;
}

/** What stands in the newest file, line by line, beside what Epistream reads there. */
export function LogPreview({ preview, zone, oldZone, isOld, onZone }: PreviewProps) {
  const { files, file, rows, channels, leftOut, dialect, reasons, problem, hint } = preview;
  return (
    <div className={classes.preview} data-testid="preview">
      {isOld && (
        <Notice tone="busy" message="The fields have changed since this preview." hint="Press Preview again." />
      )}
      {problem !== '' && <Notice tone="attention" message={problem} hint={hint} isUrgent />}
      {file === null && problem === '' && (
        <Notice tone="busy" message="No file matches yet." hint={hint || 'Check the folder and the pattern.'} />
      )}
      {preview.clock !== null && !isOld && <ZoneQuestion clock={preview.clock} zone={zone} onZone={onZone} />}
      {preview.zoneChange !== null && oldZone !== undefined && (
        <ZoneChange change={preview.zoneChange} oldZone={oldZone} zone={zone} />
      )}
      {file !== null && (
        <p className={classes.line}>
          {formatCounted(files, 'file')} found. This is the newest, <bdi>{file}</bdi>
        </p>
      )}
      {channels.length > 0 && (
        <p className={classes.line}>
          {formatCounted(channels.length, 'channel')} will be read
          {leftOut.length > 0 && (
            <>
              ; {formatCounted(leftOut.length, 'column')} with text left out: <bdi>{leftOut.join(', ')}</bdi>
            </>
          )}
          .
        </p>
      )}
      {dialect !== '' && (
        <details className={classes.reasons}>
          <summary>
            Read as <bdi>{dialect}</bdi>
            {reasons.length > 0 && <>: how that was found</>}
          </summary>
          <ul>
            {reasons.map((reason) => (
              <li key={reason}>
                <bdi>{reason}</bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
      {rows.length > 0 && <PreviewTable rows={rows} channels={channels} zone={zone} />}
      {file !== null && rows.length === 0 && problem === '' && <Quiet>The file holds no line to show yet.</Quiet>}
    </div>
  );
}

type TableProps = Pick<Preview, 'rows' | 'channels'> & { zone: string };

function PreviewTable({ rows, channels, zone }: TableProps) {
  return (
    <section
      className={classes.scroll}
      aria-label="Lines of the file and what is read from them"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by keyboard.
      tabIndex={0}
    >
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">In the file</th>
            <th scope="col">Time</th>
            {channels.map((channel) => (
              <th scope="col" key={channel}>
                <bdi>{channel}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ text, timeMs, values }, index) => (
            // Lines have no name of their own, and the table is replaced whole.
            <tr key={index}>
              <td className={classes.text} title={text}>
                <bdi>{text}</bdi>
              </td>
              <td>{timeMs === null ? 'no time' : formatZoned(timeMs, zone)}</td>
              {channels.map((channel, column) => (
                <td key={channel}>{formatPlain(values[column] ?? null)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface ZoneQuestionProps {
  clock: NonNullable<Preview['clock']>;
  zone: string;
  onZone: PreviewProps['onZone'];
}

/** The newest line contradicts the clock: the zones in which it would fit, each a button. */
function ZoneQuestion({ clock: { stampMs, writtenMs, zones }, zone, onZone }: ZoneQuestionProps) {
  const gap = formatDuration(Math.round(Math.abs(stampMs - writtenMs) / 60_000) * 60_000);
  const isZone = zones.length > 0;
  return (
    <div className={classes.zones} data-testid="zone-question">
      <Notice
        tone="attention"
        isUrgent
        message={`The newest line says ${formatZoned(stampMs, zone)}. That is ${gap} ${stampMs > writtenMs ? 'ahead of' : 'behind'} this PC.${isZone ? ' Is the time zone right?' : ''}`}
        hint={
          isZone
            ? 'Choose the zone in which the tool writes its times.'
            : 'Set the clock of the tool, or of this PC. Stamps are recorded as the tool wrote them.'
        }
      />
      <div className={classes.zoneButtons}>
        {zones.map((fitting) => (
          <Button key={fitting} variant="default" onClick={() => onZone?.(fitting)}>
            {fitting}
          </Button>
        ))}
      </div>
    </div>
  );
}
