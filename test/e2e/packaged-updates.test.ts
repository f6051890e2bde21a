// Updates of the built program with electron-updater itself, over a real server on the loopback: an AppImage is fetched,
// checked, and put in the place of the one that runs, when a person quits. Needs the build, as built-bundle.test.ts does.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { runPlayed, urlOf } from '../support/page/played-electron.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { contentOf, openUpdateServer } from '../support/update-server.ts';

const top = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** An installed 0.2.0 whose settings turn updates on. */
async function installProgram() {
  const server = await openUpdateServer();
  const home = tempFolder('updated');
  const resources = join(home, 'resources');
  cpSync(join(top, 'resources/update'), join(resources, 'update'), { recursive: true });
  writeFileSync(join(resources, 'update/public-key.pem'), server.publicKey);
  mkdirSync(join(home, 'epistream'), { mode: 0o700 });
  const settings = [
    'version: 1',
    'tool: { name: MBE-1, time_zone: UTC }',
    `updates: { url: '${server.url}', when: on-quit }`,
    'sources: [{ id: growth, kind: simulator, interval: 50ms, points_per_chunk: 1 }]',
  ];
  writeFileSync(join(home, 'epistream/epistream.yaml'), settings.join('\n'));
  const appImage = join(home, 'Epistream-0.2.0.AppImage');
  writeFileSync(appImage, 'former', { mode: 0o755 });
  const play = (script: string) =>
    runPlayed(
      `
      const { app, fake, ipcRenderer } = await import('electron');
      Object.assign(app, { isPackaged: true, version: '0.2.0', userData: ${JSON.stringify(join(home, 'profile'))} });
      process.resourcesPath = ${JSON.stringify(resources)};
      await import(${JSON.stringify(urlOf('dist/main/main.js'))});
      const newest = () => fake.windows[0]?.webContents.sent.at(-1)?.[1];
      const lines = () => fake.trays[0].menu.map(({ label }) => label ?? '');
      const choose = (text) => fake.trays[0].menu.find(({ label }) => label?.startsWith(text)).click();
      const report = {};
      await until(() => newest()?.phase === 'running');
      ${script}
      await until(() => app.ended !== null);
      console.log('REPORT ' + JSON.stringify(report));
    `,
      { home, env: { APPIMAGE: appImage } },
    );
  return { server, home, appImage, play };
}

describe.skipIf(process.platform !== 'linux')('an installed AppImage', { timeout: 420_000 }, () => {
  test('is exchanged when a person quits, after everything captured is stored; what waits stays', async () => {
    const { server, home, appImage, play } = await installProgram();
    server.publish({ version: '0.3.0' });
    const { report, code, printed } = await play(`
      await until(() => newest()?.updates.state === 'ready');
      choose('Pause sending');
      await until(() => newest().service.pausedSinceMs !== null);
      // What was on its way still arrives: only what comes behind the pause is known to wait.
      const before = newest().store.waitingPoints;
      await until(() => newest().store.waitingPoints > before + 20 && lines().at(-1).includes('points not sent'));
      report.quit = lines().at(-1);
      report.journal = newest().journal.map(({ code }) => code);
      choose('Quit and install Epistream 0.3.0');
    `);
    expect(report.quit, printed).toMatch(
      /^Quit and install Epistream 0\.3\.0 \([\d,]+ points not sent: they stay here\)$/,
    );
    expect(report.journal).toContain('update.ready');
    expect(code, printed).toBe(0);
    expect(printed).toMatch(
      /Epistream 0\.3\.0 is installed as soon as[\s\S]*Recording stopped; everything captured is stored/,
    );
    expect(readFileSync(appImage, 'utf8')).toBe(contentOf('0.3.0').toString());
    expect(readdirSync(home).filter((name) => name.includes('AppImage'))).toEqual(['Epistream-0.2.0.AppImage']);
    expect(server.asked).toEqual([
      '/epistream/latest-linux.yml',
      '/epistream/latest-linux.yml.sig',
      '/epistream/Epistream-0.3.0.AppImage',
    ]);
    const { stdout } = await run(process.execPath, [
      join(top, 'dist/main/cli.js'),
      'status',
      '--data',
      join(home, 'epistream'),
    ]);
    expect(stdout).toMatch(/Stopped\. [\d,]+ points not sent: they stay here/);
  });

  test('stays as it is when a growth runs, and when the PC shuts down', async () => {
    const { server, appImage, play } = await installProgram();
    server.publish({ version: '0.3.0' });
    const growing = await play(`
      await until(() => newest()?.updates.state === 'ready');
      await ipcRenderer.invoke('growth.start', { name: 'update' });
      await until(() => newest().growth !== null && lines().some((line) => line.includes('while no growth runs')));
      report.lines = lines();
      choose('Quit');
    `);
    expect(growing.code, growing.printed).toBe(0);
    expect(growing.report.lines).toContain(
      'Epistream 0.3.0 is ready: it is installed when a person quits while no growth runs.',
    );
    expect(readFileSync(appImage, 'utf8')).toBe('former');

    // What was fetched is found again, and not fetched twice. The growth of before still asks, and nobody is asked till then.
    const shutDown = await play(`
      await until(() => newest().growth !== null && newest().updates.text.includes('as soon as'));
      // Further pictures: a question that must not be asked would be in them.
      const from = newest().revision;
      await until(() => newest().revision > from + 3);
      report.text = newest().updates.text;
      await ipcRenderer.invoke('growth.end', null);
      await until(() => newest().updates.state === 'ready');
      const { powerMonitor } = await import('electron');
      powerMonitor.emit('shutdown', { preventDefault: () => undefined });
    `);
    expect(shutDown.code, shutDown.printed).toBe(0);
    expect(readFileSync(appImage, 'utf8')).toBe('former');
    expect(server.asked.filter((path) => path.endsWith('.AppImage'))).toHaveLength(1);
    expect(shutDown.report.text).toBe('The update server is asked as soon as no growth runs.');
    expect(server.asked.filter((path) => path.endsWith('.yml'))).toHaveLength(2);
  });

  test('121: takes no file from another host, and none that is longer than what was signed', async () => {
    const { server, appImage, play } = await installProgram();
    const other = await openUpdateServer();
    other.publish({ version: '0.3.0' });
    server.publish({ version: '0.3.0' });
    const file = '/epistream/Epistream-0.3.0.AppImage';
    server.pages.set(file, { redirect: `${other.url}/Epistream-0.3.0.AppImage` });
    const failed = `
      await until(() => newest()?.updates.state === 'failed');
      report.text = newest().updates.text;
      report.quit = lines().at(-1);
      choose('Quit');
    `;
    const led = await play(failed);
    expect(led.report, led.printed).toMatchObject({
      text: `No update: The update server leads to ${new URL(other.url).host}, which is not followed.`,
      quit: expect.not.stringContaining('install'),
    });
    expect(other.asked).toEqual([]);

    server.pages.set(file, Buffer.alloc(100_000));
    const long = await play(failed);
    expect(long.report.text, long.printed).toMatch(/sends a file of 100000 bytes instead of \d+/);

    // Any answer that electron-updater would take for the file is held to its length, and none may be unpacked to more.
    server.pages.set(file, (response) => response.writeHead(206).end(Buffer.alloc(100_000)));
    const part = await play(failed);
    expect(part.report.text, part.printed).toMatch(/sends a file of unknown bytes instead of \d+/);

    const content = contentOf('0.3.0');
    server.pages.set(file, (response) =>
      response.writeHead(200, { 'content-length': content.length, 'content-encoding': 'gzip' }).end(content),
    );
    const small = await play(failed);
    expect(small.report.text, small.printed).toMatch(/packs its file for the way \(gzip\)/);
    expect(readFileSync(appImage, 'utf8')).toBe('former');
  });

  test('gives up what it fetches when a growth begins, and fetches it when that has ended', async () => {
    const { server, home, appImage, play } = await installProgram();
    server.publish({ version: '0.3.0' });
    const file = '/epistream/Epistream-0.3.0.AppImage';
    const whole = server.pages.get(file) as Buffer;
    const begun = join(home, 'begun');
    const closed = join(home, 'closed');
    server.pages.set(file, (response) => {
      server.pages.set(file, whole);
      response.on('close', () => writeFileSync(closed, ''));
      response.writeHead(200, { 'content-length': whole.length }).write(whole.subarray(0, 5));
      writeFileSync(begun, '');
    });
    const { report, code, printed } = await play(`
      const { existsSync } = await import('node:fs');
      await until(() => existsSync(${JSON.stringify(begun)}));
      await ipcRenderer.invoke('growth.start', { name: 'update' });
      await until(() => existsSync(${JSON.stringify(closed)}) && newest().updates.state === 'idle');
      report.text = newest().updates.text;
      await ipcRenderer.invoke('growth.end', null);
      await until(() => lines().at(-1).startsWith('Quit and install'));
      report.journal = newest().journal.map(({ code }) => code);
      choose('Quit and install');
    `);
    expect(report.text, printed).toBe('The update server is asked as soon as no growth runs.');
    expect(report.journal).not.toContain('update.failed');
    expect(code, printed).toBe(0);
    expect(readFileSync(appImage, 'utf8')).toBe(contentOf('0.3.0').toString());
  });

  test('121: takes no file of the right length that is not the one that was signed', async () => {
    const { server, appImage, play } = await installProgram();
    server.publish({ version: '0.3.0' });
    const { length } = contentOf('0.3.0');
    server.pages.set('/epistream/Epistream-0.3.0.AppImage', Buffer.alloc(length, '#'));
    const { report, printed } = await play(`
      await until(() => newest()?.updates.state === 'failed');
      report.text = newest().updates.text;
      choose('Quit');
    `);
    expect(report.text, printed).toContain('sha512');
    expect(readFileSync(appImage, 'utf8')).toBe('former');
  });
});

/** Files of the build that an entry reaches by imports that are made at its start or later. */
function reachedFrom(entry: string): Set<string> {
  const reached = new Set<string>();
  const built = new Set(readdirSync(join(top, 'dist/main')));
  const walk = (name: string) => {
    if (reached.has(name)) return;
    reached.add(name);
    const code = readFileSync(join(top, 'dist/main', name), 'utf8');
    const named = [...code.matchAll(/(?:from|import)\s*\(?\s*["'`]\.\/([^"'`]+\.js)["'`]/g)].map(
      ([, next = '']) => next,
    );
    // Texts that a package holds look like imports, too: what is no file of the build is none.
    for (const next of named.filter((file) => built.has(file))) walk(next);
  };
  walk(entry);
  return reached;
}

test('nothing of Electron is reached from the command line, and electron-updater from the desktop alone', () => {
  const isElectrons = (name: string) =>
    /(?:from|require\()\s*["'`]electron["'`]/.test(readFileSync(join(top, 'dist/main', name), 'utf8'));
  // All commands are: what the text of the build hides from this search is not searched.
  expect(reachedFrom('cli.js').size).toBeGreaterThan(20);
  expect([...reachedFrom('cli.js')].filter(isElectrons)).toEqual([]);
  const desktop = [...reachedFrom('main.js')].filter(isElectrons);
  expect(desktop).toHaveLength(2);
  expect(desktop).toContain('main.js');
});
