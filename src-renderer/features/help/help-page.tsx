import type { Snapshot } from '../../../src-main/contract/snapshot.ts';
import { Facts } from '../../ui/facts.tsx';
import layout from '../../ui/layout.module.css';
import { Panel } from '../../ui/panel.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import { shortcuts } from '../../ui/shortcut-keys.ts';
import { DrillPanel } from './drill-panel.tsx';
import classes from './help.module.css';
import { SupportPanel } from './support-panel.tsx';

/** The drill, the file for support, and the keys. */
export function HelpPage({ snapshot }: { snapshot: Snapshot }) {
  return (
    <div className={layout.column}>
      <Quiet>
        Each message says in the line below it what to do. Where that does not help, make the file for support, and send
        it to the people who look after Epistream.
      </Quiet>
      <div className={classes.row}>
        <Panel title="Drill: a minute without network">
          <DrillPanel isEmbedded={snapshot.service?.isEmbedded ?? false} />
        </Panel>
        <Panel title="File for support">
          <SupportPanel version={snapshot.version} />
        </Panel>
      </div>
      <Panel title="Keys">
        <Facts facts={shortcuts.map(({ key, what }) => ({ label: key, value: what }))} />
      </Panel>
    </div>
  );
}
