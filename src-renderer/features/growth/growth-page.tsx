import { useState } from 'react';
import { useRoute } from 'wouter';
import type { RunningGrowth } from '../../../src-main/contract/growth.ts';
import type { Snapshot } from '../../../src-main/contract/snapshot.ts';
import { formatCounted } from '../../format/number.ts';
import { useAgentNow } from '../../state/contact.ts';
import { forgetDraft } from '../../state/draft.ts';
import { useGrowth, useStartGrowth } from '../../state/growth.ts';
import { faultOf } from '../../state/query-fault.ts';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryFault } from '../../ui/query-fault.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import { ReadyPanel } from '../../ui/sources/ready-panel.tsx';
import { TallLink } from '../../ui/tall-link.tsx';
import classes from './growth.module.css';
import { GrowthDetail } from './growth-detail.tsx';
import { worstKept } from './growth-states.ts';
import { NotesPanel } from './note-form.tsx';
import { PastGrowths } from './past-growths.tsx';
import { RestartQuestion } from './restart-question.tsx';
import { RunningPanel } from './running-panel.tsx';
import { START_DRAFT, StartForm } from './start-form.tsx';
import { BelongingsPanel } from './streams-panel.tsx';
import { TimelinePanel } from './timeline-panel.tsx';
import { words } from './words.ts';

/** Growths: the one that runs or the start of one, and all that were; `/growth/:id` shows one of them. */
export function GrowthPage({ snapshot }: { snapshot: Snapshot }) {
  const nowMs = useAgentNow();
  const [isDetail, params] = useRoute('/growth/:id');
  const endedId = useEnded(snapshot);
  if (isDetail) return <GrowthDetail key={params.id} id={params.id} snapshot={snapshot} nowMs={nowMs} />;
  const { growth, ready } = snapshot;
  return (
    <div className={layout.column}>
      {endedId !== null && <EndedNotice id={endedId} snapshot={snapshot} />}
      {growth && <Running key={growth.id} snapshot={snapshot} growth={growth} nowMs={nowMs} />}
      <div className={classes.columns} data-wide={growth !== null}>
        <div className={layout.column}>
          {!growth && (
            <>
              <Start {...snapshot} />
              <NotesPanel notes={[]} nowMs={nowMs} />
            </>
          )}
          <PastGrowths snapshot={snapshot} nowMs={nowMs} />
        </div>
        {!growth && ready.length > 0 && <ReadyPanel rows={ready} />}
      </div>
    </div>
  );
}

/** The growth that ended while this page was open; null: none, or another one has begun. */
function useEnded({ phase, growth }: Snapshot): string | null {
  const runningId = growth?.id ?? null;
  const [seen, setSeen] = useState({ runningId, endedId: null as string | null });
  // While recording restarts the snapshot has no growth, and the growth continues afterwards.
  if (phase === 'running' && seen.runningId !== runningId)
    setSeen({ runningId, endedId: runningId === null ? seen.runningId : null });
  return seen.endedId;
}

/** What became of the growth that just ended, with the way to it. */
function EndedNotice({ id, snapshot }: { id: string; snapshot: Snapshot }) {
  const read = useGrowth(id);
  const growth = read.data;
  if (!growth) return <QueryFault fault={faultOf(read)} />;
  const streams = growth.parts.flatMap((part) => part.streams);
  const points = streams.reduce((sum, stream) => sum + stream.points, 0);
  const isDelivered = streams.every((stream) => stream.isDelivered);
  const kept = worstKept(growth, snapshot);
  return (
    <div data-testid="ended">
      <QueryFault fault={faultOf(read)} />
      <Notice
        tone={isDelivered ? 'ok' : (kept?.tone ?? 'busy')}
        isUrgent
        message={words.ended(
          growth.name || words.unnamed,
          formatCounted(points, 'point'),
          isDelivered,
          kept?.message ?? '',
        )}
        hint={kept?.hint ?? ''}
      />
      <TallLink href={`/growth/${encodeURIComponent(id)}`}>{words.showEnded}</TallLink>
    </div>
  );
}

function Start({ phase }: Snapshot) {
  const start = useStartGrowth();
  return (
    <Panel title="Start a growth">
      {phase === 'running' ? (
        <StartForm
          label="Start growth"
          isBusy={start.isPending}
          failed={start.error}
          onStart={(wanted) =>
            void start.mutateAsync(wanted).then(
              () => forgetDraft(START_DRAFT),
              () => undefined,
            )
          }
        />
      ) : (
        <Quiet>A growth can start once recording runs.</Quiet>
      )}
    </Panel>
  );
}

interface RunningProps {
  snapshot: Snapshot;
  growth: RunningGrowth;
  nowMs: number;
}

function Running({ snapshot, growth, nowMs }: RunningProps) {
  const read = useGrowth(growth.id);
  const whole = read.data ?? undefined;
  const { ready } = snapshot;
  return (
    <>
      {growth.state === 'asks' && <RestartQuestion growth={growth} nowMs={nowMs} />}
      <div className={classes.columns}>
        <RunningPanel growth={growth} whole={whole} nowMs={nowMs} />
        <NotesPanel notes={whole?.notes ?? []} nowMs={nowMs} />
      </div>
      <QueryFault fault={faultOf(read)} />
      {whole && <TimelinePanel growth={whole} nowMs={nowMs} />}
      <div className={classes.columns}>
        {whole && <BelongingsPanel growth={whole} snapshot={snapshot} nowMs={nowMs} />}
        {ready.length > 0 && <ReadyPanel rows={ready} />}
      </div>
    </>
  );
}
