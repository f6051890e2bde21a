// Which of the themes this browser shows. The choice belongs to the screen, not to the agent: the PC in the RHEED room
// and the one in the office look at the same agent.
import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';
import { useEffect, useState } from 'react';
import { readStored, store } from './browser-storage.ts';

export const themes = ['auto', 'light', 'dark', 'dark-room'] as const;
/** `auto`: as the operating system. `dark-room`: red on black, for eyes that have to see a RHEED screen. */
export type Theme = (typeof themes)[number];

const KEY = 'epistream.theme';

/** What was chosen in this tab, or else last in this browser; one that keeps nothing shows what the operating system says. */
function readTheme(): Theme {
  const kept = readStored(KEY, 'tab') ?? readStored(KEY);
  return themes.find((theme) => theme === kept) ?? 'auto';
}

/** The scheme under a theme: the dark room is the dark scheme with every colour turned to red. */
export const schemeOf = (theme: Theme): MantineColorScheme => (theme === 'dark-room' ? 'dark' : theme);

/**
 * Mantine begins with the scheme of the theme, and keeps none of its own: what one tab keeps is no order to another one. Two
 * tabs that follow each other's choice change back and forth without end.
 */
export const schemeManager: MantineColorSchemeManager = {
  get: () => schemeOf(readTheme()),
  set: () => undefined,
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  clear: () => undefined,
};

/**
 * Follow and choose the theme.
 *
 * @returns the theme and the function that changes it; the choice is kept in this browser where it keeps anything.
 */
export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(readTheme);
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  const choose = (chosen: Theme) => {
    setTheme(chosen);
    store(KEY, chosen, 'tab');
    store(KEY, chosen);
  };
  return [theme, choose];
}
