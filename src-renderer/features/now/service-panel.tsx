import type { ServiceView } from '../../../src-main/contract/snapshot.ts';
import { nextTryText, type StateWord, serviceWords } from '../../format/state-words.ts';
import { formatExact, formatMoment } from '../../format/time.ts';
import { Facts } from '../../ui/facts.tsx';
import layout from '../../ui/layout.module.css';
import { StateLabel } from '../../ui/marks/state-label.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import { KeyForm } from './key-form.tsx';
import { PauseNotice } from './pause-notice.tsx';

/** Where the data goes, whether it answers, and what happens next. */
export function ServicePanel({ service, nowMs }: { service: ServiceView | null; nowMs: number }) {
  if (service === null) {
    return (
      <Panel title="Service">
        <Quiet>No service is set up yet.</Quiet>
      </Panel>
    );
  }
  const isPaused = service.pausedSinceMs !== null;
  const word: StateWord = isPaused ? { tone: 'busy', word: 'Paused' } : serviceWords[service.state];
  const nextTry = nextTryText(service.nextTryMs, nowMs);
  return (
    <Panel title="Service" aside={<StateLabel {...word} />}>
      <div className={layout.closeStack} data-testid="service">
        <Facts
          facts={[
            {
              label: 'Where',
              value: service.isEmbedded ? 'In this program' : <bdi>{service.address}</bdi>,
              isWide: true,
            },
            { label: 'Since', value: formatMoment(service.sinceMs, nowMs), title: formatExact(service.sinceMs) },
            ...(nextTry === '' ? [] : [{ label: 'Then', value: nextTry }]),
          ]}
        />
        {service.pausedSinceMs !== null && <PauseNotice sinceMs={service.pausedSinceMs} nowMs={nowMs} />}
        {service.message !== '' && service.state !== 'connected' && (
          <Notice tone={word.tone} message={service.message} hint={service.hint} />
        )}
        {service.needsKey && <KeyForm />}
      </div>
    </Panel>
  );
}
