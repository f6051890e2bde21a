import type { Snapshot } from '../../../src-main/contract/snapshot.ts';
import { formatClock, formatZone } from '../../format/time.ts';
import { Facts } from '../../ui/facts.tsx';
import layout from '../../ui/layout.module.css';
import { Panel } from '../../ui/panel.tsx';
import { Quiet } from '../../ui/quiet.tsx';

interface ClockPanelProps {
  snapshot: Snapshot;
  nowMs: number;
}

const PC_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The clocks that stamps are made of: that of this PC, and the zone in which the logs of the tool are read. */
export function ClockPanel({ snapshot: { timeZone, ready }, nowMs }: ClockPanelProps) {
  const remark = ready.find(({ id }) => id === 'clock')?.reason ?? '';
  return (
    <Panel title="Clock">
      <div className={layout.closeStack} data-testid="clock">
        <Facts
          facts={[
            { label: 'This PC', value: `${formatClock(nowMs, PC_ZONE)} ${formatZone(nowMs, PC_ZONE)}` },
            {
              label: 'Tool (logs without a zone)',
              value: `${formatClock(nowMs, timeZone)} ${formatZone(nowMs, timeZone)}`,
              title: timeZone,
            },
          ]}
        />
        {remark !== '' && <Quiet>{remark}</Quiet>}
      </div>
    </Panel>
  );
}
