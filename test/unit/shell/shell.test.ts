import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IpcMainInvokeEvent } from 'electron';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Sentence } from '../../../src-main/contract/snapshot.ts';
import { callNames, type Handlers } from '../../../src-main/contract/table.ts';
import { openAwake } from '../../../src-main/shell/keep-awake.ts';
import { declarePageScheme } from '../../../src-main/shell/page-protocol.ts';
import { openShell } from '../../../src-main/shell/shell.ts';
import { desktopEntry } from '../../../src-main/shell/start-at-login.ts';
import { app, fake, ipcMain, makeEvent, nativeTheme, powerMonitor, resetFake, session } from '../../fakes/electron.ts';
import { makePageAgent } from '../../support/page/page-agent.ts';
import { firstRunSnapshot, runningGrowth, runningSnapshot, said } from '../../support/page/page-snapshot.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const iconFolder = join(import.meta.dirname, '../../../resources/icons');

function open({ isHidden = false } = {}) {
  const screenAgent = makePageAgent();
  onTestFinished(screenAgent.stop);
  const counts = { released: 0, quit: 0, handled: 0 };
  const quitBy: string[] = [];
  const told: string[] = [];
  const calls: string[] = [];
  const counted = new Proxy(screenAgent.handlers, {
    get: (target, noun) =>
      new Proxy(Reflect.get(target, noun), {
        get: (verbs, verb) => (argument: unknown) => {
          counts.handled += 1;
          calls.push(`${String(noun)}.${String(verb)}`);
          return Reflect.get(verbs, verb)(argument);
        },
      }),
  }) as Handlers;
  const agent = {
    handlers: counted,
    subscribe: screenAgent.subscribe,
    snapshot: firstRunSnapshot(Date.now()),
    start: async () => undefined,
    stop: async () => undefined,
    tell: ({ code, message }: { code: string; message: string }) => void told.push(`${code} ${message}`),
    release: () => {
      counts.released += 1;
    },
  };
  const shell = openShell({
    agent,
    page: (path) => new Response(path === '/' ? 'page' : null, { status: path === '/' ? 200 : 404 }),
    preloadPath: '/dist/preload/preload.cjs',
    iconFolder,
    isHidden,
    quit: (by) => {
      counts.quit += 1;
      quitBy.push(by);
    },
  });
  const window = fake.windows[0];
  const tray = fake.trays[0];
  if (!window || !tray) throw new Error('the shell opened no window or no tray');
  return { shell, window, tray, counts, quitBy, told, calls, screenAgent };
}

const say = (sentence: Sentence) => (atMs: number) => runningSnapshot(atMs, { sentence });

beforeEach(resetFake);
afterEach(resetFake);

test('opens one window with sandbox and isolation on and everything else off', () => {
  const { window } = open();
  expect(fake.windows).toHaveLength(1);
  expect(window.options.webPreferences).toEqual({
    preload: '/dist/preload/preload.cjs',
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webSecurity: true,
    webviewTag: false,
    navigateOnDragDrop: false,
    spellcheck: false,
    devTools: true,
  });
  expect(window.webContents.mainFrame.url).toBe('app://epistream/');
  expect(window.isVisible()).toBe(true);
});

test('has no developer tools in the installed program, and no menu of Electron that would open them', () => {
  app.isPackaged = true;
  expect(open().window.options.webPreferences?.devTools).toBe(false);
  expect(fake.appMenu).toBeDefined();
});

test('serves the page over its own scheme, to GET and its own host only', async () => {
  declarePageScheme();
  open();
  expect(fake.schemes).toEqual([{ scheme: 'app', privileges: { standard: true, secure: true } }]);
  const serve = fake.schemeHandlers.get('app');
  const status = async (url: string, method = 'GET') => (await serve?.(new Request(url, { method })))?.status;
  expect(await status('app://epistream/')).toBe(200);
  expect(await status('app://epistream/x.js')).toBe(404);
  expect(await status('app://elsewhere/')).toBe(404);
  expect(await status('app://epistream/', 'POST')).toBe(404);
});

test('answers every call of the contract from its own page, and no other channel exists', async () => {
  const { window, counts } = open();
  expect([...ipcMain.handlers.keys()]).toEqual(callNames);
  const own = { sender: window.webContents, senderFrame: window.webContents.mainFrame };
  const answer = await ipcMain.handlers.get('plot.listChannels')?.(own as unknown as IpcMainInvokeEvent, null);
  expect(answer).toMatchObject({ ok: true });
  expect(counts.handled).toBe(1);
});

test('refuses every call from another page, a frame in the page, a frame that is gone and another address', async () => {
  const { window, counts, told } = open();
  const { webContents } = window;
  const otherFrame = { url: 'app://epistream/' };
  const strangers: Record<string, unknown> = {
    'another page': { sender: { mainFrame: otherFrame }, senderFrame: otherFrame },
    'a frame in the page': { sender: webContents, senderFrame: { url: 'app://epistream/' } },
    'a frame that is gone': { sender: webContents, senderFrame: null },
  };
  for (const name of callNames) {
    for (const [who, event] of Object.entries(strangers)) {
      const answer = await ipcMain.handlers.get(name)?.(event as IpcMainInvokeEvent, null);
      expect(answer, `${name} from ${who}`).toMatchObject({ ok: false, error: { code: 'call.refused' } });
    }
  }
  for (const url of ['https://evil.example/', 'app://epistream.evil.example/', 'file:///etc/passwd', '']) {
    Object.assign(webContents.mainFrame, { url });
    const event = { sender: webContents, senderFrame: webContents.mainFrame } as unknown as IpcMainInvokeEvent;
    expect(await ipcMain.handlers.get('snapshot.read')?.(event, null), url).toMatchObject({ ok: false });
  }
  expect(counts.handled).toBe(0);
  expect(told).toContain(
    'call.refused Refused plot.listChannels from a frame that is gone: that is not the page of Epistream.',
  );
});

test('denies every permission, navigation, new window, embedded view, foreign download and all network', () => {
  const { window } = open();
  const of = session.defaultSession;
  const decisions: boolean[] = [];
  of.requestHandler?.(null as never, 'media', (isAllowed) => decisions.push(isAllowed), null as never);
  expect(decisions).toEqual([false]);
  expect(of.checkHandler?.(null, 'serial', 'app://epistream', null as never)).toBe(false);
  expect(of.deviceHandler?.(null as never)).toBe(false);

  for (const what of ['will-navigate', 'will-redirect', 'will-attach-webview']) {
    const event = makeEvent();
    window.webContents.emit(what, event);
    expect(event.defaultPrevented, what).toBe(true);
  }
  expect(window.webContents.openHandler?.(null as never)).toEqual({ action: 'deny' });
  const isDownloadDenied = (url: string) => {
    const download = makeEvent();
    of.emit('will-download', download, { getURL: () => url });
    return download.defaultPrevented;
  };
  for (const url of [
    'https://evil.example/x.exe',
    'data:text/html,x',
    'blob:https://evil.example/1',
    'app://epistream/',
  ]) {
    expect(isDownloadDenied(url), url).toBe(true);
  }
  for (const url of ['blob:app://epistream/5e0c4a0e', 'app://epistream/raw/ticket']) {
    expect(isDownloadDenied(url), url).toBe(false);
  }

  const isCancelled = (url: string) => of.webRequest.isCancelled(url);
  expect(isCancelled('app://epistream/assets/index.js')).toBe(false);
  for (const url of [
    'https://evil.example/',
    'http://127.0.0.1:4310/',
    'file:///etc/passwd',
    'ws://127.0.0.1/',
    'app://other/',
  ]) {
    expect(isCancelled(url), url).toBe(true);
  }
});

test('pushes every snapshot to the page, and stops when the shell closes', () => {
  const { window, shell, screenAgent } = open();
  screenAgent.show(runningSnapshot);
  expect(window.webContents.sent.at(-1)).toMatchObject(['snapshot', { phase: 'running' }]);
  shell.close();
  const count = window.webContents.sent.length;
  screenAgent.show(firstRunSnapshot);
  expect(window.webContents.sent).toHaveLength(count);
});

test('hides the window instead of closing it, and raises it again from the tray', () => {
  const { window, tray } = open();
  window.close();
  expect(window.state).toBe('hidden');
  tray.emit('click');
  expect(window.isVisible()).toBe(true);
  expect(window.focusCount).toBe(1);
  window.state = 'minimised';
  tray.menu.find(({ label }) => label === 'Open Epistream')?.click?.(null as never, undefined, null as never);
  expect(window.isVisible()).toBe(true);
});

test('lets the window close once the shell is closed, and takes the tray away', () => {
  const { window, tray, shell } = open();
  shell.close();
  window.close();
  expect(window.isDestroyed()).toBe(true);
  expect(tray.isDestroyed()).toBe(true);
});

test.each(['ok', 'busy', 'attention', 'stopped'] as const)(
  'shows the tone %s by a picture of its own and the sentence as tooltip',
  (tone) => {
    const { tray, screenAgent } = open();
    screenAgent.show(say(said(tone, `Sentence of ${tone}.`)));
    expect(tray.image).toBe(join(iconFolder, 'tray', `${tone}-on-light.png`));
    expect(existsSync(tray.image)).toBe(true);
    expect(tray.toolTip).toBe(`Epistream: Sentence of ${tone}.`);
    nativeTheme.shouldUseDarkColors = true;
    nativeTheme.emit('updated');
    expect(tray.image).toBe(join(iconFolder, 'tray', `${tone}-on-dark.png`));
    expect(existsSync(tray.image)).toBe(true);
  },
);

test('redraws the tray only when tone or sentence changed', () => {
  const { tray, screenAgent } = open();
  screenAgent.show(runningSnapshot);
  const count = tray.menusSet;
  for (let i = 0; i < 10; i += 1) screenAgent.show(runningSnapshot);
  expect(tray.menusSet).toBe(count);
});

test('cuts a long sentence to what a tooltip can hold', () => {
  const { tray, screenAgent } = open();
  screenAgent.show(say(said('attention', 'x'.repeat(10_000))));
  expect(tray.toolTip).toHaveLength(127);
});

/** Choose a line of the tray's menu by the beginning of its text. */
function choose(tray: (typeof fake.trays)[number], text: string): void {
  const line = tray.menu.find(({ label }) => label?.startsWith(text));
  if (!line) throw new Error(`no line ${text} among ${tray.menu.map(({ label }) => label).join(', ')}`);
  line.click?.(null as never, undefined, null as never);
}
const linesOf = (tray: (typeof fake.trays)[number]) => tray.menu.map(({ label }) => label ?? '');

test('quits from the menu of the tray, which shows how much stays on this PC', () => {
  const { tray, quitBy, screenAgent } = open();
  choose(tray, 'Quit');
  expect(quitBy).toEqual(['person']);
  screenAgent.show((atMs) => {
    const running = runningSnapshot(atMs);
    return { ...running, store: running.store && { ...running.store, waitingPoints: 2410 } };
  });
  expect(linesOf(tray)).toContain('Quit (2,410 points not sent: they stay here)');
});

test('pauses and resumes the sending, by the state in the snapshot', () => {
  const { tray, screenAgent, calls } = open();
  const paused = (pausedSinceMs: number | null) => (atMs: number) => {
    const running = runningSnapshot(atMs);
    return { ...running, service: running.service && { ...running.service, pausedSinceMs } };
  };
  screenAgent.show(paused(null));
  choose(tray, 'Pause sending');
  screenAgent.show(paused(1));
  expect(linesOf(tray)).not.toContain('Pause sending');
  choose(tray, 'Go on sending');
  expect(calls).toEqual(['service.pause', 'service.goOn']);
});

test('leads to the page of the growth, and says which one runs', () => {
  const { tray, window, screenAgent } = open();
  screenAgent.show(runningSnapshot);
  window.close();
  choose(tray, 'Start a growth');
  expect(window.isVisible()).toBe(true);
  expect(window.webContents.mainFrame.url).toBe('app://epistream/#/growth');
  screenAgent.show((atMs) => ({ ...runningSnapshot(atMs), growth: runningGrowth(atMs) }));
  expect(linesOf(tray)).toContain('Growth "GaAs 1234"');
  expect(linesOf(tray)).toContain('End the growth…');
});

test('keeps the PC awake as long as it is told to, and no longer', () => {
  const awake = openAwake();
  for (const isWanted of [false, true, true]) awake.follow(isWanted);
  expect([...fake.blockers.values()]).toEqual(['prevent-app-suspension']);
  for (const isWanted of [false, false]) awake.follow(isWanted);
  expect(fake.blockers.size).toBe(0);
});

test('starts with the PC when the installed program is set so, and not from the sources', () => {
  expect(linesOf(open().tray)).not.toContain('Start with this PC');
  resetFake();
  app.isPackaged = true;
  app.userData = tempFolder('autostart');
  const { tray } = open();
  const isChecked = () => tray.menu.find(({ label }) => label === 'Start with this PC')?.checked;
  expect(isChecked()).toBe(false);
  choose(tray, 'Start with this PC');
  expect(isChecked()).toBe(true);
  if (process.platform === 'linux') {
    const file = join(app.getPath('appData'), 'autostart/epistream.desktop');
    expect(readFileSync(file, 'utf8')).toContain(`Exec="${process.execPath}" --hidden\n`);
  }
  choose(tray, 'Start with this PC');
  expect(isChecked()).toBe(false);
});

test('writes the name of a program into a desktop entry as its specification asks', () => {
  expect(desktopEntry('/opt/My "lab" $5\\100%/epistream')).toContain(
    String.raw`Exec="/opt/My \\"lab\\" \\$5\\\\100%%/epistream" --hidden`,
  );
});

test('started with the PC, it shows no window until the user asks for it', () => {
  const { window, tray } = open({ isHidden: true });
  expect(window.isVisible()).toBe(false);
  choose(tray, 'Open Epistream');
  expect(window.isVisible()).toBe(true);
});

test('quits in good order when the session of Windows ends', () => {
  const { window, quitBy } = open();
  window.emit('session-end');
  expect(quitBy).toEqual(['system']);
});

test('does not replace the menu while only numbers change, so that it stays open under the pointer', () => {
  const { tray, screenAgent } = open();
  const waiting = (waitingPoints: number) => (atMs: number) => {
    const running = runningSnapshot(atMs);
    return { ...running, store: running.store && { ...running.store, waitingPoints } };
  };
  screenAgent.show(waiting(10));
  const count = tray.menusSet;
  for (let i = 11; i < 30; i += 1) screenAgent.show(waiting(i));
  expect(tray.menusSet).toBe(count);
});

test('retries at once when the PC wakes up, and quits in good order when it shuts down', () => {
  const { counts, quitBy } = open();
  powerMonitor.emit('resume');
  expect(counts.released).toBe(1);
  const event = makeEvent();
  powerMonitor.emit('shutdown', event);
  expect(event.defaultPrevented).toBe(true);
  expect(quitBy).toEqual(['system']);
});

test('reloads a page that died, but does not spin when it dies again at once', () => {
  const { window, told } = open();
  window.webContents.emit('render-process-gone', makeEvent(), { reason: 'crashed' });
  window.webContents.emit('render-process-gone', makeEvent(), { reason: 'crashed' });
  expect(window.webContents.reloads).toBe(1);
  expect(told).toEqual([expect.stringMatching(/^desktop\.page-gone .*\(crashed\).*capture went on/)]);
});

test('27: tells of a GPU process and of a helper that ended by fault, each with its reason, until it closes', () => {
  const { told, shell } = open();
  const gone = (details: object) => app.emit('child-process-gone', makeEvent(), { exitCode: 9, ...details });
  gone({ type: 'GPU', reason: 'crashed' });
  gone({ type: 'Utility', reason: 'oom', name: 'Network Service' });
  gone({ type: 'Utility', reason: 'clean-exit' });
  expect(told).toEqual([
    expect.stringMatching(/^desktop\.process-gone The process that draws the window ended \(crashed, code 9\)/),
    expect.stringMatching(/^desktop\.process-gone A helper of the window \(Network Service\) ended \(oom, code 9\)/),
  ]);
  shell.close();
  gone({ type: 'GPU', reason: 'crashed' });
  expect(told).toHaveLength(2);
});
