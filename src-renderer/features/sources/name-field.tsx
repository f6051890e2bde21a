import { TextInput } from '@mantine/core';
import { toSourceId } from './field-checks.ts';
import { words } from './words.ts';

interface NameFieldProps {
  /** A name such as one of this kind may have. */
  placeholder: string;
  value: string;
  error: string | undefined;
  onChange: (name: string) => void;
}

/** The name of a new source; it stays with it for good. */
export function NameField({ placeholder, value, error, onChange }: NameFieldProps) {
  const id = toSourceId(value);
  return (
    <TextInput
      label={words.name}
      description={id === '' || id === value.trim() ? '' : words.savedAs(id)}
      placeholder={placeholder}
      maxLength={64}
      spellCheck={false}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
