// Starting with the PC. Windows and macOS keep it themselves; on Linux it is a file in the user's autostart folder, as the
// desktops there agreed on. The installed program alone can be started so: one run from the sources has no fixed place.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { app } from 'electron';

/** Word that a start with the PC carries: it opens the tray, not the window. */
export const HIDDEN = '--hidden';

const FILE = 'autostart/epistream.desktop';

/** Whether the program starts with the PC; null where that cannot be set. */
export function startsAtLogin(): boolean | null {
  if (!app.isPackaged) return null;
  if (process.platform === 'linux') return existsSync(join(app.getPath('appData'), FILE));
  return app.getLoginItemSettings({ args: [HIDDEN] }).openAtLogin;
}

/**
 * Let it start with the PC, or not.
 *
 * @throws those of writing the file, on Linux.
 */
export function setStartAtLogin(wanted: boolean): void {
  if (process.platform === 'linux') writeAutostart(wanted);
  else app.setLoginItemSettings({ openAtLogin: wanted, args: [HIDDEN] });
}

function writeAutostart(wanted: boolean): void {
  const file = join(app.getPath('appData'), FILE);
  rmSync(file, { force: true });
  if (!wanted) return;
  // An AppImage runs from a place that is another at each start; its own file is named by the environment.
  const program = process.env.APPIMAGE ?? process.execPath;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, desktopEntry(program));
}

/** The file as the desktop entry specification asks: the program in quotes, what would end them escaped. */
export function desktopEntry(program: string): string {
  const quoted = `"${program.replace(/["`$\\]/g, String.raw`\$&`).replaceAll('%', '%%')}"`;
  return `[Desktop Entry]\nType=Application\nName=Epistream\nExec=${quoted.replaceAll('\\', '\\\\')} ${HIDDEN}\nTerminal=false\n`;
}
