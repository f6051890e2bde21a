// Which zone the page uses: that of the tool, as the agent says, or UTC where somebody at this browser chose it.
//
// The zone belongs to the tool, not to the PC that shows the page: a PC in the lab, or a screen on the wall, often stands on
// UTC, and a growth has the same times wherever it is looked at. `main.tsx` hands the zone to format/time-zone.ts, before any
// component hears of it, so a snapshot is never drawn in the zone of the one before. A component in `memo` that writes times
// calls `useTimeZone`; everything else is drawn again with the app.
import { useSyncExternalStore } from 'react';
import { readStored, store } from './browser-storage.ts';
import { readContact, watchContact } from './contact.ts';

export const zoneChoices = ['tool', 'utc'] as const;
/** `tool`: the zone of the tool. */
export type ZoneChoice = (typeof zoneChoices)[number];

interface ZoneView {
  readonly choice: ZoneChoice;
  /** As the agent names it; null: not heard yet. */
  readonly toolZone: string | null;
}

const KEY = 'epistream.zone';

let view: ZoneView = { choice: readStored(KEY) === 'utc' ? 'utc' : 'tool', toolZone: null };
const listeners = new Set<() => void>();

function settle(choice: ZoneChoice, toolZone: string | null): void {
  if (choice === view.choice && toolZone === view.toolZone) return;
  view = { choice, toolZone };
  for (const listener of listeners) listener();
}

const hear = () => settle(view.choice, readContact().snapshot?.timeZone ?? null);
watchContact(hear);
hear();

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Tell the zone that the page is to use, an IANA name, now and after each change. */
export function watchTimeZone(tell: (zone: string) => void): void {
  const tellNow = () => tell(view.choice === 'tool' && view.toolZone !== null ? view.toolZone : 'UTC');
  subscribe(tellNow);
  tellNow();
}

/** Follow which zone is chosen, and that of the tool. */
export function useTimeZone(): ZoneView {
  return useSyncExternalStore(subscribe, () => view);
}

/** Choose the zone of the page; the choice is kept in this browser where it keeps anything. */
export function chooseZone(choice: ZoneChoice): void {
  settle(choice, view.toolZone);
  store(KEY, choice);
}
