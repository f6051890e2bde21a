import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core';
import { IconBrightnessHalf, IconCheck, IconDeviceDesktop, IconEye, IconMoon, IconSun } from '@tabler/icons-react';
import { useEffect } from 'react';
import { schemeOf, type Theme, themes, useTheme } from '../state/theme.ts';

const words: Readonly<Record<Theme, string>> = {
  auto: 'As the system',
  light: 'Light',
  dark: 'Dark',
  'dark-room': 'Dark room: red on black',
};
const icons = { auto: IconDeviceDesktop, light: IconSun, dark: IconMoon, 'dark-room': IconEye };

/** Chooses the theme. */
export function ThemeSwitch() {
  const [theme, choose] = useTheme();
  const { setColorScheme } = useMantineColorScheme();
  useEffect(() => {
    setColorScheme(schemeOf(theme));
  }, [theme, setColorScheme]);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size="xl" aria-label={`Theme: ${words[theme]}`}>
          <IconBrightnessHalf size="1.375rem" aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {themes.map((offered) => {
          const Icon = icons[offered];
          return (
            <Menu.Item
              key={offered}
              leftSection={<Icon size="1.125rem" aria-hidden="true" />}
              rightSection={offered === theme ? <IconCheck size="1.125rem" aria-label="chosen" /> : null}
              onClick={() => choose(offered)}
            >
              {words[offered]}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
