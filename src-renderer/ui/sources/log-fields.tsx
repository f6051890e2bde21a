import { TextInput } from '@mantine/core';
import { FolderInput } from '../folder-input.tsx';
import { words } from './words.ts';

/** The files that most tools write. */
export const USUAL_MATCH = '**/*.{csv,txt,log}';

interface FieldProps {
  value: string;
  /** Why the text cannot be taken. */
  error?: string | undefined;
  onChange: (text: string) => void;
}

interface FolderFieldProps extends FieldProps {
  className?: string | undefined;
  useFolders: React.ComponentProps<typeof FolderInput>['useFolders'];
}

/** The folder into which a tool writes its logs; by its class it may take a line for itself. */
export function FolderField(props: FolderFieldProps) {
  return <FolderInput label={words.folder} placeholder="C:\MBE\Logs" {...props} />;
}

/** Which files below the folder are read, as a pattern. */
export function MatchField({ value, error, onChange }: FieldProps) {
  return (
    <TextInput
      label={words.match}
      description={words.matchHelp}
      spellCheck={false}
      maxLength={200}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** How the times in the logs are written; empty: it is recognised. */
export function TimeFormatField({ value, onChange }: FieldProps) {
  return (
    <TextInput
      label={words.timeFormat}
      description={words.timeFormatHelp}
      placeholder={words.automatic}
      spellCheck={false}
      maxLength={100}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
