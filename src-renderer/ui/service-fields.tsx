import { TextInput } from '@mantine/core';
import { RadioChoice } from './radio-choice.tsx';

export type ServiceKind = 'embedded' | 'address';

const kinds: Readonly<Record<ServiceKind, string>> = {
  embedded: 'Built-in service (data stays on this PC)',
  address: 'Remote data service',
};

interface ServiceKindFieldProps {
  value: ServiceKind;
  onChange: (kind: ServiceKind) => void;
}

/** The service inside this program, or one at an address. */
export function ServiceKindField({ value, onChange }: ServiceKindFieldProps) {
  return <RadioChoice label="Service" choices={kinds} value={value} onChange={onChange} />;
}

interface AddressFieldProps {
  value: string;
  /** Why the text cannot be taken. */
  error: string | undefined;
  onChange: (text: string) => void;
}

/** Where a service is found, as a URL. */
export function AddressField({ value, error, onChange }: AddressFieldProps) {
  return (
    <TextInput
      label="Address"
      placeholder="https://data.example.org"
      spellCheck={false}
      maxLength={2048}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
