import { formatCounted, formatMeasured } from '../../format/number.ts';
import { formatClock } from '../../format/time.ts';
import type { LookView } from '../../state/sources.ts';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import { SourceNotes } from '../../ui/sources/source-notes.tsx';
import { OldLook } from './old-look.tsx';
import classes from './sources.module.css';

/** What comes on a line: values with their units, and the bytes in hex and as text. */
export function LineLook({ look, isOld }: { look: LookView; isOld: boolean }) {
  const { state, message, hint, bytesIn, readings, notes, bytes } = look;
  return (
    <div className={layout.stack} data-testid="look">
      {isOld && <OldLook />}
      {state === 'failed' && <Notice tone="attention" isUrgent message={message} hint={hint} />}
      {state === 'opening' && <Quiet>Opening the line.</Quiet>}
      {state === 'looking' && bytesIn === 0 && <Quiet>The line is open. Nothing has come yet.</Quiet>}
      {readings.length > 0 && <Readings readings={readings} />}
      <SourceNotes notes={notes} />
      {bytes.length > 0 && (
        <div>
          <h3 className={classes.small}>Bytes, newest first; {formatCounted(bytesIn, 'byte')} came</h3>
          <section
            className={classes.bytes}
            aria-label="Bytes as they pass, newest first"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
            tabIndex={0}
          >
            {bytes.toReversed().map(({ id, atMs, way, hex, text }) => (
              <div key={id} className={classes.byteRow}>
                <span>{formatClock(atMs)}</span>
                <span>{way === 'in' ? '← came' : '→ sent'}</span>
                <span>{hex}</span>
                <bdi>{text}</bdi>
              </div>
            ))}
          </section>
        </div>
      )}
    </div>
  );
}

function Readings({ readings }: Pick<LookView, 'readings'>) {
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">Channel</th>
          <th scope="col">Value</th>
          <th scope="col">When</th>
        </tr>
      </thead>
      <tbody>
        {readings.map(({ channel, unit, value, text, atMs }) => (
          <tr key={channel}>
            <td>
              <bdi>{channel}</bdi>
            </td>
            <td className={value === null ? undefined : classes.value}>
              {value === null ? (
                <bdi>{text || `none yet${unit ? ` (${unit})` : ''}`}</bdi>
              ) : (
                formatMeasured(value, unit)
              )}
            </td>
            <td>{atMs === null ? '' : formatClock(atMs)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
