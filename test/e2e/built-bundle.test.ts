// What ships, run by plain Node: only Electron is played, by the fake; the agent, its worker threads, the queue and the
// page are real. Needs the build ("npm run build"), which "npm test" makes before.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { callNames } from '../../src-main/contract/table.ts';
import { runPlayed, urlOf } from '../support/page/played-electron.ts';
import { tempFolder } from '../support/temp-folder.ts';

const top = join(import.meta.dirname, '../..');

const life = `
  const { app, fake, ipcMain, ipcRenderer, nativeTheme, powerMonitor } = await import('electron');
  const { existsSync } = await import('node:fs');
  await import(${JSON.stringify(urlOf('dist/main/main.js'))});
  const newest = () => fake.windows[0]?.webContents.sent.at(-1)?.[1];
  await until(() => newest()?.phase === 'first-run');
  const [window] = fake.windows;
  const [tray] = fake.trays;
  const serve = fake.schemeHandlers.get('app');
  const page = await serve(new Request('app://epistream/'));
  const script = (await page.clone().text()).match(/src="\\.\\/(assets\\/[^"]+\\.js)"/)[1];
  const report = {
    channels: [...ipcMain.handlers.keys()],
    page: page.status,
    policy: page.headers.get('content-security-policy'),
    script: (await serve(new Request('app://epistream/' + script))).status,
    preload: existsSync(window.options.webPreferences.preload),
    trayPicture: existsSync(tray.image),
    firstSentence: tray.toolTip,
    isSandboxed: app.isSandboxed,
    appUserModelId: app.appUserModelId,
  };
  report.trial = await ipcRenderer.invoke('trial.start', null);
  window.close();
  report.windowAfterClose = window.state;
  await until(() => newest()?.streams[0]?.pointsAcknowledged > 0 && tray.toolTip.includes('Recording 2 sources.'));
  report.tooltip = tray.toolTip;
  app.emit('second-instance', {}, ['epistream', '--foo', 'file:///etc/passwd']);
  report.windowAfterSecondStart = window.state;

  // Tray: its lines, its four pictures by the tone, on light and dark bars.
  const lines = () => tray.menu.map(({ label }) => label ?? '');
  const choose = (text) => tray.menu.find(({ label }) => label?.startsWith(text)).click();
  await until(() => lines()[0].includes('Recording 2 sources.'));
  report.lines = lines();
  nativeTheme.shouldUseDarkColors = true;
  nativeTheme.emit('updated');
  report.darkPicture = tray.image.endsWith('-on-dark.png') && existsSync(tray.image);

  // Sending is paused from the tray: points wait here, the menu says how many, and after it goes on they are delivered.
  choose('Pause sending');
  await until(() => newest().service.pausedSinceMs !== null && newest().store.waitingPoints > 50);
  await until(() => lines().some((line) => /^Quit \\([\\d,]+ points? not sent: they stay here\\)$/.test(line)));
  await until(() => newest().sentence.text.includes('Sending is paused.'));
  report.pausedSentence = newest().sentence.text;
  choose('Go on sending');
  await until(() => newest().service.pausedSinceMs === null);

  // While anything is recorded the PC stays awake.
  report.blockers = fake.blockers.size;

  // The tray leads to the page of a growth.
  await ipcRenderer.invoke('growth.start', { name: 'bundle' });
  await until(() => newest().growth !== null);
  choose('End the growth');
  report.growthPage = window.webContents.mainFrame.url;
  await ipcRenderer.invoke('growth.end', null);
  await until(() => newest().growth === null);

  // Sleep and waking, and a page that dies: recording goes on through both.
  const rows = () => newest().sources[0].rowsRead;
  const before = rows();
  powerMonitor.emit('suspend');
  powerMonitor.emit('resume');
  window.webContents.emit('render-process-gone', {}, { reason: 'crashed' });
  report.reloads = window.webContents.reloads;
  app.emit('child-process-gone', {}, { type: 'GPU', reason: 'crashed', exitCode: 139 });
  const noted = (code) => newest().journal.some((entry) => entry.code === code);
  await until(() => rows() > before && noted('desktop.process-gone') && noted('desktop.page-gone'));

  // Quitting with points that wait: the last word says what stays here.
  choose('Pause sending');
  await until(() => newest().service.pausedSinceMs !== null && newest().store.waitingPoints > 10);
  choose('Quit');
  await until(() => app.ended !== null);
  report.ended = app.ended;
  report.blockersAtTheEnd = fake.blockers.size;
  report.last = newest().sentence;
  report.isTrayGone = tray.isDestroyed();
  console.log('REPORT ' + JSON.stringify(report));
`;

test('the built main bundle records behind a closed window, shows it in the tray, and quits in good order', async () => {
  const { report, code, printed } = await runPlayed(life);
  expect(report, printed).toMatchObject({
    channels: callNames,
    page: 200,
    policy: expect.stringContaining("default-src 'none'"),
    script: 200,
    preload: true,
    trayPicture: true,
    firstSentence: 'Epistream: Nothing is recorded yet.',
    isSandboxed: true,
    appUserModelId: /^appId: (.+)$/m.exec(readFileSync(join(top, 'electron-builder.yml'), 'utf8'))?.[1],
    trial: { ok: true },
    windowAfterClose: 'hidden',
    tooltip: expect.stringContaining('Recording 2 sources.'),
    windowAfterSecondStart: 'shown',
    lines: expect.arrayContaining([
      expect.stringContaining('Recording 2 sources.'),
      'Start a growth…',
      'Pause sending',
      'Open Epistream',
    ]),
    darkPicture: true,
    pausedSentence: expect.stringContaining('Sending is paused.'),
    blockers: 1,
    blockersAtTheEnd: 0,
    growthPage: 'app://epistream/#/growth',
    reloads: 1,
    ended: 'quit',
    last: {
      text: expect.stringMatching(/^Stopped\./),
      hint: 'What was stored is safe: this PC can be switched off.',
    },
    isTrayGone: true,
  });
  expect(printed).toMatch(
    /Recording stopped; everything captured is stored\. [\d,]+ points? not sent\. They are saved on this PC/,
  );
  expect(code).toBe(0);
});

test('a second start of the built program opens nothing and ends', async () => {
  const { report } = await runPlayed(`
    const { app, fake } = await import('electron');
    app.hasLock = false;
    await import(${JSON.stringify(urlOf('dist/main/main.js'))});
    console.log('REPORT ' + JSON.stringify({ ended: app.ended, windows: fake.windows.length }));
  `);
  expect(report).toEqual({ ended: 'quit', windows: 0 });
});

test('the built preload is one file that requires Electron alone and makes no text into code', () => {
  const path = join(top, 'dist/preload/preload.cjs');
  expect(existsSync(path), 'run "npm run build" first').toBe(true);
  const code = readFileSync(path, 'utf8');
  const required = [...code.matchAll(/\brequire\(["']([^"']+)["']\)/g)].map(([, name]) => name ?? '');
  expect(required).toEqual(['electron']);
  expect(builtinModules.some((name) => code.includes(`require("${name}")`) || code.includes(`node:${name}"`))).toBe(
    false,
  );

  // Run as in the sandbox: nothing but Electron can be required, and no code can be made of text.
  const exposed = new Map<string, unknown>();
  const electron = {
    contextBridge: { exposeInMainWorld: (name: string, api: unknown) => exposed.set(name, api) },
    ipcRenderer: { invoke: async () => null, on: () => undefined, off: () => undefined },
  };
  let evaluated = 0;
  const NoCode = new Proxy(Function, {
    construct: () => {
      evaluated += 1;
      throw new EvalError('refused');
    },
  });
  const run = new Function('require', 'module', 'exports', 'Function', code);
  const requireElectron = (name: string) => {
    if (name === 'electron') return electron;
    throw new Error(`module not found: ${name}`);
  };
  const module = { exports: {} };
  run(requireElectron, module, module.exports, NoCode);
  expect([...exposed.keys()]).toEqual(['epistream']);
  expect(evaluated).toBe(0);
});

/** A Node on the path that is older than the one that the program needs; null: there is none. */
function findOldNode(): string | null {
  const paths = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'node'));
  const isOld = (path: string) => {
    const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
    return Number.parseInt(stdout?.slice(1) ?? '', 10) < 24;
  };
  return paths.find((path) => existsSync(path) && isOld(path)) ?? null;
}

const oldNode = findOldNode();

test.skipIf(oldNode === null)('the built command line says which Node it needs', () => {
  const home = tempFolder('old-node');
  for (const words of [
    ['status', '--data', home],
    ['check', join(home, 'none.yaml')],
    ['probe', 'COM1'],
  ]) {
    const { status, stderr } = spawnSync(oldNode as string, [join(top, 'dist/main/cli.js'), ...words], {
      encoding: 'utf8',
    });
    expect(stderr).toMatch(/^epistream: Epistream needs Node 24 or later; this is Node \d+\.\d+\.\d+\.\n {2}hint: /);
    expect(status).toBe(1);
  }
});

test('the built command line serves the screen', async () => {
  const home = tempFolder('cli');
  const child = spawn(
    process.execPath,
    [join(top, 'dist/main/cli.js'), 'run', '--ui', '0', '--data', join(home, 'd')],
    {
      env: { ...process.env, BROWSER: 'none' },
    },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  const link = await new Promise<string>((resolve, reject) => {
    const read = (text: Buffer) => {
      printed += text;
      const found = printed.match(/http:\/\/127\.0\.0\.1:\d+\/enter#\S+/)?.[0];
      if (found) resolve(found);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('close', (code) => reject(new Error(`ended with ${code}: ${printed}`)));
  });
  expect((await fetch(link)).status).toBe(200);
  const { origin, hash } = new URL(link);
  const headers = { origin, authorization: `Bearer ${hash.slice(1)}` };
  expect((await fetch(`${origin}/session`, { method: 'POST', headers })).status).toBe(200);
  const ended = new Promise((resolve) => child.on('exit', resolve));
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});
