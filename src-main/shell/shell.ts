// The desktop around a running agent: window, tray, calls and power, tied together. Nothing here knows what is recorded.
import { join } from 'node:path';
import type { AgentPort } from './agent-port.ts';
import { setAppMenu } from './app-menu.ts';
import { tellOfChildren } from './child-processes.ts';
import { bindContract } from './ipc.ts';
import { lockDown } from './lock-down.ts';
import { type PagePort, servePage } from './page-protocol.ts';
import { followPower } from './power.ts';
import { setStartAtLogin, startsAtLogin } from './start-at-login.ts';
import { openTray } from './tray.ts';
import { openWindow } from './window.ts';

export type QuitBy = 'person' | 'system';

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
  /** Ends the program in good order; `by` the system when the PC shuts down or the user is logged off. */
  readonly quit: (by: QuitBy) => void;
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
  setAppMenu(() => quit('person'));
  servePage(page);
  const iconPath = join(iconFolder, 'app', '256x256.png');
  const screen = openWindow({ preloadPath, iconPath, isHidden: isHidden === true, tell: (event) => agent.tell(event) });
  const undo = [
    bindContract(agent, screen.window),
    openTray(agent, join(iconFolder, 'tray'), {
      open: screen.show,
      quit: () => quit('person'),
      startsAtLogin,
      setStartAtLogin,
    }),
    followPower(agent, screen.window, () => quit('system')),
    tellOfChildren(agent),
  ];
  return {
    raise: screen.raise,
    close: () => {
      screen.letGo();
      for (const undoOne of undo.toReversed()) undoOne();
    },
  };
}
