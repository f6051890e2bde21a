import { Button } from '@mantine/core';
import { useState } from 'react';
import { formatDuration } from '../../format/duration.ts';
import { formatMoment } from '../../format/time.ts';
import { wordsOf } from '../../state/ask.ts';
import { forgetDraft } from '../../state/draft.ts';
import { type Growth, useAnswerRestart } from '../../state/growth.ts';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import classes from './growth.module.css';
import { START_DRAFT, StartForm } from './start-form.tsx';

interface RestartQuestionProps {
  growth: Pick<Growth, 'name' | 'startedMs' | 'askedMs'>;
  nowMs: number;
}

/** Asked once after a restart: is it the same growth? Until it is answered, readings belong to the growth that ran. */
export function RestartQuestion({ growth, nowMs }: RestartQuestionProps) {
  const [isNew, setIsNew] = useState(false);
  const answer = useAnswerRestart();
  const forget = () => forgetDraft(START_DRAFT);
  const askedMs = growth.askedMs ?? nowMs;
  return (
    <Panel title="Is it still the same growth?">
      <div className={layout.stack} data-testid="restart-question">
        <p className={classes.lead}>
          Epistream was restarted at {formatMoment(askedMs, nowMs)}, while{' '}
          {growth.name === '' ? 'a growth without a name' : <bdi>{growth.name}</bdi>} was under way (
          {formatDuration(nowMs - growth.startedMs)} by now). Until you answer, readings go on belonging to it.
        </p>
        {isNew ? (
          <StartForm
            label="End it and start a new growth"
            isBusy={answer.isPending}
            failed={answer.error}
            onStart={(start) => void answer.mutateAsync({ answer: 'new', start }).then(forget, () => undefined)}
            onBack={() => {
              forget();
              setIsNew(false);
            }}
          />
        ) : (
          <>
            {answer.error && <Notice tone="attention" isUrgent {...wordsOf(answer.error)} />}
            <div className={classes.actions}>
              <Button size="xl" loading={answer.isPending} onClick={() => answer.mutate({ answer: 'continue' })}>
                Continue it
              </Button>
              <Button size="xl" variant="default" onClick={() => setIsNew(true)}>
                Begin a new one
              </Button>
            </div>
          </>
        )}
      </div>
    </Panel>
  );
}
