import type { Snapshot, SourceView, StreamView } from '../../../src-main/contract/snapshot.ts';
import { formatCounted } from '../../format/number.ts';
import { nextTryText, streamWord } from '../../format/state-words.ts';
import layout from '../../ui/layout.module.css';
import { StateLabel } from '../../ui/marks/state-label.tsx';
import { StreamMarks } from '../../ui/marks/stream-marks.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import { TallLink } from '../../ui/tall-link.tsx';
import classes from './now.module.css';

/** Streams shown in full; all of them stand on the page of streams. */
const SHOWN_MAX = 4;

interface StreamsPanelProps {
  snapshot: Snapshot;
  nowMs: number;
  /** Only what needs somebody is shown. */
  isCrowded: boolean;
}

/** Every stream that is under way or needs somebody, with its marks; the others are a link away. */
export function StreamsPanel({ snapshot, nowMs, isCrowded }: StreamsPanelProps) {
  const { streams, streamsTotal, sources, service } = snapshot;
  const live = streams.filter((stream) => stream.state !== 'delivered' || stream.pointsRefused > stream.pointsResent);
  const needing = live.filter((stream) => streamWord(stream).tone === 'attention');
  // What needs somebody is never among those that are left out.
  const first = live.length > SHOWN_MAX ? [...new Set([...needing, ...live])] : live;
  const shown = isCrowded ? needing.slice(0, 2) : (live.length > 0 ? first : streams.slice(0, 1)).slice(0, SHOWN_MAX);
  const others = streamsTotal - shown.length;
  const sourceOf = new Map(sources.map((source) => [source.id, source]));
  return (
    <Panel title="Streams" aside={streamsTotal > 0 && <span>{formatCounted(streamsTotal, 'stream')}</span>}>
      {streamsTotal === 0 && <Quiet>No stream yet. One opens with the first readings of a source.</Quiet>}
      {shown.map((stream) => (
        <StreamItem
          key={stream.id}
          stream={stream}
          source={sourceOf.get(stream.sourceId) ?? null}
          told={service?.message ?? ''}
          nowMs={nowMs}
        />
      ))}
      {others > 0 && (
        <p className={classes.more}>
          <TallLink href="/streams">{formatCounted(others, 'other stream')}, with receipts</TallLink>
        </p>
      )}
    </Panel>
  );
}

interface StreamItemProps {
  stream: StreamView;
  source: SourceView | null;
  /** What the service card says already: not said again at every stream. */
  told: string;
  nowMs: number;
}

function StreamItem({ stream, source, told, nowMs }: StreamItemProps) {
  const { id, name, message, hint, nextTryMs, pointsRefused, pointsResent } = stream;
  const nextTry = nextTryText(nextTryMs, nowMs);
  const word = streamWord(stream);
  const isNews = message !== '' && message !== told;
  const sentence = [message, nextTry].filter((part) => part !== '').join(' · ');
  const refused = pointsRefused - pointsResent;
  return (
    <article className={classes.stream} aria-label={name} data-testid="stream">
      <div className={classes.streamHead}>
        <TallLink href={`/streams/${id}`}>
          <bdi className={classes.streamName}>{name}</bdi>
        </TallLink>
        <StateLabel {...word} />
      </div>
      <StreamMarks stream={stream} source={source} nowMs={nowMs} />
      {isNews && <Notice tone={word.tone} message={sentence} hint={hint} />}
      {refused > 0 && (
        <div className={layout.closeStack} data-testid="refused">
          <Notice
            tone="attention"
            message={`${formatCounted(refused, 'point')} refused by the service, kept here.`}
            hint="Read what it said, repair the cause, and send them again."
          />
          <div>
            <TallLink href={`/streams/${id}`}>See what was refused</TallLink>
          </div>
        </div>
      )}
    </article>
  );
}
