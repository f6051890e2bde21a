import { Select } from '@mantine/core';

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

interface ZoneSelectProps {
  label: string;
  description: string;
  value: string;
  error?: string | undefined;
  onChange: (zone: string) => void;
}

/** Choose a time zone by its IANA name; one that this browser does not know stays choosable. */
export function ZoneSelect({ label, description, value, error, onChange }: ZoneSelectProps) {
  return (
    <Select
      label={label}
      description={description}
      data={value === '' || zones.includes(value) ? zones : [value, ...zones]}
      searchable
      limit={60}
      allowDeselect={false}
      nothingFoundMessage="No zone of this name"
      value={value}
      error={error}
      onChange={(zone) => onChange(zone ?? '')}
    />
  );
}
