import { PasswordInput, Radio, TextInput } from '@mantine/core';
import { ZoneSelect } from '../../ui/zone-select.tsx';
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

/** Where the logs lie, which files, how their times are written, and from when on they are read. */
export function FolderFields({ values, faults, onChange }: FieldsProps) {
  return (
    <div className={classes.fields}>
      <TextInput
        label="Folder of the logs"
        placeholder="C:\MBE\Logs"
        className={classes.wide}
        spellCheck={false}
        maxLength={4096}
        value={values.folder}
        error={faults.folder}
        onChange={(event) => onChange({ folder: event.currentTarget.value })}
      />
      <TextInput
        label="Which files"
        description="A pattern below the folder; ** means any folders"
        spellCheck={false}
        maxLength={200}
        value={values.match}
        error={faults.match}
        onChange={(event) => onChange({ match: event.currentTarget.value })}
      />
      <TextInput
        label="How times are written"
        description="Only if not recognised, for example dd/MM/yyyy HH:mm:ss.SSS"
        placeholder="recognise"
        spellCheck={false}
        maxLength={100}
        value={values.timeFormat}
        onChange={(event) => onChange({ timeFormat: event.currentTarget.value })}
      />
      <Radio.Group
        label="From when on"
        className={classes.wide}
        value={values.backfill}
        onChange={(backfill) => onChange({ backfill: backfill as ConnectValues['backfill'] })}
      >
        <div className={classes.radios}>
          <Radio value="from-now" label="What is written from now on" />
          <Radio value="all" label="Everything that stands there already, too" />
        </div>
      </Radio.Group>
    </div>
  );
}

/** The service inside this program, or one at an address with a key. */
export function ServiceFields({ values, faults, onChange }: FieldsProps) {
  return (
    <div className={classes.fields}>
      <Radio.Group
        label="Service"
        className={classes.wide}
        value={values.service}
        onChange={(service) => onChange({ service: service as ConnectValues['service'] })}
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
            value={values.serviceAddress}
            error={faults.serviceAddress}
            onChange={(event) => onChange({ serviceAddress: event.currentTarget.value })}
          />
          <PasswordInput
            label="Key"
            description="Kept for this session only and never shown again"
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
