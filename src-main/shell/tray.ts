import { join } from 'node:path';
import { Menu, nativeImage, nativeTheme, Tray } from 'electron';
import type { Sentence } from '../contract/snapshot.ts';
import type { AgentPort } from './agent-port.ts';

/** Windows cuts a tooltip here, characters. */
const TOOLTIP_MAX = 127;

export interface TrayActions {
  open(): void;
  quit(): void;
}

/**
 * Open the tray icon, drawn from the same snapshot as the screen.
 *
 * **Takes**: the agent, the folder of the tray pictures, and what its menu does.
 * **Gives**: the function that removes it. Its outline says the tone, its tooltip the sentence.
 */
export function openTray({ snapshot, subscribe }: AgentPort, pictureFolder: string, actions: TrayActions): () => void {
  let shown: Sentence = snapshot.sentence;
  const tray = new Tray(picture(pictureFolder, shown.tone));
  tray.on('click', actions.open);

  const draw = () => {
    tray.setImage(picture(pictureFolder, shown.tone));
    tray.setToolTip(cut(`Epistream: ${shown.text}`));
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: cut(shown.text), enabled: false },
        { type: 'separator' },
        { label: 'Open Epistream', click: actions.open },
        { label: 'Quit', click: actions.quit },
      ]),
    );
  };
  draw();
  // Only what changed is drawn: a menu that is replaced closes under the pointer.
  const unsubscribe = subscribe('snapshot', ({ sentence }) => {
    if (sentence.tone === shown.tone && sentence.text === shown.text) return;
    shown = sentence;
    draw();
  });
  nativeTheme.on('updated', draw);
  return () => {
    unsubscribe();
    nativeTheme.off('updated', draw);
    tray.destroy();
  };
}

function picture(folder: string, tone: Sentence['tone']) {
  const bar = nativeTheme.shouldUseDarkColors ? 'dark' : 'light';
  return nativeImage.createFromPath(join(folder, `${tone}-on-${bar}.png`));
}

function cut(text: string): string {
  return text.length <= TOOLTIP_MAX ? text : `${text.slice(0, TOOLTIP_MAX - 1)}…`;
}
