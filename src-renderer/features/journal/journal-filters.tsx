import { Checkbox, Select, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { readTimeField, toTimeField } from '../../format/time-zone.ts';
import { type JournalFilter, useJournalSources } from '../../state/journal.ts';
import { faultOf } from '../../state/query-fault.ts';
import { QueryFault } from '../../ui/query-fault.tsx';
import classes from './journal.module.css';

type Level = JournalFilter['levels'][number];
const levels: readonly { level: Level; word: string }[] = [
  { level: 'error', word: 'Errors' },
  { level: 'warning', word: 'Warnings' },
  { level: 'info', word: 'Info' },
];
/** A person is given time to finish a word, milliseconds. */
const TYPING_MS = 300;

interface FiltersProps {
  filter: JournalFilter;
  onChange: (part: Partial<JournalFilter>) => void;
}

/** By level, source, text and time. */
export function JournalFilters({ filter, onChange }: FiltersProps) {
  const sources = useJournalSources();
  const toggle = (level: Level, isWanted: boolean) => {
    const wanted = levels
      .map((one) => one.level)
      .filter((one) => (one === level ? isWanted : filter.levels.includes(one)));
    // None at all would show nothing for ever.
    if (wanted.length > 0) onChange({ levels: wanted });
  };
  return (
    <div className={classes.filters}>
      <QueryFault fault={faultOf(sources)} />
      <fieldset className={classes.levels}>
        <legend>Levels</legend>
        {levels.map(({ level, word }) => (
          <Checkbox
            key={level}
            label={word}
            styles={{ body: { alignItems: 'center' } }}
            checked={filter.levels.includes(level)}
            onChange={(event) => toggle(level, event.currentTarget.checked)}
          />
        ))}
      </fieldset>
      <Select
        label="Source"
        placeholder="any"
        data={sources.data ?? []}
        clearable
        clearButtonProps={{ 'aria-label': 'Any source' }}
        value={filter.source}
        onChange={(source) => onChange({ source })}
      />
      <TextField text={filter.text} onChange={onChange} />
      <MomentField label="From" timeMs={filter.fromMs} onChange={(fromMs) => onChange({ fromMs })} />
      <MomentField label="To" timeMs={filter.toMs} onChange={(toMs) => onChange({ toMs })} />
    </div>
  );
}

function TextField({ text, onChange }: { text: string; onChange: FiltersProps['onChange'] }) {
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  useEffect(() => {
    if (typed === text) return;
    const timer = setTimeout(() => onChange({ text: typed }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, text, onChange]);
  return (
    <TextInput
      label="Text"
      placeholder="words or a code"
      maxLength={200}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  );
}

interface MomentFieldProps {
  label: string;
  timeMs: number | null;
  onChange: (timeMs: number | null) => void;
}

/** A moment in the zone in force. What is not a whole moment yet counts as none. */
function MomentField({ label, timeMs, onChange }: MomentFieldProps) {
  return (
    <TextInput
      type="datetime-local"
      label={label}
      value={timeMs === null ? '' : toTimeField(timeMs)}
      onChange={(event) => onChange(readTimeField(event.currentTarget.value))}
    />
  );
}
