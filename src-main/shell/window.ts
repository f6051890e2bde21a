import { app, BrowserWindow } from 'electron';
import type { AgentPort } from './agent-port.ts';
import { PAGE_URL } from './page-protocol.ts';

/** A page that died is drawn again, but not more often than this: one that dies at once must not spin, milliseconds. */
const RELOAD_INTERVAL_MS = 10_000;

export interface ScreenWindow {
  readonly window: BrowserWindow;
  /** Bring it to the front, whether hidden, minimised or behind others. */
  raise(): void;
  /** Bring it to the front, at a page of the screen. */
  show(path: string): void;
  /** From now on closing it closes it. */
  letGo(): void;
}

export interface WindowOptions {
  /** The bundled preload. */
  readonly preloadPath: string;
  readonly iconPath: string;
  /** It stays hidden until somebody asks for it. */
  readonly isHidden: boolean;
  readonly tell: AgentPort['tell'];
}

/**
 * Open the one window.
 *
 * @returns the window. Closing it hides it: capture goes on, and the tray brings it back.
 */
export function openWindow({ preloadPath, iconPath, isHidden, tell }: WindowOptions): ScreenWindow {
  const window = new BrowserWindow({
    width: 1360,
    height: 900,
    minWidth: 420,
    minHeight: 480,
    show: false,
    title: 'Epistream',
    icon: iconPath,
    webPreferences: {
      preload: preloadPath,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
      devTools: !app.isPackaged,
    },
  });
  let isLeaving = false;
  window.on('close', (event) => {
    if (isLeaving) return;
    event.preventDefault();
    window.hide();
  });
  if (!isHidden) window.once('ready-to-show', () => window.show());
  reloadWhenGone(window, tell);
  // A page that cannot be loaded leaves an empty window; capture does not depend on it.
  const load = (url: string) =>
    void window.loadURL(url).catch((fault: Error) => console.error(`The page could not be loaded: ${fault.message}`));
  load(PAGE_URL);
  const raise = () => {
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  };
  return {
    window,
    raise,
    show: (path) => {
      load(`${PAGE_URL}#${path}`);
      raise();
    },
    letGo: () => {
      isLeaving = true;
    },
  };
}

function reloadWhenGone(window: BrowserWindow, tell: AgentPort['tell']): void {
  let reloadedMs = Number.NEGATIVE_INFINITY;
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || performance.now() - reloadedMs < RELOAD_INTERVAL_MS) return;
    reloadedMs = performance.now();
    const message = `The page of the window ended (${reason}) and is drawn again; capture went on.`;
    tell({ level: 'warning', code: 'desktop.page-gone', message, hint: '' });
    window.webContents.reload();
  });
}
