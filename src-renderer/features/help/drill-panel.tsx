import { Button, Progress } from '@mantine/core';
import { formatDuration } from '../../format/duration.ts';
import { formatCount, formatCounted } from '../../format/number.ts';
import { wordsOf } from '../../state/ask.ts';
import { useAgentNow } from '../../state/contact.ts';
import { type DrillView, useDrill } from '../../state/drill.ts';
import { faultOf } from '../../state/query-fault.ts';
import { Facts } from '../../ui/facts.tsx';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { QueryFault } from '../../ui/query-fault.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import classes from './help.module.css';

const SECONDS = 60;

/** Cut the network for a minute and show that nothing is lost: against the service inside this program. */
export function DrillPanel({ isEmbedded }: { isEmbedded: boolean }) {
  const { read, drill, isUnderWay, start, end } = useDrill();
  return (
    <div className={layout.stack}>
      <Quiet>
        The service inside this program refuses every connection for a minute, as if the network were cut. Recording
        goes on. Then the service counts, and the count must be that of this disk.
      </Quiet>
      {!isEmbedded && (
        <Notice
          tone="stopped"
          message="The data goes to a service elsewhere; the drill cuts the one inside this program only."
          hint='Pull the network cable for a minute instead, and look at the page "Now".'
        />
      )}
      <QueryFault fault={faultOf(read)} />
      {drill && <DrillProgress drill={drill} />}
      <div className={classes.actions}>
        {!isUnderWay && (
          <Button disabled={!isEmbedded} loading={start.isPending} onClick={() => start.mutate(SECONDS)}>
            {drill ? 'Run the drill again' : 'Start drill'}
          </Button>
        )}
        {drill?.state === 'cut' && (
          <Button variant="default" loading={end.isPending} onClick={() => end.mutate()}>
            Bring it back now
          </Button>
        )}
      </div>
      {start.error && <Notice tone="attention" isUrgent {...wordsOf(start.error)} />}
      {end.error && <Notice tone="attention" isUrgent {...wordsOf(end.error)} />}
    </div>
  );
}

function DrillProgress({ drill }: { drill: DrillView }) {
  const nowMs = useAgentNow();
  const { state, startedMs, endsMs, storedBefore, storedAtEnd, acknowledgedBefore, stored, acknowledged } = drill;
  const isAway = state === 'cutting' || state === 'cut';
  const share = Math.min(1, Math.max(0, (nowMs - startedMs) / (endsMs - startedMs)));
  const wanted = storedAtEnd ?? stored;
  const captured = wanted - storedBefore;
  return (
    <div className={layout.stack} data-testid="drill">
      {isAway && <Progress value={100 * share} size="lg" aria-label="Time without the service" />}
      <Facts
        facts={[
          { label: 'Before: stored', value: formatCount(storedBefore) },
          { label: 'Before: acknowledged', value: formatCount(acknowledgedBefore) },
          { label: 'Stored without the service', value: formatCount(captured) },
          { label: 'Stored now', value: formatCount(stored) },
          { label: 'Acknowledged now', value: formatCount(acknowledged) },
        ]}
      />
      <Verdict drill={drill} captured={captured} leftMs={endsMs - nowMs} />
    </div>
  );
}

function Verdict({ drill, captured, leftMs }: { drill: DrillView; captured: number; leftMs: number }) {
  const { state, message, hint, stored, acknowledged, storedAtEnd } = drill;
  if (state === 'failed') return <Notice tone="attention" isUrgent message={`Not passed: ${message}`} hint={hint} />;
  if (state === 'passed') {
    return (
      <Notice
        tone="ok"
        isUrgent
        message={`Passed. ${formatCounted(captured, 'point')} were stored without the service; it has counted all of them back, none twice.`}
        hint={`${formatCount(storedAtEnd ?? stored)} points stood on this disk when it came back; it acknowledges ${formatCount(acknowledged)} by now.`}
      />
    );
  }
  if (state === 'delivering' || state === 'restoring') {
    const left = Math.max(0, (storedAtEnd ?? stored) - acknowledged);
    return (
      <Notice
        tone="busy"
        message={`The service is back. ${formatCounted(left, 'point')} still to be confirmed.`}
        hint="The newest points go out when their chunk is full."
      />
    );
  }
  return (
    <Notice
      tone="busy"
      message={`The service is away. ${formatCounted(stored - acknowledged, 'point')} wait on this disk.`}
      hint={`It comes back in ${formatDuration(Math.max(0, Math.ceil(leftMs / 1000) * 1000))}.`}
    />
  );
}
