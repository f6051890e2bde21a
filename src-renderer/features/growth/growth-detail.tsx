import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Snapshot } from '../../../src-main/contract/snapshot.ts';
import { formatDuration } from '../../format/duration.ts';
import { writeWord } from '../../format/state-word.ts';
import { formatExact, formatMoment } from '../../format/time.ts';
import { useExports } from '../../state/exports.ts';
import { type Growth, useGrowth } from '../../state/growth.ts';
import { useKnown } from '../../state/library.ts';
import { faultOf } from '../../state/query-fault.ts';
import { ExportPanel } from '../../ui/export-panel.tsx';
import { Facts } from '../../ui/facts.tsx';
import layout from '../../ui/layout.module.css';
import { StateLabel } from '../../ui/marks/state-label.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryFault } from '../../ui/query-fault.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import { ChangeForm, changeWords } from './change-form.tsx';
import classes from './growth.module.css';
import { growthWord, worstKept } from './growth-states.ts';
import { choiceFacts, sumPoints } from './growth-words.tsx';
import { NoteList } from './note-form.tsx';
import { BelongingsPanel } from './streams-panel.tsx';
import { TimelinePanel } from './timeline-panel.tsx';
import { words } from './words.ts';

/** One growth, whatever its age: what it was, its timeline, its streams with entries and receipts, its notes. */
export function GrowthDetail({ id, snapshot, nowMs }: { id: string; snapshot: Snapshot; nowMs: number }) {
  const read = useGrowth(id);
  const growth = read.data;
  const exporting = useExports({ growth: id });
  return (
    <div className={layout.column}>
      <div className={classes.actions}>
        <Button component={Link} href="/growth" variant="default" leftSection={<IconArrowLeft aria-hidden="true" />}>
          All growths
        </Button>
        <Button component={Link} href={`/plots/${writeWord({ ids: [id] })}`} variant="default">
          {words.compare}
        </Button>
      </div>
      <QueryFault fault={faultOf(read)} />
      {read.isPending && <Quiet>Reading the growth.</Quiet>}
      {growth === null && (
        <Notice
          tone="attention"
          message="There is no growth of this name here."
          hint="Growths stay with the data folder in which they were begun; look at the list of all growths."
        />
      )}
      {growth && (
        <>
          <SummaryPanel growth={growth} snapshot={snapshot} nowMs={nowMs} />
          <TimelinePanel growth={growth} nowMs={nowMs} />
          <BelongingsPanel growth={growth} snapshot={snapshot} nowMs={nowMs} />
          <ExportPanel name={growth.name || `growth ${growth.id}`} exporting={exporting} />
          <Panel title="Notes">
            {growth.notes.length === 0 ? (
              <Quiet>Nothing was noted.</Quiet>
            ) : (
              <NoteList notes={growth.notes} nowMs={nowMs} />
            )}
          </Panel>
        </>
      )}
    </div>
  );
}

interface SummaryProps {
  growth: Growth;
  snapshot: Snapshot;
  nowMs: number;
}

function SummaryPanel({ growth, snapshot, nowMs }: SummaryProps) {
  const kept = worstKept(growth, snapshot);
  const [isChanging, setIsChanging] = useState(false);
  const known = useKnown();
  const { name, startedMs, endedMs, startCause, endCause, restarts, waits, problems, changeBecomes } = growth;
  const moment = (timeMs: number) => ({
    value: formatMoment(timeMs, nowMs),
    title: formatExact(timeMs),
  });
  const ended =
    endedMs === null
      ? []
      : [
          { label: 'Ended', ...moment(endedMs) },
          { label: 'Ended by', value: <bdi>{endCause}</bdi> },
        ];
  return (
    <Panel title="Growth" aside={<StateLabel {...growthWord(growth, kept)} />}>
      <div className={layout.stack} data-testid="summary">
        <div className={classes.head}>
          <p className={classes.title}>{name === '' ? 'Not named' : <bdi>{name}</bdi>}</p>
          <p className={classes.clock}>{formatDuration((endedMs ?? nowMs) - startedMs)}</p>
        </div>
        <Facts
          facts={[
            { label: 'Started', ...moment(startedMs) },
            { label: 'Started by', value: <bdi>{startCause}</bdi> },
            ...ended,
            ...choiceFacts(growth, known.data),
            ...sumPoints(growth),
          ]}
        />
        {restarts.map(({ atMs, answer }) => (
          <Quiet key={atMs}>
            Epistream was restarted at {formatMoment(atMs, nowMs)};{' '}
            {answer === 'continue' ? 'it was continued.' : answer === 'new' ? 'another was begun.' : 'not answered.'}
          </Quiet>
        ))}
        {waits.map(({ message, hint }) => (
          <Notice key={message} tone="busy" message={`Its streams wait to be sent: ${message}`} hint={hint} />
        ))}
        {kept && !waits.some(({ message }) => kept.message.includes(message)) && (
          <Notice tone={kept.tone} message={kept.message} hint={kept.hint} />
        )}
        {problems.map(({ message, hint }) => (
          <Notice key={message} tone="attention" message={message} hint={hint} />
        ))}
        {isChanging ? (
          <ChangeForm growth={growth} onDone={() => setIsChanging(false)} onBack={() => setIsChanging(false)} />
        ) : (
          <div className={classes.actions}>
            {changeBecomes !== 'nothing' && (
              <Button variant="default" size="lg" onClick={() => setIsChanging(true)}>
                Name, sample, project
              </Button>
            )}
            <p className={classes.fieldNote}>{changeWords[changeBecomes]}</p>
          </div>
        )}
      </div>
    </Panel>
  );
}
