import { Button, Checkbox, Popover, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { formatCounted } from '../../format/number.ts';
import { Quiet } from '../quiet.tsx';
import { channelKey } from './line-key.ts';
import classes from './plot.module.css';

/** Boxes drawn at once: a thousand of them take seconds to open. Chosen ones are always among them. */
const DRAWN_MAX = 100;

interface PickerProps {
  /** What stands before the count on the button; default Channels. */
  word?: string;
  channels: readonly { readonly sourceId: string; readonly channel: string; readonly unit: string }[];
  /** Most that can be chosen at once. */
  most: number;
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
}

/** Choose what is plotted: every channel with a box, grouped by its source, with a search for the long lists. */
export function ChannelPicker({ word = 'Channels', channels, most, chosen, onChange }: PickerProps) {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const found = channels.filter(({ channel, sourceId }) => `${sourceId} ${channel}`.toLowerCase().includes(wanted));
  const drawn = found.filter((channel, at) => at < DRAWN_MAX || chosen.has(channelKey(channel)));
  const left = found.length - drawn.length;
  const sourceIds = [...new Set(drawn.map(({ sourceId }) => sourceId))];
  const count = channels.filter((channel) => chosen.has(channelKey(channel))).length;
  const toggle = (key: string) => {
    const next = new Set(chosen);
    if (!next.delete(key)) next.add(key);
    onChange(next);
  };
  return (
    <Popover position="bottom-end" trapFocus shadow="md" width={340}>
      <Popover.Target>
        <Button variant="default" disabled={channels.length === 0}>
          {word}: {count} of {channels.length}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={`${word} to show`}>
        <TextInput
          aria-label="Search channels"
          placeholder="Search channels"
          leftSection={<IconSearch size="1.125rem" aria-hidden="true" />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        {count >= most && <Quiet>{most} channels are the most at once.</Quiet>}
        {found.length === 0 && <Quiet>No channel is named like this.</Quiet>}
        <div className={classes.pickerList}>
          {sourceIds.map((sourceId) => (
            <fieldset key={sourceId} className={classes.pickerGroup}>
              <legend>
                <bdi>{sourceId}</bdi>
              </legend>
              {drawn
                .filter((channel) => channel.sourceId === sourceId)
                .map((channel) => {
                  const key = channelKey(channel);
                  const isChosen = chosen.has(key);
                  return (
                    <Checkbox
                      key={key}
                      label={<bdi>{channel.unit ? `${channel.channel} (${channel.unit})` : channel.channel}</bdi>}
                      checked={isChosen}
                      disabled={!isChosen && count >= most}
                      onChange={() => toggle(key)}
                    />
                  );
                })}
            </fieldset>
          ))}
          {left > 0 && <Quiet>{formatCounted(left, 'more channel')}: search for them by name.</Quiet>}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
