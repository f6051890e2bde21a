import type { Snapshot } from '../../../src-main/contract/snapshot.ts';
import { Facts } from '../../ui/facts.tsx';
import layout from '../../ui/layout.module.css';
import { Panel } from '../../ui/panel.tsx';
import { shortcuts } from '../../ui/shortcut-keys.ts';
import { DrillPanel } from './drill-panel.tsx';
import classes from './help.module.css';
import { MessagesPanel } from './messages-panel.tsx';
import { SupportPanel } from './support-panel.tsx';

/** The drill, what messages mean, and the file for support. */
export function HelpPage({ snapshot }: { snapshot: Snapshot }) {
  return (
    <div className={layout.column}>
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
      <Panel title="What messages mean">
        <MessagesPanel />
      </Panel>
    </div>
  );
}
