import { formatDuration } from '../../format/duration.ts';
import type { ConnectionFinding } from '../../state/settings.ts';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';

/** What stands in the way, in one word each; people look for these first. */
const names: Readonly<Record<ConnectionFinding['kind'], string>> = {
  works: 'It works',
  embedded: 'It works',
  'no-key': 'No key',
  dns: 'Name look-up (DNS)',
  refused: 'No service at this port',
  unreachable: 'Network',
  'no-answer': 'No answer',
  certificate: 'Certificate (TLS)',
  clock: 'Clock',
  proxy: 'Proxy',
  portal: 'Log-in page of the network (captive portal)',
  key: 'Key refused (401)',
  account: 'Key of another account',
  address: 'Address',
  'authority-file': 'File of the authority',
  service: 'The service',
};

/** The fault by its name, what was seen, what to do. */
export function ConnectionResult({ finding, isOld }: { finding: ConnectionFinding; isOld: boolean }) {
  const { kind, message, hint, tookMs } = finding;
  const isGood = kind === 'works' || kind === 'embedded';
  return (
    <div className={layout.closeStack} data-testid="connection">
      {isOld && <Notice tone="busy" message="Settings changed since this test." hint="Test again." />}
      <Notice
        tone={isGood ? 'ok' : 'attention'}
        isUrgent
        message={`${names[kind]}: ${message}`}
        hint={[hint, kind === 'works' ? `It took ${formatDuration(tookMs)}.` : ''].filter(Boolean).join(' ')}
      />
    </div>
  );
}
