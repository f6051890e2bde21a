import { Button } from '@mantine/core';
import type { Snapshot } from '../../../src-main/contract/snapshot.ts';
import { LEVELS } from '../../format/levels.ts';
import { formatPlain } from '../../format/number.ts';
import { formatMoment } from '../../format/time.ts';
import { wordsOf } from '../../state/ask.ts';
import { useAcknowledge } from '../../state/limits.ts';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import classes from './now.module.css';

type Alarm = Snapshot['alarms'][number];

const STATES = {
  active: { tone: 'attention', text: '' },
  cleared: { tone: 'attention', text: ' It is within its limits again.' },
  acknowledged: { tone: 'busy', text: ' Acknowledged.' },
} as const;

/** Channels beyond their limits, each with what to do and the button that says it was seen; nothing while there are none. */
export function AlarmsPanel({ alarms, nowMs }: { alarms: readonly Alarm[]; nowMs: number }) {
  const acknowledge = useAcknowledge();
  if (alarms.length === 0) return null;
  return (
    <Panel title="Limits">
      <div className={layout.closeStack} data-testid="alarms">
        {alarms.map((alarm) => {
          const { sourceId, channel, state, level, value, limit, sinceMs, guidance } = alarm;
          const { tone, text } = STATES[state];
          const reached = `${channel}: ${formatPlain(value)} reached ${LEVELS[level]} (${formatPlain(limit)}) at ${formatMoment(sinceMs, nowMs)}.`;
          return (
            <div key={JSON.stringify([sourceId, channel])} className={classes.alarm} data-state={state}>
              <Notice tone={tone} message={`${reached}${text}`} hint={guidance} />
              {state !== 'acknowledged' && (
                <Button
                  loading={acknowledge.isPending && acknowledge.variables.channel === channel}
                  onClick={() => acknowledge.mutate({ sourceId, channel })}
                  aria-label={`Acknowledge ${channel}`}
                >
                  Acknowledge
                </Button>
              )}
            </div>
          );
        })}
        <p className={classes.choiceHint}>Limits only raise alarms. They are not an interlock.</p>
        {acknowledge.error && <Notice tone="attention" isUrgent {...wordsOf(acknowledge.error)} />}
      </div>
    </Panel>
  );
}
