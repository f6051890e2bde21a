import type { Value } from '../../../src-main/contract/table.ts';
import { formatCounted, formatPlain } from '../../format/number.ts';
import { formatExact } from '../../format/time.ts';
import { Notice } from '../../ui/notice.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import classes from './first-run.module.css';

type Preview = Value<'tool', 'preview'>;

/** What stands in the newest file, line by line, beside what Epistream reads there. */
export function PreviewPanel({ preview, isOld }: { preview: Preview; isOld: boolean }) {
  const { files, file, rows, channels, leftOut, problem, hint } = preview;
  return (
    <div className={classes.preview} data-testid="preview">
      {isOld && (
        <Notice tone="busy" message="The fields have changed since this preview." hint="Press Preview again." />
      )}
      {problem !== '' && <Notice tone="attention" message={problem} hint={hint} isUrgent />}
      {file === null && problem === '' && (
        <Notice tone="busy" message="No file matches yet." hint={hint || 'Check the folder and the pattern.'} />
      )}
      {file !== null && (
        <p className={classes.previewFile}>
          {formatCounted(files, 'file')} found. This is the newest, <bdi>{file}</bdi>
        </p>
      )}
      {channels.length > 0 && (
        <p className={classes.previewFile}>
          {formatCounted(channels.length, 'channel')} will be read
          {leftOut.length > 0 && (
            <>
              ; {formatCounted(leftOut.length, 'column')} with text left out: <bdi>{leftOut.join(', ')}</bdi>
            </>
          )}
          .
        </p>
      )}
      {rows.length > 0 && <PreviewTable rows={rows} channels={channels} />}
      {file !== null && rows.length === 0 && problem === '' && <Quiet>The file holds no line to show yet.</Quiet>}
    </div>
  );
}

function PreviewTable({ rows, channels }: Pick<Preview, 'rows' | 'channels'>) {
  return (
    <section
      className={classes.previewScroll}
      aria-label="Lines of the file and what is read from them"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by keyboard.
      tabIndex={0}
    >
      <table className={classes.previewTable}>
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
              <td className={classes.previewText} title={text}>
                <bdi>{text}</bdi>
              </td>
              <td>{timeMs === null ? 'no time' : formatExact(timeMs)}</td>
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
