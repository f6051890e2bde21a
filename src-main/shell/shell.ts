// The desktop around a running agent: window, tray, calls and power, tied together. Nothing here knows what is recorded.
import { join } from 'node:path';
import type { AgentPort } from './agent-port.ts';
import { bindContract } from './ipc.ts';
import { keepAwake } from './keep-awake.ts';
import { lockDown } from './lock-down.ts';
import { type PagePort, servePage } from './page-protocol.ts';
import { followPower } from './power.ts';
import { setStartAtLogin, startsAtLogin } from './start-at-login.ts';
import { openTray } from './tray.ts';
import { openWindow } from './window.ts';

export interface ShellOptions {
  readonly agent: AgentPort;
  /** The built page. */
  readonly page: PagePort;
  /** The bundled preload. */
  readonly preloadPath: string;
  /** Folder with `app/` and `tray/`. */
  readonly iconFolder: string;
  /** Started with the PC: the tray alone, the window on request. */
  readonly isHidden?: boolean;
  /** Ends the program in good order. */
  readonly quit: () => void;
}

export interface Shell {
  /** Bring the window to the front. */
  raise(): void;
  /** Take everything down; the window may close now. */
  close(): void;
}

/** Open the desktop; Electron must be ready. */
export function openShell({ agent, page, preloadPath, iconFolder, isHidden, quit }: ShellOptions): Shell {
  lockDown();
  servePage(page);
  const screen = openWindow(preloadPath, join(iconFolder, 'app', '256x256.png'), isHidden === true);
  const undo = [
    bindContract(agent, screen.window),
    openTray(agent, join(iconFolder, 'tray'), { open: screen.show, quit, startsAtLogin, setStartAtLogin }),
    followPower(agent, screen.window, quit),
    keepAwake(agent),
  ];
  return {
    raise: screen.raise,
    close: () => {
      screen.letGo();
      for (const undoOne of undo.toReversed()) undoOne();
    },
  };
}
