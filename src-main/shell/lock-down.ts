// Everything that a page could ask of Electron beyond drawing itself is refused, for every window there will ever be.
import { type App, app, type Session, session } from 'electron';
import { isPageUrl, PAGE_URL } from './page-protocol.ts';

/**
 * Refuse permissions, navigation, new windows, embedded views, downloads and all network to every page. What the page has
 * made itself (a receipt) and a file that the agent gives are let through to the dialog in which a person says where it goes. Called once, when
 * Electron is ready and before the first window.
 */
export function lockDown(): void {
  denyPermissions(session.defaultSession);
  denyNetwork(session.defaultSession);
  denyEscapes(app);
}

function denyPermissions(of: Session): void {
  of.setPermissionRequestHandler((_contents, _permission, decide) => decide(false));
  of.setPermissionCheckHandler(() => false);
  of.setDevicePermissionHandler(() => false);
}

/** The page talks to the agent over IPC alone. The developer tools, absent from the installed program, load themselves. */
function denyNetwork(of: Session): void {
  of.webRequest.onBeforeRequest(({ url }, answer) =>
    answer({ cancel: !isPageUrl(url) && !isOwnBlob(url) && !url.startsWith('devtools:') }),
  );
  of.on('will-download', (event, item) => {
    const url = item.getURL();
    if (!isOwnBlob(url) && !url.startsWith(`${PAGE_URL}raw/`)) event.preventDefault();
  });
}

/** A text or file that the page itself holds: nothing of it comes from elsewhere. */
const isOwnBlob = (url: string): boolean => url.startsWith(`blob:${PAGE_URL}`);

function denyEscapes(of: App): void {
  of.on('web-contents-created', (_event, contents) => {
    contents.on('will-navigate', (event) => event.preventDefault());
    contents.on('will-redirect', (event) => event.preventDefault());
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  });
}
