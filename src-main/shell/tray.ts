import { join } from 'node:path';
import { Menu, nativeImage, nativeTheme, Tray } from 'electron';
import type { Snapshot } from '../contract/snapshot.ts';
import type { AgentPort } from './agent-port.ts';
import { makeTrayMenu, type TrayAct } from './tray-menu.ts';

/** Windows cuts a tooltip here, characters. */
const TOOLTIP_MAX = 127;
/** A menu that is replaced closes under the pointer, so one in which only numbers changed waits so long, milliseconds. */
const MENU_INTERVAL_MS = 5_000;

export interface TrayActions {
  /** Bring the window to the front, at a page of it. */
  open(path: '/' | '/growth'): void;
  quit(): void;
  /** Whether the program starts with the PC; null where that cannot be set. */
  startsAtLogin(): boolean | null;
  setStartAtLogin(wanted: boolean): void;
}

/**
 * Open the tray icon, drawn from the same snapshot as the screen.
 *
 * @param pictureFolder - the folder of the tray pictures.
 * @param actions - what its menu does.
 * @returns the function that removes it. Its outline says the tone, its tooltip the sentence.
 */
export function openTray(agent: AgentPort, pictureFolder: string, actions: TrayActions): () => void {
  let shown: Snapshot = agent.snapshot;
  let drawn = '';
  let menu = '';
  let menuSetMs = Number.NEGATIVE_INFINITY;
  const tray = new Tray(picture(pictureFolder, shown.sentence.tone));
  tray.on('click', () => actions.open('/'));

  const act: Readonly<Record<TrayAct, () => void>> = {
    none: () => undefined,
    open: () => actions.open('/'),
    'open-growth': () => actions.open('/growth'),
    pause: () => void agent.handlers.service.pause(null).catch(report),
    'go-on': () => void agent.handlers.service.goOn(null).catch(report),
    'start-at-login': () => {
      actions.setStartAtLogin(actions.startsAtLogin() !== true);
      draw();
    },
    quit: actions.quit,
  };
  const draw = () => {
    const { tone, text } = shown.sentence;
    tray.setImage(picture(pictureFolder, tone));
    tray.setToolTip(cut(`Epistream: ${text}`));
    drawn = `${tone} ${text}`;
    setMenu();
  };
  const setMenu = () => {
    const groups = makeTrayMenu(shown, actions.startsAtLogin());
    const template = groups.flatMap((lines, at) => [
      ...(at === 0 ? [] : [{ type: 'separator' } as const]),
      ...lines.map(({ text, act: which, isChecked }) => ({
        label: text,
        enabled: which !== 'none',
        click: act[which],
        ...(isChecked === undefined ? {} : { type: 'checkbox' as const, checked: isChecked }),
      })),
    ]);
    menu = JSON.stringify(groups);
    menuSetMs = performance.now();
    tray.setContextMenu(Menu.buildFromTemplate(template));
  };
  draw();
  const unsubscribe = agent.subscribe('snapshot', (snapshot) => {
    shown = snapshot;
    const { tone, text } = snapshot.sentence;
    if (`${tone} ${text}` !== drawn) return draw();
    const isDue = performance.now() - menuSetMs >= MENU_INTERVAL_MS;
    const wanted = JSON.stringify(makeTrayMenu(snapshot, actions.startsAtLogin()));
    if (wanted !== menu && (isDue || withoutNumbers(wanted) !== withoutNumbers(menu))) setMenu();
  });
  nativeTheme.on('updated', draw);
  return () => {
    unsubscribe();
    nativeTheme.off('updated', draw);
    tray.destroy();
  };
}

const withoutNumbers = (text: string) => text.replace(/[\d,]+/g, '');
const report = (fault: Error) => console.error(fault.message);

function picture(folder: string, tone: Snapshot['sentence']['tone']) {
  const bar = nativeTheme.shouldUseDarkColors ? 'dark' : 'light';
  return nativeImage.createFromPath(join(folder, `${tone}-on-${bar}.png`));
}

function cut(text: string): string {
  return text.length <= TOOLTIP_MAX ? text : `${text.slice(0, TOOLTIP_MAX - 1)}…`;
}
