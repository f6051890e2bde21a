import { Autocomplete, Radio, TextInput } from '@mantine/core';
import { useCounterIds } from '../../state/contact.ts';
import type { Known } from '../../state/library.ts';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { type ChoiceFaults, type ChoiceValues, labelsOf } from './choice-values.ts';
import classes from './growth.module.css';

interface ChoiceFieldsProps {
  values: ChoiceValues;
  faults: ChoiceFaults;
  known: Known | undefined;
  onChange: (part: Partial<ChoiceValues>) => void;
}

/** Suggestions shown at once. */
const SHOWN_MAX = 50;

/** Name, sample and project of a growth. */
export function ChoiceFields({ values, faults, known, onChange }: ChoiceFieldsProps) {
  const canMakeSample = useCounterIds().length > 0;
  const suggest = (things: Known['samples']) => ({
    data: [...labelsOf(things).keys()],
    limit: SHOWN_MAX,
    renderOption: ({ option }: { option: { value: string } }) => <bdi>{option.value}</bdi>,
    comboboxProps: { shadow: 'md' },
  });
  return (
    <div className={layout.fields}>
      <TextInput
        label="Name"
        description="Empty: it can be named later"
        maxLength={200}
        value={values.name}
        error={faults.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <Autocomplete
        label="Project"
        description="A known name, or an id; empty: none"
        maxLength={300}
        spellCheck={false}
        value={values.project}
        error={faults.project}
        onChange={(project) => onChange({ project })}
        {...suggest(known?.projects ?? [])}
      />
      <Radio.Group
        label="Sample"
        className={layout.wide}
        value={values.sampleIs}
        onChange={(sampleIs) => onChange({ sampleIs: sampleIs as ChoiceValues['sampleIs'] })}
      >
        <div className={classes.radios}>
          <Radio value="none" label="Later" />
          <Radio value="known" label="Existing" />
          <Radio value="new" label="New" />
        </div>
      </Radio.Group>
      {values.sampleIs === 'known' && (
        <Autocomplete
          label="Name or id of the sample"
          className={layout.wide}
          maxLength={300}
          spellCheck={false}
          value={values.sample}
          error={faults.sample}
          onChange={(sample) => onChange({ sample })}
          {...suggest(known?.samples ?? [])}
        />
      )}
      {values.sampleIs === 'new' && (
        <TextInput
          label="Name of the new sample"
          description={
            canMakeSample
              ? 'Made with the start of the RHEED session; streams are sent once its id is known'
              : 'Only the start of a RHEED session makes a sample, and no source here counts frames'
          }
          className={layout.wide}
          maxLength={200}
          value={values.newSample}
          error={faults.newSample}
          onChange={(event) => onChange({ newSample: event.currentTarget.value })}
        />
      )}
      <KnownWords known={known} />
    </div>
  );
}

/** How far the suggestions reach: the interface lists neither samples nor projects. */
function KnownWords({ known }: { known: Known | undefined }) {
  if (!known) return <p className={classes.fieldNote}>Looking for known samples and projects.</p>;
  if (known.problem !== '') {
    return (
      <div className={layout.wide}>
        <Notice
          tone="busy"
          message={`Names cannot be looked up now: ${known.problem}`}
          hint={`An id can be typed, and everything can be chosen later. ${known.hint}`}
        />
      </div>
    );
  }
  return (
    <p className={classes.fieldNote}>
      The service lists neither samples nor projects. Suggested is what {known.isWhole ? 'its' : 'its newest'} entries
      name and what was made here; anything else can be typed as an id.
    </p>
  );
}
