import { ActionIcon, Button, Popover, TextInput } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { keepViews, NAME_MAX, type PlotState, readState, readViews, writeState } from './plot-view.ts';
import classes from './plots.module.css';
import { words } from './words.ts';

const SIZE_PX = 44;

/** Views under names: open one, keep what is shown, rename, delete after one question. */
export function NamedViews({ state, onChange }: { state: PlotState; onChange: (state: PlotState) => void }) {
  const [views, setViews] = useState(readViews);
  const [typed, setTyped] = useState('');
  const [edited, setEdited] = useState<{ name: string; to: string | null } | null>(null);
  const name = typed.trim();
  const write = (entries: readonly (readonly [string, string])[]) => {
    const next = Object.fromEntries(entries);
    keepViews(next);
    setViews(next);
    setTyped('');
    setEdited(null);
  };
  const all = Object.entries(views);
  return (
    <Popover position="bottom-end" trapFocus shadow="md" width={380} onClose={() => setEdited(null)}>
      <Popover.Target>
        <Button variant="default">{words.views(all.length)}</Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={words.viewsLabel}>
        <ul className={classes.views}>
          {all.map(([own, word]) => (
            <li key={own}>
              {edited?.name !== own ? (
                <>
                  <Button variant="subtle" onClick={() => onChange(readState(word) ?? state)}>
                    <bdi>{own}</bdi>
                  </Button>
                  <Small
                    label={words.rename(own)}
                    icon={IconPencil}
                    onClick={() => setEdited({ name: own, to: own })}
                  />
                  <Small
                    label={words.remove(own)}
                    icon={IconTrash}
                    onClick={() => setEdited({ name: own, to: null })}
                  />
                </>
              ) : edited.to === null ? (
                <>
                  <Button color="red" onClick={() => write(all.filter(([one]) => one !== own))}>
                    {words.remove(own)}
                  </Button>
                  <Button variant="default" onClick={() => setEdited(null)}>
                    {words.keep}
                  </Button>
                </>
              ) : (
                <NameForm
                  label={words.newName}
                  button={words.apply}
                  value={edited.to}
                  onType={(to) => setEdited({ name: own, to })}
                  isTaken={edited.to.trim() !== own && views[edited.to.trim()] !== undefined}
                  onName={(to) => write(all.map(([one, kept]) => [one === own ? to : one, kept]))}
                />
              )}
            </li>
          ))}
        </ul>
        <NameForm
          label={words.viewName}
          button={words.save}
          value={typed}
          onType={setTyped}
          isTaken={views[name] !== undefined}
          onName={(to) => write([...all, [to, writeState(state)]])}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function Small({ label, icon: Icon, onClick }: { label: string; icon: typeof IconTrash; onClick: () => void }) {
  return (
    <ActionIcon variant="default" size={SIZE_PX} aria-label={label} title={label} onClick={onClick}>
      <Icon size="1.25rem" aria-hidden="true" />
    </ActionIcon>
  );
}

interface NameFormProps {
  label: string;
  button: string;
  value: string;
  /** Another view has this name. */
  isTaken: boolean;
  onType: (value: string) => void;
  onName: (name: string) => void;
}

function NameForm({ label, button, value, isTaken, onType, onName }: NameFormProps) {
  const name = value.trim();
  return (
    <form
      className={classes.nameForm}
      onSubmit={(event) => {
        event.preventDefault();
        if (name !== '' && !isTaken) onName(name);
      }}
    >
      <TextInput
        label={label}
        maxLength={NAME_MAX}
        value={value}
        error={isTaken ? words.taken : undefined}
        onChange={(event) => onType(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" disabled={name === '' || isTaken}>
        {button}
      </Button>
    </form>
  );
}
