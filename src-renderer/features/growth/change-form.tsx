import { Button } from '@mantine/core';
import { toCallError, wordsOf } from '../../state/ask.ts';
import { type Changed, type Growth, useChangeGrowth } from '../../state/growth.ts';
import { useKnown } from '../../state/library.ts';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { ChoiceFields } from './choice-fields.tsx';
import { toChoice, valuesOf } from './choice-values.ts';
import classes from './growth.module.css';
import { useChoice } from './use-choice.ts';

type Changeable = Pick<Growth, 'id' | 'name' | 'sampleId' | 'newSampleName' | 'projectId' | 'changeBecomes'>;

interface ChangeFormProps {
  growth: Changeable;
  onDone: (carriedBy: Changed['carriedBy']) => void;
  onBack: () => void;
}

/** What a late choice becomes, before it is made. */
export const changeWords: Readonly<Record<Growth['changeBecomes'], string>> = {
  'same-streams': 'Nothing was sent yet: a change is carried by the streams that are there.',
  'new-streams':
    'The service knows the streams already. A change ends them and the RHEED session at this moment, and new ones carry it.',
  nothing: 'This growth has ended. Edit its entries on the service.',
};

/** Choose name, sample or project late. Nothing waits for the names of the service: without them ids stand in the fields. */
export function ChangeForm({ growth, onDone, onBack }: ChangeFormProps) {
  const known = useKnown().data;
  const { samples = [], projects = [] } = known ?? {};
  const { read, ...form } = useChoice(known, null, () => valuesOf(growth, samples, projects));
  const change = useChangeGrowth();
  const needsNew = growth.changeBecomes === 'new-streams' || isRefusedForNew(change.error);
  const submit = () => {
    const choice = read();
    if (choice === null) return;
    const { name, sampleId, newSampleName, projectId } = choice;
    const before = toChoice(valuesOf(growth, samples, projects), samples, projects);
    // A sample that stays is not given again: the agent keeps what it knows of it.
    const isSame = 'choice' in before && before.choice.sampleId === sampleId;
    const isSameSample = isSame && before.choice.newSampleName === newSampleName;
    const sample = isSameSample ? {} : newSampleName !== null ? { newSampleName } : { sampleId };
    change.mutate(
      { growthId: growth.id, name, projectId, ...sample, mayOpenNew: needsNew },
      { onSuccess: ({ carriedBy }) => onDone(carriedBy) },
    );
  };
  return (
    <form
      className={layout.stack}
      aria-label="Change the growth"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <ChoiceFields {...form} known={known} />
      <Notice tone={needsNew ? 'attention' : 'busy'} message={changeWords[growth.changeBecomes]} />
      {change.error && <Notice tone="attention" isUrgent {...wordsOf(change.error)} />}
      <div className={classes.actions}>
        <Button type="submit" size="lg" loading={change.isPending}>
          {needsNew ? 'Change, with new streams' : 'Change'}
        </Button>
        <Button variant="default" size="lg" onClick={onBack}>
          Back
        </Button>
      </div>
    </form>
  );
}

/** A stream went out between the look and the click. */
const isRefusedForNew = (error: Error | null) =>
  error !== null && toCallError(error).code === 'growth.needs-new-streams';
