import { Button } from '@mantine/core';
import { useCallback, useMemo, useState } from 'react';
import type { Snapshot } from '../../../src-main/contract/snapshot.ts';
import { formatCounted } from '../../format/number.ts';
import { useAgentNow } from '../../state/contact.ts';
import { type JournalFilter, useJournal } from '../../state/journal.ts';
import { faultOf } from '../../state/query-fault.ts';
import layout from '../../ui/layout.module.css';
import { Panel } from '../../ui/panel.tsx';
import { QueryFault } from '../../ui/query-fault.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import classes from './journal.module.css';
import { JournalFilters } from './journal-filters.tsx';
import { JournalList } from './journal-list.tsx';
import { ShiftNote } from './shift-note.tsx';

const everything: JournalFilter = {
  levels: ['info', 'warning', 'error'],
  source: null,
  text: '',
  fromMs: null,
  toMs: null,
};

const MINUTE_MS = 60_000;

/** Everything that happened, in plain words, as far back as the store goes; and the note for the next shift. */
export function JournalPage({ snapshot }: { snapshot: Snapshot }) {
  const [filter, setFilter] = useState(everything);
  const journal = useJournal(filter);
  const nowMs = useAgentNow();
  const entries = useMemo(() => journal.data?.pages.flatMap((page) => page.entries) ?? [], [journal.data]);
  const change = useCallback((part: Partial<JournalFilter>) => setFilter((before) => ({ ...before, ...part })), []);
  // Hundreds of lines are not drawn again with each snapshot: what they need of it changes seldom.
  const minuteMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  const sourceIds = snapshot.sources.map(({ id }) => id).join('\n');
  const isFiltered = JSON.stringify(filter) !== JSON.stringify(everything);
  return (
    <div className={layout.column}>
      <Panel title="Shift note">
        <ShiftNote />
      </Panel>
      <Panel title="Journal">
        <div className={layout.stack}>
          <JournalFilters filter={filter} onChange={change} />
          {isFiltered && (
            <div>
              <Button variant="default" onClick={() => setFilter(everything)}>
                Show everything
              </Button>
            </div>
          )}
          <QueryFault fault={faultOf(journal)} />
          {journal.isPending && <Quiet>Reading the journal.</Quiet>}
          {journal.data && entries.length === 0 && (
            <Quiet>{isFiltered ? 'No event fits. Widen the filters.' : 'Nothing has happened yet.'}</Quiet>
          )}
          {entries.length > 0 && <JournalList entries={entries} nowMs={minuteMs} sourceIds={sourceIds} />}
          {entries.length > 0 && (
            <div className={classes.foot}>
              <span role="status">{formatCounted(entries.length, 'event')} shown</span>
              {journal.hasNextPage ? (
                <Button
                  variant="default"
                  loading={journal.isFetchingNextPage}
                  onClick={() => void journal.fetchNextPage()}
                >
                  Older events
                </Button>
              ) : (
                <span className={classes.zone}>That is all there is.</span>
              )}
            </div>
          )}
        </div>
      </Panel>
    </div>
  );
}
