// Electron's life and nothing more: one instance, ready, quit. It gives the platform to the agent, and the agent to the
// shell; the agent records from the first moment, whether or not there is a window.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { app, dialog } from 'electron';
import { createAgent } from './agent/agent.ts';
import { toAgentError } from './model/agent-error.ts';
import { declarePageScheme } from './shell/page-protocol.ts';
import { openDesktopKeys } from './shell/secrets.ts';
import { openShell, type Shell } from './shell/shell.ts';
import { readPage } from './web/page.ts';

const dist = join(import.meta.dirname, '..');
const iconFolder = app.isPackaged ? join(process.resourcesPath, 'icons') : join(dist, '../resources/icons');
/** Longest that quitting waits for the agent, milliseconds; what is captured by then is on disk in any case. */
const STOP_MAX_MS = 5_000;

async function main(): Promise<void> {
  await app.whenReady();
  const folder = app.getPath('userData');
  const keys = await openDesktopKeys(join(folder, 'api-key.bin'), () => agent.release());
  if (keys.warning !== '') console.error(keys.warning);
  const dataFolder = join(folder, 'data');
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const agent = createAgent({
    dataFolder,
    settingsFile: join(folder, 'epistream.yaml'),
    version: app.getVersion(),
    keys,
    onEvent: ({ level, code, message }) => console.error(`${level} ${code}: ${message}`),
  });
  // A start that fails is told by the snapshot, on the page and in the tray; the window opens all the same.
  const started = agent.start().catch((fault: unknown) => console.error(toAgentError(fault).message));

  let shell: Shell | null = null;
  let isStopped = false;
  app.on('before-quit', (event) => {
    if (isStopped) return;
    event.preventDefault();
    shell?.close();
    const tooLong = new Promise((resolve) => setTimeout(resolve, STOP_MAX_MS));
    void Promise.race([agent.stop(), tooLong])
      .catch((fault: unknown) => console.error(toAgentError(fault).message))
      .finally(() => {
        isStopped = true;
        app.quit();
      });
  });
  // Arguments of a second start are data of somebody else: not looked at.
  app.on('second-instance', () => shell?.raise());
  app.on('activate', () => shell?.raise());
  // Without this Electron would quit with its last window; the agent lives in the tray.
  app.on('window-all-closed', () => undefined);

  const page = await readPage(join(dist, 'renderer'));
  const preloadPath = join(dist, 'preload/preload.cjs');
  shell = openShell({ agent, page, preloadPath, iconFolder, quit: () => app.quit() });
  await started;
}

if (app.requestSingleInstanceLock()) {
  app.enableSandbox();
  declarePageScheme();
  main().catch((thrown: unknown) => {
    const { message, hint } = toAgentError(thrown);
    dialog.showErrorBox('Epistream cannot start', `${message}\n\n${hint}`);
    app.exit(1);
  });
} else {
  app.quit();
}
