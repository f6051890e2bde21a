// The program's own menu in place of Electron's, whose entries reload the page, open the developer tools, and quit by a
// slip of a key (Ctrl+Q) without the order in which a person's quitting installs what waits. Everything that Epistream can
// do stands on the page and in the tray.
import { Menu, type MenuItemConstructorOptions } from 'electron';

/**
 * Set the menu. On macOS copying and pasting need one, and Command+Q is what everybody knows; elsewhere there is none.
 *
 * @param quit - what a person's quitting does.
 */
export function setAppMenu(quit: () => void): void {
  Menu.setApplicationMenu(process.platform === 'darwin' ? Menu.buildFromTemplate(macMenu(quit)) : null);
}

function macMenu(quit: () => void): MenuItemConstructorOptions[] {
  const own: MenuItemConstructorOptions[] = [
    { role: 'hide' },
    { role: 'hideOthers' },
    { type: 'separator' },
    { label: 'Quit Epistream', accelerator: 'Command+Q', click: quit },
  ];
  return [{ label: 'Epistream', submenu: own }, { role: 'editMenu' }, { role: 'windowMenu' }];
}
