import type { Snapshot } from '../../../src-main/contract/snapshot.ts';
import { wordsOf } from '../../state/ask.ts';
import { useSettings } from '../../state/settings.ts';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import { AllSettings } from './all-settings.tsx';
import { LimitsPanel } from './limits-panel.tsx';
import { SettingsForm } from './settings-form.tsx';
import { UpdatesPanel } from './updates-panel.tsx';

/** The service, the tool, how streams are cut, and the program itself. Sources have a page of their own. */
export function SettingsPage({ snapshot }: { snapshot: Snapshot }) {
  const settings = useSettings();
  return (
    <div className={layout.column}>
      {settings.data ? (
        <SettingsForm settings={settings.data} snapshot={snapshot} />
      ) : (
        <Panel title="Settings">
          {settings.error ? (
            <Notice tone="attention" {...wordsOf(settings.error)} />
          ) : (
            <Quiet>Reading the settings.</Quiet>
          )}
        </Panel>
      )}
      {settings.data && <LimitsPanel />}
      {settings.data && <AllSettings file={settings.data.file} />}
      <UpdatesPanel snapshot={snapshot} />
    </div>
  );
}
