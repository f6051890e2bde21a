import { TextInput } from '@mantine/core';
import layout from '../../ui/layout.module.css';
import { ZoneSelect } from '../../ui/sources/zone-select.tsx';
import type { Faults, SettingsValues } from './settings-values.ts';

interface FieldsProps {
  values: SettingsValues;
  faults: Faults;
  toolZone: string;
  onChange: (part: Partial<SettingsValues>) => void;
}

/** Name and zone of the tool, and its number on the service. */
export function ToolFields({ values, faults, toolZone, onChange }: FieldsProps) {
  return (
    <div className={layout.fields}>
      <TextInput
        label="Name of the tool"
        description="The name of each stream begins with it"
        maxLength={100}
        value={values.toolName}
        error={faults.toolName}
        onChange={(event) => onChange({ toolName: event.currentTarget.value })}
      />
      <ZoneSelect
        label="Time zone of the tool"
        description={
          values.timeZone === toolZone
            ? 'For times in logs that name no zone'
            : 'Lines that were read already keep the zone they were read by'
        }
        value={values.timeZone}
        onChange={(timeZone) => onChange({ timeZone })}
      />
      <TextInput
        label="Tool ID at the service"
        description="synth_source_id of its growth instrument; empty: streams are linked with none"
        inputMode="numeric"
        maxLength={9}
        value={values.synthSourceId}
        error={faults.synthSourceId}
        onChange={(event) => onChange({ synthSourceId: event.currentTarget.value })}
      />
    </div>
  );
}
