// What the tray's menu says and does, from the snapshot alone: the screen and the tray can never say two things.
// The menu leads to the page of the growth and ends none: one wrong click would cut the streams of a run.

import type { Snapshot } from '../contract/snapshot.ts';
import { formatCount } from '../model/format.ts';

/** What a line of the menu does; `none`: it only says something. */
export type TrayAct = 'none' | 'open' | 'open-growth' | 'pause' | 'go-on' | 'start-at-login' | 'quit';

export interface TrayLine {
  readonly text: string;
  readonly act: TrayAct;
  /** A line with a tick or without one. */
  readonly isChecked?: boolean;
}

/** Sources that are told one by one; the screen tells them all. */
const SOURCES_MAX = 4;
/** Longest line, characters. */
const LINE_MAX = 100;

const points = (count: number) => `${formatCount(count)} ${count === 1 ? 'point' : 'points'}`;
const cut = (text: string) => (text.length <= LINE_MAX ? text : `${text.slice(0, LINE_MAX - 1)}…`);

/**
 * Make the menu.
 *
 * @param startsAtLogin - whether the program starts with the PC (null: that cannot be set here).
 * @returns its groups of lines, top down; between two groups stands a line.
 */
export function makeTrayMenu(snapshot: Snapshot, startsAtLogin: boolean | null): readonly (readonly TrayLine[])[] {
  const says: TrayLine[] = stateLines(snapshot).map((text) => ({ text: cut(text), act: 'none' }));
  return [says, doings(snapshot), ending(snapshot, startsAtLogin)].filter((group) => group.length > 0);
}

function stateLines({ sentence, troubles, remarks, sources, growth, service, updates }: Snapshot): string[] {
  const troubled = sources.filter(({ health }) => health === 'gone');
  return [
    sentence.text,
    ...[...troubles, ...remarks].slice(1).map(({ text }) => text),
    ...(growth ? [`Growth ${growth.name === '' ? 'not named yet' : `"${growth.name}"`}`] : []),
    ...(service?.state === 'offline' ? [service.message] : []),
    ...(troubled.length === 1 ? [] : troubled.slice(0, SOURCES_MAX)).map(({ id, message }) => `${id}: ${message}`),
    ...(updates.version === null ? [] : [updates.text]),
  ];
}

function doings({ phase, growth, service }: Snapshot): TrayLine[] {
  if (phase !== 'running') return [];
  const isPaused = service !== null && service.pausedSinceMs !== null;
  return [
    { text: growth ? 'End the growth…' : 'Start a growth…', act: 'open-growth' },
    isPaused ? { text: 'Go on sending', act: 'go-on' } : { text: 'Pause sending', act: 'pause' },
  ];
}

function ending({ store, growth, updates }: Snapshot, startsAtLogin: boolean | null): TrayLine[] {
  const waiting = store?.waitingPoints ?? 0;
  // The person who chooses this line has been asked: nothing is installed in a growth, or without it.
  const quit = updates.version === null || growth ? 'Quit' : `Quit and install Epistream ${updates.version}`;
  return [
    { text: 'Open Epistream', act: 'open' },
    ...(startsAtLogin === null
      ? []
      : [{ text: 'Start with this PC', act: 'start-at-login', isChecked: startsAtLogin } as const]),
    { text: waiting === 0 ? quit : `${quit} (${points(waiting)} not sent: they stay here)`, act: 'quit' },
  ];
}
