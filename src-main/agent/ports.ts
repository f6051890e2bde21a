// Interfaces of the agent to the program around it, with defaults for a program that has none: updates, and sleep of the PC.
import type { UpdatesView } from '../contract/updates.ts';
import type { UpdatesSettings } from '../settings/settings.ts';

/** Updates of the program: it takes the settings, and its view is shown on the screen. */
export interface UpdatesPort {
  readonly view: UpdatesView;
  /** Go by these settings from now on. */
  follow(settings: UpdatesSettings): void;
}

/** Where the program cannot exchange itself: in a terminal, as a service, in a browser. */
export const noUpdates: UpdatesPort = {
  view: {
    state: 'off',
    text: 'Updates are for the installed desktop program.',
    hint: 'Here a person installs a new version.',
    checkedMs: null,
    version: null,
  },
  follow: () => undefined,
};

/** The sleep of the PC: it keeps the PC awake, and shows why it cannot. */
export interface AwakePort {
  /** Why the PC may fall asleep although it should not; null: it does not, or may. */
  readonly problem: string | null;
  /** Keep the PC awake from now on, or no longer. */
  follow(isWanted: boolean): void;
}

/** Where nothing keeps the PC awake. */
export const noAwake: AwakePort = { problem: 'Nothing keeps it awake.', follow: () => undefined };
