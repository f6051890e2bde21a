import { Button, Popover, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import layout from '../../ui/layout.module.css';
import { keepViews, NAME_MAX, type PlotState, readState, readViews, writeState } from './plot-view.ts';
import classes from './plots.module.css';
import { words } from './words.ts';

type Entries = readonly (readonly [name: string, state: string])[];

/** Views under names: open one, save what is shown, rename, delete after one question. */
export function NamedViews({ state, onChange }: { state: PlotState; onChange: (state: PlotState) => void }) {
  const [views, setViews] = useState(readViews);
  const [open, setOpen] = useState<string | null>(null);
  const [typed, setTyped] = useState('');
  const [isAsking, setIsAsking] = useState(false);
  const [said, setSaid] = useState('');
  const name = typed.trim();
  const isTaken = Object.hasOwn(views, name);
  // The name of the open view stands in the field, so that it can be saved again.
  const show = (wanted: string | null, told = '') => {
    setOpen(wanted);
    setTyped(wanted ?? '');
    setIsAsking(false);
    setSaid(told);
  };
  // Another tab may have kept views meanwhile.
  const write = (change: (kept: Entries) => Entries, shown: string | null, told = '') => {
    const next = Object.fromEntries(change(Object.entries(readViews())));
    keepViews(next);
    setViews(next);
    show(shown, told);
  };
  const save = () => write((kept) => [...kept, [name, writeState(state)]], name, isTaken ? words.replaced(name) : '');
  const all = Object.entries(views);
  return (
    <Popover position="bottom-end" trapFocus shadow="md" width={380}>
      <Popover.Target>
        <Button variant="default">{words.views(all.length)}</Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={words.viewsLabel} className={layout.closeStack ?? ''}>
        <Select
          label={words.view}
          data={Object.keys(views)}
          disabled={all.length === 0}
          value={open}
          comboboxProps={{ withinPortal: false }}
          onChange={(wanted) => {
            show(wanted);
            onChange(readState(views[wanted ?? ''] ?? '') ?? state);
          }}
        />
        <TextInput
          label={words.viewName}
          maxLength={NAME_MAX}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <div className={classes.moves}>
          <Button disabled={name === ''} onClick={save}>
            {words.save}
          </Button>
          <Button
            variant="default"
            disabled={open === null || name === '' || isTaken}
            onClick={() => write((kept) => kept.map(([one, word]) => [one === open ? name : one, word]), name)}
          >
            {words.rename}
          </Button>
          <Button
            variant={isAsking ? 'filled' : 'default'}
            disabled={open === null}
            onClick={() => (isAsking ? write((kept) => kept.filter(([one]) => one !== open), null) : setIsAsking(true))}
          >
            {isAsking ? words.remove(open ?? '') : words.delete}
          </Button>
        </div>
        <div role="status">{said}</div>
      </Popover.Dropdown>
    </Popover>
  );
}
