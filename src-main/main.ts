// Electron's life and nothing more: one instance, ready, quit. It gives the platform to the agent, and the agent to the
// shell; the agent records from the first moment, whether or not there is a window.
import { join } from 'node:path';
import { app, dialog } from 'electron';
import { type Agent, createAgent } from './agent/agent.ts';
import { startPatiently } from './agent/start-patiently.ts';
import { toAgentError } from './model/agent-error.ts';
import { announceAgent } from './platform/announce.ts';
import { endIfHeld } from './platform/call-watch.ts';
import { startControlServer } from './platform/control.ts';
import { defaultDataFolder, openDataFolder } from './platform/data-folder.ts';
import { handleUncaught } from './platform/handle-uncaught.ts';
import { takeMailPassword } from './platform/secrets.ts';
import { openUpdatePort } from './shell/electron-updates.ts';
import { openAwake } from './shell/keep-awake.ts';
import { declarePageScheme } from './shell/page-protocol.ts';
import { openDesktopKeys } from './shell/secrets.ts';
import { openShell, type QuitBy, type Shell } from './shell/shell.ts';
import { HIDDEN } from './shell/start-at-login.ts';
import { findSystemProxy } from './shell/system-proxy.ts';
import { feedNameOf } from './shell/update-feed.ts';
import { readPackedKey, updaterConfigIn, whyNoUpdates } from './shell/update-place.ts';
import { Updates } from './shell/updates.ts';
import { startDesktopWork } from './shell/work-process.ts';
import { readPage } from './web/page.ts';

const dist = join(import.meta.dirname, '..');
const iconFolder = app.isPackaged ? join(process.resourcesPath, 'icons') : join(dist, '../resources/icons');
/** `appId` of the packages: by it Windows knows that window, tray and notices are one program. */
const APP_ID = 'org.epistream.agent';
/** Longest that quitting waits for the agent, milliseconds: a system that shuts down waits no longer. What is captured by
 * then is on disk in any case. */
const STOP_MAX_MS = { person: 10_000, system: 5000 };

async function main(): Promise<void> {
  await app.whenReady();
  // The same folder as that of the command line, so that both show the same data and never run side by side.
  const folder = await openDataFolder(defaultDataFolder());
  const keys = await openDesktopKeys(join(folder.path, 'api-key.bin'), () => agent.release());
  if (keys.warning !== '') console.error(keys.warning);
  const updates = openUpdates((event) => agent.tell(event));
  const agent: Agent = createAgent({
    dataFolder: folder.path,
    settingsFile: join(folder.path, 'epistream.yaml'),
    version: app.getVersion(),
    keys,
    mailPassword: takeMailPassword(),
    systemProxy: findSystemProxy,
    updates,
    awake: openAwake(),
    startWork: startDesktopWork,
    onEvent: ({ level, code, message }) => console.log(`${level} ${code}: ${message}`),
  });
  handleUncaught((thrown) => agent.noteBug(thrown));

  const built = await readPage(join(dist, 'renderer'));
  const page = (path: string) => agent.openFile(path) ?? built(path);
  const isHidden = process.argv.includes(HIDDEN);
  const preloadPath = join(dist, 'preload/preload.cjs');
  let quitBy: QuitBy = 'system';
  const quit = (by: QuitBy) => {
    quitBy = by;
    app.quit();
  };
  const shell = openShell({ agent, page, preloadPath, iconFolder, isHidden, quit });
  const unsubscribe = agent.subscribe('snapshot', ({ phase, growth }) => {
    // An agent that starts or stops tells of no growth, although one may go on: what was told last holds.
    if (phase === 'running' || phase === 'failed') updates.seeGrowth(growth !== null);
  });
  // `epistream status`, `receipt`, `export` and `resend` ask the desktop's agent as they ask any other.
  const control = await startControlServer({ answer: agent.answer });
  const withdraw = await announceAgent(folder, control);
  const stop = async () => {
    unsubscribe();
    const install = updates.quit(quitBy === 'person');
    await agent.stop();
    await withdraw();
    await control.close();
    await folder.close();
    return agent.unstored === null ? install : null;
  };
  quitInGoodOrder(shell, stop, () => STOP_MAX_MS[quitBy]);
  // Arguments of a second start are data of somebody else: not looked at.
  app.on('second-instance', shell.raise);
  app.on('activate', shell.raise);
  // Without a listener Electron would quit with its last window; the agent lives in the tray.
  app.on('window-all-closed', () => undefined);
  // A start that fails is told by the snapshot, on the page and in the tray, and the window stays to read it.
  const quits = new Promise((settle) => app.once('before-quit', settle));
  await startPatiently(agent, quits).catch((fault: unknown) => console.error(toAgentError(fault).message));
}

/** Updates of the installed program; they begin when the settings turn them on. */
function openUpdates(tell: Agent['tell']): Updates {
  return new Updates({
    version: app.getVersion(),
    feedName: feedNameOf(process.platform, process.arch),
    publicKey: app.isPackaged ? readPackedKey(process.resourcesPath) : null,
    whyNot: whyNoUpdates(app.isPackaged, process.platform, process.env.APPIMAGE),
    port: openUpdatePort(app.isPackaged ? updaterConfigIn(process.resourcesPath) : ''),
    nowMs: Date.now,
    tell,
  });
}

/**
 * Hold quitting back until the agent has stopped: its queue is safe at any moment, but so nothing is left half sent. The
 * window and the tray say how that goes until it is done. Then what `stop` gives (an update) is installed; not where it took
 * too long.
 */
function quitInGoodOrder(shell: Shell, stop: () => Promise<(() => Promise<void>) | null>, maxMs: () => number): void {
  let step: 'running' | 'stopping' | 'stopped' = 'running';
  app.on('before-quit', (event) => {
    if (step === 'stopped') return;
    event.preventDefault();
    if (step === 'stopping') return;
    step = 'stopping';
    const tooLong = new Promise<null>((resolve) => setTimeout(() => resolve(null), maxMs()).unref());
    void Promise.race([stop(), tooLong])
      .then((install) => install?.())
      .catch((fault: unknown) => console.error(toAgentError(fault).message))
      .finally(() => {
        step = 'stopped';
        shell.close();
        endIfHeld();
        app.quit();
      });
  });
}

if (app.requestSingleInstanceLock()) {
  app.enableSandbox();
  app.setAppUserModelId(APP_ID);
  declarePageScheme();
  main().catch((thrown: unknown) => {
    const { message, hint } = toAgentError(thrown);
    dialog.showErrorBox('Epistream cannot start', `${message}\n\n${hint}`);
    app.exit(1);
  });
} else {
  app.quit();
}
