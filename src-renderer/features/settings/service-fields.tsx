import { PasswordInput, Radio, TextInput } from '@mantine/core';
import classes from './settings.module.css';
import type { Faults, SettingsValues } from './settings-values.ts';

interface FieldsProps {
  values: SettingsValues;
  faults: Faults;
  hasKey: boolean;
  onChange: (part: Partial<SettingsValues>) => void;
}

/** The service inside this program, or one at an address with a key. */
export function ServiceFields({ values, faults, hasKey, onChange }: FieldsProps) {
  return (
    <div className={classes.fields}>
      <Radio.Group
        label="Service"
        className={classes.wide ?? ''}
        value={values.service}
        onChange={(service) => onChange({ service: service as SettingsValues['service'] })}
      >
        <div className={classes.radios}>
          <Radio value="embedded" label="The one inside this program: nothing leaves this PC" />
          <Radio value="address" label="A data service at an address" />
        </div>
      </Radio.Group>
      {values.service === 'address' && (
        <>
          <TextInput
            label="Address"
            placeholder="https://data.example.org"
            spellCheck={false}
            maxLength={2048}
            value={values.address}
            error={faults.address}
            onChange={(event) => onChange({ address: event.currentTarget.value })}
          />
          <PasswordInput
            label="Key"
            description={
              hasKey ? 'One is kept. Leave this empty to go on with it; it is never shown.' : 'None is kept yet.'
            }
            autoComplete="off"
            spellCheck={false}
            maxLength={1000}
            value={values.apiKey}
            onChange={(event) => onChange({ apiKey: event.currentTarget.value })}
          />
          <TextInput
            label="Certificate authority of the lab (PEM file)"
            description="Only where the lab signs its certificates itself; empty: the usual authorities"
            className={classes.wide ?? ''}
            spellCheck={false}
            maxLength={4096}
            value={values.caFile}
            onChange={(event) => onChange({ caFile: event.currentTarget.value })}
          />
        </>
      )}
    </div>
  );
}
