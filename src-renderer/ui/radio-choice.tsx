import { Radio } from '@mantine/core';
import layout from './layout.module.css';
import classes from './radio-choice.module.css';

interface RadioChoiceProps<V extends string> {
  label: string;
  /** What can be chosen, each with the words beside its button. */
  choices: Readonly<Record<V, string>>;
  value: V;
  onChange: (value: V) => void;
}

/** One of a few, all of them in sight; takes a line of the form for itself. */
export function RadioChoice<V extends string>({ label, choices, value, onChange }: RadioChoiceProps<V>) {
  return (
    <Radio.Group label={label} className={layout.wide ?? ''} value={value} onChange={(chosen) => onChange(chosen as V)}>
      <div className={classes.choices}>
        {Object.entries<string>(choices).map(([choice, words]) => (
          <Radio key={choice} value={choice} label={words} />
        ))}
      </div>
    </Radio.Group>
  );
}
