import { ActionIcon, Button } from '@mantine/core';
import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react';
import { useState } from 'react';
import type { Snapshot } from '../../../src-main/contract/snapshot.ts';
import { chooseValues, VALUES_MAX } from '../../state/chosen-values.ts';
import { Panel } from '../../ui/panel.tsx';
import { ChannelPicker } from '../../ui/plot/channel-picker.tsx';
import { QueryFault } from '../../ui/query-fault.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import classes from './now.module.css';
import { alarmWords, useShownValues } from './shown-values.ts';
import { SparkValue } from './spark-value.tsx';

/** The values that stand first, with their last two minutes; a person chooses them and their order. */
export function ValuesPanel({ snapshot, nowMs }: { snapshot: Snapshot; nowMs: number }) {
  const { known, values, fault } = useShownValues(snapshot.sources, nowMs);
  const alarms = alarmWords(snapshot);
  const alarmOf = (key: string) => alarms.get(key);
  const [isArranging, setIsArranging] = useState(false);
  const keys = values.map(({ key }) => key);
  const aside = (
    <div className={classes.plotControls}>
      {isArranging && (
        <Button variant="default" onClick={() => chooseValues(null)}>
          As at first
        </Button>
      )}
      <Button variant="default" aria-pressed={isArranging} onClick={() => setIsArranging(!isArranging)}>
        {isArranging ? 'Done' : 'Arrange'}
      </Button>
      <ChannelPicker
        word="Shown"
        channels={known}
        most={VALUES_MAX}
        chosen={new Set(keys)}
        onChange={(chosen) => chooseValues([...chosen])}
      />
    </div>
  );
  return (
    <Panel title="Values" aside={aside}>
      <QueryFault fault={fault} />
      {known.length === 0 && <Quiet>Values appear here with the first readings.</Quiet>}
      {known.length > 0 && values.length === 0 && <Quiet>No channel is chosen.</Quiet>}
      <ul className={classes.values} data-testid="values">
        {values.map(({ key, channel, ...value }, at) => (
          <li
            key={key}
            className={classes.value}
            title={`${channel.sourceId}: ${channel.channel}`}
            data-alarm={alarmOf(key)}
          >
            {alarmOf(key) && <span className={classes.alarmWord}>{alarmOf(key)}</span>}
            <SparkValue {...value} />
            {isArranging && (
              <div className={classes.valueMoves}>
                <Move name={`${value.name} earlier`} isDisabled={at === 0} onClick={() => move(keys, at, -1)}>
                  <IconArrowLeft size="1.25rem" aria-hidden="true" />
                </Move>
                <Move
                  name={`${value.name} later`}
                  isDisabled={at === keys.length - 1}
                  onClick={() => move(keys, at, 1)}
                >
                  <IconArrowRight size="1.25rem" aria-hidden="true" />
                </Move>
              </div>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function move(keys: readonly string[], at: number, by: -1 | 1): void {
  const moved = keys.toSpliced(at, 1);
  chooseValues(moved.toSpliced(at + by, 0, keys[at] ?? ''));
}

interface MoveProps {
  name: string;
  isDisabled: boolean;
  onClick: () => void;
  children: React.ReactNode;
}

function Move({ name, isDisabled, onClick, children }: MoveProps) {
  return (
    <ActionIcon variant="default" size={44} aria-label={name} disabled={isDisabled} onClick={onClick}>
      {children}
    </ActionIcon>
  );
}
