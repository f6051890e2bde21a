import { TextInput } from '@mantine/core';

/** The files that most tools write. */
export const USUAL_MATCH = '**/*.{csv,txt,log}';

interface FieldProps {
  value: string;
  /** Why the text cannot be taken. */
  error?: string | undefined;
  onChange: (text: string) => void;
}

/** The folder into which a tool writes its logs; by its class it may take a line for itself. */
export function FolderField({
  value,
  error,
  onChange,
  className = '',
}: FieldProps & { className?: string | undefined }) {
  return (
    <TextInput
      label="Folder of the logs"
      placeholder="C:\MBE\Logs"
      className={className}
      spellCheck={false}
      maxLength={4096}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** Which files below the folder are read, as a pattern. */
export function MatchField({ value, error, onChange }: FieldProps) {
  return (
    <TextInput
      label="Which files"
      description="A pattern below the folder; ** means any folders"
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
      label="How times are written"
      description="Only if not recognised, for example dd/MM/yyyy HH:mm:ss.SSS"
      placeholder="recognise"
      spellCheck={false}
      maxLength={100}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
