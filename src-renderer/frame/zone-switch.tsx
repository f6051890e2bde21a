import { Menu, UnstyledButton } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { formatZone } from '../format/time.ts';
import { zoneInForce } from '../format/time-zone.ts';
import { chooseZone, useTimeZone, type ZoneChoice, zoneChoices } from '../state/time-zone.ts';
import classes from './frame.module.css';

/** Names the zone of all times on the page, and chooses it. */
export function ZoneSwitch({ atMs }: { atMs: number }) {
  const { choice, toolZone } = useTimeZone();
  const name = formatZone(atMs);
  const words: Readonly<Record<ZoneChoice, string>> = {
    tool: toolZone === null ? 'Tool time' : `Tool time (${toolZone})`,
    utc: 'UTC',
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <UnstyledButton
          className={classes.zone ?? ''}
          title={`All times are in ${zoneInForce()}`}
          aria-label={`${name}, time zone`}
        >
          {name}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {zoneChoices.map((offered) => (
          <Menu.Item
            key={offered}
            rightSection={offered === choice ? <IconCheck size="1.125rem" aria-label="chosen" /> : null}
            onClick={() => chooseZone(offered)}
          >
            {words[offered]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
