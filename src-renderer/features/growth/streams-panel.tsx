import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Snapshot } from '../../../src-main/contract/snapshot.ts';
import { pathOfEntry } from '../../format/entry-path.ts';
import { formatCount, formatCounted } from '../../format/number.ts';
import { formatExact, formatMoment } from '../../format/time.ts';
import type { Growth, GrowthPart, GrowthSession, GrowthStream } from '../../state/growth.ts';
import { useKnown } from '../../state/library.ts';
import { Facts } from '../../ui/facts.tsx';
import layout from '../../ui/layout.module.css';
import { StateLabel } from '../../ui/marks/state-label.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import classes from './growth.module.css';
import { growthStreamWord, type Kept, keptOf, sessionWord } from './growth-states.ts';
import { choiceFacts } from './growth-words.tsx';
import { ReceiptCard } from './receipt-card.tsx';

interface BelongingsProps {
  growth: Growth;
  snapshot: Snapshot;
  nowMs: number;
}

/** What belongs to a growth: by part its streams and RHEED sessions, their entries at the service, their receipts. */
export function BelongingsPanel({ growth, snapshot, nowMs }: BelongingsProps) {
  const { parts } = growth;
  const count = parts.reduce((sum, { streams }) => sum + streams.length, 0);
  return (
    <Panel title="Streams and RHEED" aside={<span>{formatCounted(count, 'stream')}</span>}>
      <div className={layout.stack}>
        {parts.map((part, at) => (
          <PartView
            key={part.id}
            part={part}
            snapshot={snapshot}
            place={parts.length > 1 ? at + 1 : null}
            nowMs={nowMs}
          />
        ))}
      </div>
    </Panel>
  );
}

interface PartProps {
  part: GrowthPart;
  snapshot: Snapshot;
  place: number | null;
  nowMs: number;
}

function PartView({ part, snapshot, place, nowMs }: PartProps) {
  const known = useKnown();
  const { streams, rheed } = part;
  return (
    <div className={classes.part}>
      {place !== null && (
        <>
          <h3 className={classes.partTitle}>
            Part {place}: {part.name === '' ? 'not named' : <bdi>{part.name}</bdi>}
          </h3>
          <Facts
            facts={[
              { label: 'From', value: formatMoment(part.fromMs, nowMs) },
              { label: 'To', value: part.toMs === null ? 'runs' : formatMoment(part.toMs, nowMs) },
              ...choiceFacts(part, known.data),
            ]}
          />
        </>
      )}
      {streams.length === 0 && rheed.length === 0 && <Quiet>No reading has come in this time.</Quiet>}
      {rheed.map((session) => (
        <SessionView key={session.nonce} session={session} nowMs={nowMs} />
      ))}
      {streams.map((stream) => (
        <StreamItem key={stream.id} stream={stream} kept={keptOf(stream, snapshot)} />
      ))}
    </div>
  );
}

function SessionView({ session, nowMs }: { session: GrowthSession; nowMs: number }) {
  const { name, startedMs, endedMs, dataId, isElsewhere, problem, hint } = session;
  return (
    <article className={classes.item} aria-label={name} data-testid="growth-session">
      <div className={classes.itemHead}>
        <span>
          RHEED session <bdi>{name}</bdi>
        </span>
        <StateLabel {...sessionWord(session)} />
      </div>
      <p className={classes.fieldNote}>
        <span title={formatExact(startedMs)}>{formatMoment(startedMs, nowMs)}</span> to{' '}
        {endedMs === null ? 'now' : formatMoment(endedMs, nowMs)} · <Entry dataId={dataId} isElsewhere={isElsewhere} />
      </p>
      {problem !== '' && <Notice tone="attention" message={problem} hint={hint} />}
    </article>
  );
}

function StreamItem({ stream, kept }: { stream: GrowthStream; kept: Kept | null }) {
  const [isShown, setIsShown] = useState(false);
  const { id, name, dataId, isElsewhere, points, pointsAcknowledged, pointsRefused, pointsResent } = stream;
  const refused = pointsRefused - pointsResent;
  return (
    <article className={classes.item} aria-label={name} data-testid="growth-stream">
      <div className={classes.itemHead}>
        <Link href={`/streams/${id}`} className={classes.link ?? ''}>
          <bdi>{name}</bdi>
        </Link>
        <StateLabel {...growthStreamWord(stream, kept)} />
      </div>
      <p className={classes.fieldNote}>
        {formatCounted(points, 'point')} stored here, {formatCount(pointsAcknowledged)} acknowledged
        {refused > 0 ? `, ${formatCount(refused)} refused` : ''} · <Entry dataId={dataId} isElsewhere={isElsewhere} />
      </p>
      {kept && <Notice tone={kept.tone} message={kept.message} hint={kept.hint} />}
      <div>
        <Button variant="default" aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
          {isShown ? 'Hide the receipt' : 'Receipt'}
        </Button>
      </div>
      {isShown && <ReceiptCard streamId={id} />}
    </article>
  );
}

/** The entry of the service, or that there is none yet. The catalogue asks the service of the settings alone. */
function Entry({ dataId, isElsewhere }: { dataId: string | null; isElsewhere: boolean }) {
  if (dataId === null) return <>not known to the service yet</>;
  if (isElsewhere)
    return (
      <>
        entry <bdi>{dataId}</bdi> at another service
      </>
    );
  return (
    <>
      entry{' '}
      <Link href={pathOfEntry(dataId)} className={classes.link ?? ''}>
        <bdi>{dataId}</bdi>
      </Link>
    </>
  );
}
