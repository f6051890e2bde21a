import { PasswordInput, TextInput } from '@mantine/core';
import { useFolders } from '../../state/folders.ts';
import layout from '../../ui/layout.module.css';
import { RadioChoice } from '../../ui/radio-choice.tsx';
import { AddressField, ServiceKindField } from '../../ui/service-fields.tsx';
import { FolderField, MatchField, TimeFormatField } from '../../ui/sources/log-fields.tsx';
import { ZoneSelect } from '../../ui/sources/zone-select.tsx';
import type { ConnectValues, Faults } from './connect-values.ts';
import classes from './first-run.module.css';

interface FieldsProps {
  values: ConnectValues;
  faults: Faults;
  onChange: (part: Partial<ConnectValues>) => void;
}

/** Name and time zone of the tool. */
export function ToolFields({ values, faults, onChange }: FieldsProps) {
  return (
    <div className={classes.fields}>
      <TextInput
        label="Name of the tool"
        placeholder="MBE-1"
        maxLength={100}
        value={values.toolName}
        error={faults.toolName}
        onChange={(event) => onChange({ toolName: event.currentTarget.value })}
      />
      <ZoneSelect
        label="Time zone of its logs"
        description="For times in the logs that name no zone"
        value={values.timeZone}
        error={faults.timeZone}
        onChange={(timeZone) => onChange({ timeZone })}
      />
    </div>
  );
}

const backfills: Readonly<Record<ConnectValues['backfill'], string>> = {
  'from-now': 'New data only',
  all: 'Existing files, too',
};

/** Where the logs lie, which files, how their times are written, and from when on they are read. */
export function FolderFields({ values, faults, onChange }: FieldsProps) {
  return (
    <div className={classes.fields}>
      <FolderField
        useFolders={useFolders}
        className={layout.wide}
        value={values.folder}
        error={faults.folder}
        onChange={(folder) => onChange({ folder })}
      />
      <MatchField value={values.match} error={faults.match} onChange={(match) => onChange({ match })} />
      <TimeFormatField value={values.timeFormat} onChange={(timeFormat) => onChange({ timeFormat })} />
      <RadioChoice
        label="Start from"
        choices={backfills}
        value={values.backfill}
        onChange={(backfill) => onChange({ backfill })}
      />
    </div>
  );
}

/** The service inside this program, or one at an address with a key. */
export function ServiceFields({ values, faults, onChange }: FieldsProps) {
  return (
    <div className={classes.fields}>
      <ServiceKindField value={values.service} onChange={(service) => onChange({ service })} />
      {values.service === 'address' && (
        <>
          <AddressField
            value={values.serviceAddress}
            error={faults.serviceAddress}
            onChange={(serviceAddress) => onChange({ serviceAddress })}
          />
          <PasswordInput
            label="Key"
            description="Kept where this PC can protect it, else for this session only; never shown again"
            autoComplete="off"
            maxLength={1000}
            value={values.apiKey}
            error={faults.apiKey}
            onChange={(event) => onChange({ apiKey: event.currentTarget.value })}
          />
        </>
      )}
    </div>
  );
}
