import type { Snapshot } from '../../../src-main/contract/snapshot.ts';
import { formatMoment } from '../../format/time.ts';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';

const tones = { off: 'stopped', idle: 'ok', looking: 'busy', ready: 'busy', failed: 'attention' } as const;

/** The version that runs, and how things stand with a newer one. */
export function UpdatesPanel({ snapshot }: { snapshot: Snapshot }) {
  const { state, text, hint, checkedMs } = snapshot.updates;
  const asked = checkedMs === null ? '' : `The update server answered at ${formatMoment(checkedMs, snapshot.atMs)}.`;
  return (
    <Panel title={`This program: version ${snapshot.version}`}>
      <div data-testid="updates">
        <Notice tone={tones[state]} message={text} hint={[hint, asked].filter(Boolean).join(' ')} />
      </div>
    </Panel>
  );
}
