import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { Snapshot } from '../../../src-main/contract/snapshot.ts';
import { formatCount } from '../../format/number.ts';
import { sourceWord } from '../../format/state-words.ts';
import { formatExact, formatMoment } from '../../format/time.ts';
import { wordsOf } from '../../state/ask.ts';
import { useAgentNow } from '../../state/contact.ts';
import { useHeldFiles } from '../../state/held-source.ts';
import { type SourceEntry, useRemoveSource } from '../../state/sources.ts';
import { Facts } from '../../ui/facts.tsx';
import layout from '../../ui/layout.module.css';
import { StateLabel } from '../../ui/marks/state-label.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import { SourceNotes } from '../../ui/sources/source-notes.tsx';
import { HeldFiles } from './held-files.tsx';
import { LogEditor } from './log-editor.tsx';
import { RheedEditor } from './rheed-editor.tsx';
import { SerialEditor } from './serial-editor.tsx';
import { kinds } from './source-kinds.ts';
import classes from './sources.module.css';

interface DetailProps {
  id: string;
  entries: readonly SourceEntry[];
  snapshot: Snapshot;
}

/** One source: how it stands, what waits for an answer, its settings, and how to take it out. */
export function SourceDetail({ id, entries, snapshot }: DetailProps) {
  const entry = entries.find((one) => one.id === id);
  if (!entry) {
    return (
      <Panel title="Sources">
        <div className={layout.stack}>
          <Notice
            tone="attention"
            message={`There is no source named ${id} in the settings.`}
            hint="It may have been removed."
          />
          <div>
            <Button component={Link} href="/sources" variant="default">
              All sources
            </Button>
          </div>
        </div>
      </Panel>
    );
  }
  return (
    <div className={layout.column}>
      <Standing entry={entry} snapshot={snapshot} />
      {entry.kind === 'log' && <HeldFiles sourceId={id} />}
      {entry.kind === 'log' && <LogEditor entry={entry} toolZone={snapshot.timeZone} />}
      {entry.kind === 'serial' && <SerialEditor entry={entry} />}
      {entry.kind === 'rheed' && <RheedEditor entry={entry} />}
      <RemovePanel id={id} />
    </div>
  );
}

function Standing({ entry, snapshot }: { entry: SourceEntry; snapshot: Snapshot }) {
  const nowMs = useAgentNow();
  const view = snapshot.sources.find(({ id }) => id === entry.id);
  const word = view && sourceWord(view, snapshot.troubles);
  // What waits for an answer stands in a panel of its own.
  const held = new Set(useHeldFiles().data?.map(({ message }) => message));
  const notes = view?.notes.filter(({ message }) => !held.has(message)) ?? [];
  const time = (ms: number | null) =>
    ms === null ? { value: 'none yet' } : { value: formatMoment(ms, nowMs), title: formatExact(ms) };
  return (
    <Panel title={entry.id} aside={word && <StateLabel {...word} />}>
      {!view && <Quiet>It does not run now.</Quiet>}
      {view && (
        <div className={layout.stack}>
          <Facts
            facts={[
              { label: 'Kind', value: kinds[entry.kind].word },
              { label: 'Newest reading', ...time(view.lastReadingMs) },
              { label: 'Last stored', ...time(view.lastCaptureMs) },
              { label: 'Rows', value: formatCount(view.rowsRead) },
              { label: 'Points', value: formatCount(view.pointsRead) },
              { label: 'Refused cells', value: formatCount(view.cellsRefused) },
            ]}
          />
          {view.message !== '' && word && <Notice tone={word.tone} message={view.message} hint={view.hint} />}
          <SourceNotes notes={notes} />
        </div>
      )}
    </Panel>
  );
}

function RemovePanel({ id }: { id: string }) {
  const [isAsking, setAsking] = useState(false);
  const [, go] = useLocation();
  const remove = useRemoveSource();
  return (
    <Panel title="Remove">
      <div className={layout.stack}>
        <Quiet>The source leaves the settings and is recorded no more. What it gave stays here and is delivered.</Quiet>
        {remove.error && <Notice tone="attention" isUrgent {...wordsOf(remove.error)} />}
        <div className={classes.actions}>
          {!isAsking && (
            <Button variant="default" onClick={() => setAsking(true)}>
              Remove this source
            </Button>
          )}
          {isAsking && (
            <>
              <Button loading={remove.isPending} onClick={() => remove.mutate(id, { onSuccess: () => go('/sources') })}>
                Yes, record <bdi>&nbsp;{id}&nbsp;</bdi> no more
              </Button>
              <Button variant="default" onClick={() => setAsking(false)}>
                Keep it
              </Button>
            </>
          )}
        </div>
      </div>
    </Panel>
  );
}
