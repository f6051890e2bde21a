import { Button, Select, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { wordsOf } from '../../state/ask.ts';
import { faultOf } from '../../state/query-fault.ts';
import { type ListedSetting, useAllSettings, useSetSetting } from '../../state/settings.ts';
import { CopyText } from '../../ui/copy-text.tsx';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryFault } from '../../ui/query-fault.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import classes from './settings.module.css';
import { words } from './words.ts';

const texts = words.all;
/** Another zone gives every new row of a log another time: its form previews them. */
const TOOL_ZONE = 'tool.time_zone';

/** Every setting of the file with its line, found by a word; what has a form above stands here, too. */
export function AllSettings({ file }: { file: string }) {
  const all = useAllSettings();
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const found = (all.data ?? []).filter(({ path, about }) => `${path} ${about}`.toLowerCase().includes(wanted));
  return (
    <Panel title={texts.title}>
      <div className={layout.stack} data-testid="all-settings">
        <CopyText label={texts.file} text={file} />
        <TextInput
          label={texts.search}
          leftSection={<IconSearch size="1.125rem" aria-hidden="true" />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <QueryFault fault={faultOf(all)} />
        {all.data && found.length === 0 && <Quiet>{texts.none}</Quiet>}
        <ul className={classes.all}>
          {found.map((setting) => (
            <SettingRow key={`${setting.path} ${setting.value}`} setting={setting} />
          ))}
        </ul>
      </div>
    </Panel>
  );
}

function SettingRow({ setting }: { setting: ListedSetting }) {
  const { path, about, choices, value, otherwise, line, lineText } = setting;
  const [typed, setTyped] = useState(value ?? '');
  const set = useSetSetting();
  const isChanged = typed.trim() !== (value ?? '');
  const field = { label: path, description: about, placeholder: otherwise ?? '', value: typed };
  return (
    <li>
      <form
        className={classes.setting}
        onSubmit={(event) => {
          event.preventDefault();
          set.mutate({ path, value: typed });
        }}
      >
        {path === TOOL_ZONE ? (
          <p className={classes.line}>
            <strong>{path}</strong> {texts.zone}
          </p>
        ) : choices ? (
          <Select {...field} data={[...choices]} clearable onChange={(chosen) => setTyped(chosen ?? '')} />
        ) : (
          <TextInput
            {...field}
            spellCheck={false}
            maxLength={5000}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        <p className={classes.line}>
          {line === null ? (
            texts.notNamed(otherwise)
          ) : (
            <>
              {texts.line(line)} <code>{lineText}</code>
            </>
          )}
        </p>
        {isChanged && (
          <div>
            <Button type="submit" variant="default" loading={set.isPending} aria-label={texts.saveOf(path)}>
              {texts.save}
            </Button>{' '}
            <span className={classes.line}>{texts.restarts}</span>
          </div>
        )}
        {set.error && <Notice tone="attention" isUrgent {...wordsOf(set.error)} />}
      </form>
    </li>
  );
}
