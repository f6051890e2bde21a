import { Route, Switch } from 'wouter';
import type { Snapshot } from '../../../src-main/contract/snapshot.ts';
import { decodePart } from '../../format/path-part.ts';
import { faultOf } from '../../state/query-fault.ts';
import { useSourceEntries } from '../../state/sources.ts';
import { Panel } from '../../ui/panel.tsx';
import { QueryFault } from '../../ui/query-fault.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import { LogEditor } from './log-editor.tsx';
import { RheedEditor } from './rheed-editor.tsx';
import { SerialEditor } from './serial-editor.tsx';
import { SourceDetail } from './source-detail.tsx';
import { SourceList } from './source-list.tsx';

/** What the agent reads: the list, one source, a new one. */
export function SourcesPage({ snapshot }: { snapshot: Snapshot }) {
  const entries = useSourceEntries();
  const fault = faultOf(entries);
  const { data } = entries;
  if (!data) {
    return <Panel title="Sources">{fault ? <QueryFault fault={fault} /> : <Quiet>Reading the settings.</Quiet>}</Panel>;
  }
  // A list that could not be refreshed stays, and so does what a person has typed into a form.
  return (
    <>
      <QueryFault fault={fault} />
      <Switch>
        <Route path="/sources/new/log">
          <LogEditor entry={null} toolZone={snapshot.timeZone} />
        </Route>
        <Route path="/sources/new/serial">
          <SerialEditor entry={null} />
        </Route>
        <Route path="/sources/new/rheed">
          <RheedEditor entry={null} />
        </Route>
        <Route path="/sources/:id">
          {({ id }) => <SourceDetail key={id} id={decodePart(id)} entries={data} snapshot={snapshot} />}
        </Route>
        <Route>
          <SourceList entries={data} snapshot={snapshot} />
        </Route>
      </Switch>
    </>
  );
}
