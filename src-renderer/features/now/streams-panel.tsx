import type { Snapshot, StreamView } from '../../../src-main/contract/snapshot.ts';
import { formatCount, formatCounted } from '../../format/number.ts';
import { nextTryText, streamWord } from '../../format/state-words.ts';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import { StateLabel } from '../../ui/state-label.tsx';
import classes from './now.module.css';
import { RefusedNotice } from './refused-notice.tsx';
import { StreamMarks } from './stream-marks.tsx';

/** Streams shown in full; the others stand in a list that opens. */
const SHOWN_MAX = 12;

/** Every stream with its marks: those not yet delivered and those with refused points in full, the others as a list. */
export function StreamsPanel({ snapshot, nowMs }: { snapshot: Snapshot; nowMs: number }) {
  const { streams, streamsTotal, sources, service } = snapshot;
  const live = streams.filter((stream) => stream.state !== 'delivered' || stream.pointsRefused > stream.pointsResent);
  const shown = (live.length > 0 ? live : streams.slice(0, 1)).slice(0, SHOWN_MAX);
  const others = streams.filter((stream) => !shown.includes(stream));
  const readMs = new Map(sources.map(({ id, lastReadingMs }) => [id, lastReadingMs]));
  return (
    <Panel title="Streams" aside={streamsTotal > 0 && <span>{formatCounted(streamsTotal, 'stream')}</span>}>
      {shown.length === 0 && <Quiet>No stream yet. One opens with the first readings of a source.</Quiet>}
      {shown.map((stream) => (
        <StreamItem
          key={stream.id}
          stream={stream}
          readMs={readMs.get(stream.sourceId) ?? null}
          told={service?.message ?? ''}
          nowMs={nowMs}
        />
      ))}
      {others.length > 0 && <StreamList streams={others} hidden={streamsTotal - streams.length} />}
    </Panel>
  );
}

interface StreamItemProps {
  stream: StreamView;
  readMs: number | null;
  /** What the service card says already: not said again at every stream. */
  told: string;
  nowMs: number;
}

function StreamItem({ stream, readMs, told, nowMs }: StreamItemProps) {
  const { id, name, message, hint, nextTryMs, pointsRefused, pointsResent } = stream;
  const nextTry = nextTryText(nextTryMs, nowMs);
  const word = streamWord(stream);
  const isNews = message !== '' && message !== told;
  const sentence = [message, nextTry].filter((part) => part !== '').join(' · ');
  return (
    <article className={classes.stream} aria-label={name} data-testid="stream">
      <div className={classes.streamHead}>
        <bdi className={classes.streamName}>{name}</bdi>
        <StateLabel {...word} />
      </div>
      <StreamMarks stream={stream} readMs={readMs} nowMs={nowMs} />
      {isNews && <Notice tone={word.tone} message={sentence} hint={hint} />}
      {pointsRefused > pointsResent && <RefusedNotice streamId={id} points={pointsRefused - pointsResent} />}
    </article>
  );
}

function StreamList({ streams, hidden }: { streams: readonly StreamView[]; hidden: number }) {
  return (
    <details className={classes.more}>
      <summary>{formatCounted(streams.length + hidden, 'other stream')}</summary>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Stream</th>
            <th scope="col">State</th>
            <th scope="col">Stored</th>
            <th scope="col">Acknowledged</th>
          </tr>
        </thead>
        <tbody>
          {streams.map((stream) => (
            <tr key={stream.id}>
              <td>
                <bdi>{stream.name}</bdi>
              </td>
              <td>
                <StateLabel {...streamWord(stream)} />
              </td>
              <td>{formatCount(stream.pointsStored)}</td>
              <td>{formatCount(stream.pointsAcknowledged)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {hidden > 0 && <Quiet>{formatCounted(hidden, 'older stream')} not listed here.</Quiet>}
    </details>
  );
}
