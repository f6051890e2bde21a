import { Button } from '@mantine/core';
import { wordsOf } from '../../state/ask.ts';
import type { GrowthStart } from '../../state/growth.ts';
import { useKnown } from '../../state/library.ts';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { ChoiceFields } from './choice-fields.tsx';
import { noChoice } from './choice-values.ts';
import classes from './growth.module.css';
import { useChoice } from './use-choice.ts';

/** Name of the draft: the sender of the form forgets it. */
export const START_DRAFT = 'growth-start';

interface StartFormProps {
  label: string;
  isBusy: boolean;
  failed: Error | null;
  onStart: (start: GrowthStart) => void;
  onBack?: () => void;
}

/** Everything that can be chosen for a growth; nothing must be, so that a start never waits for a name. */
export function StartForm({ label, isBusy, failed, onStart, onBack }: StartFormProps) {
  const known = useKnown().data;
  const { read, ...form } = useChoice(known, START_DRAFT, () => noChoice);
  const submit = () => {
    const choice = read();
    if (choice !== null) onStart(choice);
  };
  return (
    <form
      className={layout.stack}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <ChoiceFields {...form} known={known} />
      {failed && <Notice tone="attention" isUrgent {...wordsOf(failed)} />}
      <div className={classes.actions}>
        <Button type="submit" size="xl" loading={isBusy}>
          {label}
        </Button>
        {onBack && (
          <Button variant="default" size="lg" onClick={onBack}>
            Back
          </Button>
        )}
      </div>
    </form>
  );
}
