import { Checkbox, Select, TextInput } from '@mantine/core';
import layout from '../../ui/layout.module.css';
import classes from './settings.module.css';
import type { Faults, SettingsValues } from './settings-values.ts';

interface FieldsProps {
  values: SettingsValues;
  faults: Faults;
  onChange: (part: Partial<SettingsValues>) => void;
}

const rollovers: { value: SettingsValues['rollover']; label: string }[] = [
  { value: 'daily', label: 'Each day, at midnight of the tool' },
  { value: 'growth', label: 'With growths only' },
];

/** Where sources do not say otherwise. A stream that is open keeps the rules it was opened by. */
export function StreamFields({ values, faults, onChange }: FieldsProps) {
  return (
    <div className={layout.fields}>
      <Select
        label="A new stream begins"
        data={rollovers}
        allowDeselect={false}
        value={values.rollover}
        onChange={(rollover) => onChange({ rollover: (rollover ?? 'daily') as SettingsValues['rollover'] })}
      />
      <TextInput
        label="Points per upload"
        description="1 to 1000; empty: live about 10 s of data, old files 1000"
        placeholder="auto"
        inputMode="numeric"
        maxLength={4}
        value={values.pointsPerChunk}
        error={faults.pointsPerChunk}
        onChange={(event) => onChange({ pointsPerChunk: event.currentTarget.value })}
      />
      <Checkbox
        label="Close idle streams"
        description="Then its last, short chunk goes out too"
        className={classes.check ?? ''}
        checked={values.closes}
        onChange={(event) => onChange({ closes: event.currentTarget.checked })}
      />
      <TextInput
        label="After"
        description="A duration such as 15min, 90s or 2h"
        maxLength={40}
        disabled={!values.closes}
        value={values.closeAfterQuiet}
        error={faults.closeAfterQuiet}
        onChange={(event) => onChange({ closeAfterQuiet: event.currentTarget.value })}
      />
    </div>
  );
}
