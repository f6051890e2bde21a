import { TextInput } from '@mantine/core';

interface NameFieldProps {
  /** A name such as one of this kind may have. */
  placeholder: string;
  value: string;
  error: string | undefined;
  onChange: (name: string) => void;
}

/** The name of a new source; it stays with it for good. */
export function NameField({ placeholder, value, error, onChange }: NameFieldProps) {
  return (
    <TextInput
      label="Name of the source"
      placeholder={placeholder}
      maxLength={64}
      spellCheck={false}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
