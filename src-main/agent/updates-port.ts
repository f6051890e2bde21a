// Updates as the agent sees them: it carries the settings there and what is said of them to the screen, nothing more.
import type { UpdatesView } from '../contract/updates.ts';
import type { UpdatesSettings } from '../settings/settings.ts';

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
