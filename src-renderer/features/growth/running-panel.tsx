import { Button } from '@mantine/core';
import { useState } from 'react';
import type { RunningGrowth } from '../../../src-main/contract/growth.ts';
import { formatDuration } from '../../format/duration.ts';
import { formatMoment } from '../../format/time.ts';
import type { Growth } from '../../state/growth.ts';
import { useKnown } from '../../state/library.ts';
import { Facts } from '../../ui/facts.tsx';
import layout from '../../ui/layout.module.css';
import { StateLabel } from '../../ui/marks/state-label.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ChangeForm, changeWords } from './change-form.tsx';
import { EndButton } from './end-button.tsx';
import classes from './growth.module.css';
import { choiceFacts, sumPoints } from './growth-words.tsx';

interface RunningPanelProps {
  /** As the snapshot has it: four times a second, where what was read of it is older. */
  growth: RunningGrowth;
  /** With its streams; undefined until it is read. */
  whole: Growth | undefined;
  nowMs: number;
}

const carriedWords = {
  'same-streams': 'Changed. The streams that are there carry it.',
  'new-streams': 'Changed. New streams carry it from now on.',
} as const;

/** The growth that runs: how long, as what, what waits for what; and its end. */
export function RunningPanel({ growth, whole, nowMs }: RunningPanelProps) {
  const [isChanging, setIsChanging] = useState(false);
  const [carriedBy, setCarriedBy] = useState<keyof typeof carriedWords | null>(null);
  const known = useKnown();
  return (
    <Panel title="Growth under way" aside={<StateLabel tone="ok" word="Growing" />}>
      <div className={layout.stack} data-testid="running">
        <div className={classes.head}>
          <p className={classes.title}>{growth.name === '' ? 'Not named yet' : <bdi>{growth.name}</bdi>}</p>
          <p className={classes.clock} role="timer" aria-label="Time since the start">
            {formatDuration(Math.floor((nowMs - growth.startedMs) / 1000) * 1000)}
          </p>
        </div>
        <Facts
          facts={[
            {
              label: 'Started',
              value: formatMoment(growth.startedMs, nowMs),
            },
            { label: 'By', value: <bdi>{growth.startCause}</bdi> },
            ...choiceFacts(growth, known.data),
            ...(whole ? sumPoints(whole) : []),
          ]}
        />
        {growth.waits.map(({ message, hint }) => (
          <Notice key={message} tone="busy" message={`Its streams wait to be sent: ${message}`} hint={hint} />
        ))}
        {growth.problems.map(({ message, hint }) => (
          <Notice key={message} tone="attention" message={message} hint={hint} />
        ))}
        {isChanging ? (
          <ChangeForm
            growth={growth}
            onDone={(how) => {
              setCarriedBy(how);
              setIsChanging(false);
            }}
            onBack={() => setIsChanging(false)}
          />
        ) : (
          <>
            <div aria-live="polite">{carriedBy && <Notice tone="ok" message={carriedWords[carriedBy]} />}</div>
            <div className={classes.actions}>
              <EndButton />
              <Button
                variant="default"
                size="lg"
                onClick={() => {
                  setCarriedBy(null);
                  setIsChanging(true);
                }}
              >
                Name, sample, project
              </Button>
            </div>
            <p className={classes.fieldNote} data-testid="becomes">
              {changeWords[growth.changeBecomes]}
            </p>
          </>
        )}
      </div>
    </Panel>
  );
}
