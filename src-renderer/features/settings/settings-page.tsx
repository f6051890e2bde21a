import type { Snapshot } from '../../../src-main/contract/snapshot.ts';
import { faultOf } from '../../state/query-fault.ts';
import { useSettings } from '../../state/settings.ts';
import layout from '../../ui/layout.module.css';
import { Panel } from '../../ui/panel.tsx';
import { QueryFault } from '../../ui/query-fault.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import { AlarmsPanel } from './alarms-panel.tsx';
import { AllSettings } from './all-settings.tsx';
import { LimitsPanel } from './limits-panel.tsx';
import { SettingsForm } from './settings-form.tsx';
import { UpdatesPanel } from './updates-panel.tsx';

/** The service, the tool, how streams are cut, and the program itself. Sources have a page of their own. */
export function SettingsPage({ snapshot }: { snapshot: Snapshot }) {
  const settings = useSettings();
  const fault = faultOf(settings);
  return (
    <div className={layout.column}>
      {settings.data ? (
        <>
          <QueryFault fault={fault} />
          <SettingsForm settings={settings.data} snapshot={snapshot} />
        </>
      ) : (
        <Panel title="Settings">{fault ? <QueryFault fault={fault} /> : <Quiet>Reading the settings.</Quiet>}</Panel>
      )}
      {settings.data && <LimitsPanel />}
      <AlarmsPanel />
      {settings.data && <AllSettings file={settings.data.file} />}
      <UpdatesPanel snapshot={snapshot} />
    </div>
  );
}
