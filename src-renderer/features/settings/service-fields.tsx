import { PasswordInput, TextInput } from '@mantine/core';
import layout from '../../ui/layout.module.css';
import { AddressField, ServiceKindField } from '../../ui/service-fields.tsx';
import type { Faults, SettingsValues } from './settings-values.ts';

interface FieldsProps {
  values: SettingsValues;
  faults: Faults;
  /** Address that a key is kept for; null: none is kept. */
  keyFor: string | null;
  onChange: (part: Partial<SettingsValues>) => void;
}

/** The service inside this program, or one at an address with a key. */
export function ServiceFields({ values, faults, keyFor, onChange }: FieldsProps) {
  return (
    <div className={layout.fields}>
      <ServiceKindField value={values.service} onChange={(service) => onChange({ service })} />
      {values.service === 'address' && (
        <>
          <AddressField value={values.address} error={faults.address} onChange={(address) => onChange({ address })} />
          <PasswordInput
            label="Key"
            description={
              keyFor === null
                ? 'No key saved.'
                : `One is kept for ${keyFor}. Leave this empty to go on with it there; it is never shown.`
            }
            autoComplete="off"
            spellCheck={false}
            maxLength={1000}
            value={values.apiKey}
            onChange={(event) => onChange({ apiKey: event.currentTarget.value })}
          />
          <TextInput
            label="Certificate authority of the lab (PEM file)"
            description="Only if your lab uses its own certificate authority"
            className={layout.wide ?? ''}
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
