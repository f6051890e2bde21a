import { Autocomplete } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';

interface FolderInputProps {
  label: string;
  description?: string;
  placeholder?: string;
  className?: string | undefined;
  value: string;
  /** Why the text cannot be taken. */
  error?: string | undefined;
  onChange: (text: string) => void;
  /** Folders whose paths begin as typed; null: nobody asks. A hook, since this part of the page knows no agent. */
  useFolders: (typed: string | null) => readonly string[];
}

/** Nobody reads suggestions while typing fast, milliseconds. */
const PAUSE_MS = 150;

/** A folder on the PC on which Epistream runs: typed, with the folders that begin so to choose from. */
export function FolderInput(props: FolderInputProps) {
  const { value, onChange, className, description, placeholder, useFolders, ...rest } = props;
  const [isAsking, setAsking] = useState(false);
  const [typed] = useDebouncedValue(value, PAUSE_MS);
  const folders = useFolders(isAsking ? typed : null);
  return (
    <Autocomplete
      {...rest}
      {...(description === undefined ? {} : { description })}
      {...(placeholder === undefined ? {} : { placeholder })}
      className={className ?? ''}
      data={[...folders]}
      // The agent has chosen them already.
      filter={({ options }) => options}
      renderOption={({ option }) => <bdi>{option.value}</bdi>}
      comboboxProps={{ shadow: 'md' }}
      spellCheck={false}
      maxLength={4096}
      value={value}
      onFocus={() => setAsking(true)}
      onBlur={() => setAsking(false)}
      onChange={onChange}
    />
  );
}
