import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { tempFolder } from '../../support/temp-folder.ts';

const launcher = join(import.meta.dirname, '../../../resources/dev-node/n24.mjs');
const PINNED = `node-${process.platform}-${process.arch}`;

/** These scripts run once: nothing of them is to stay with the project. */
const NOTHING_KEPT = { NODE_DISABLE_COMPILE_CACHE: '1' };

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** Starts the launcher on this Node, as npm would: in a folder, with no word from npm about where the project is. */
function start(args: readonly string[], cwd: string, file = launcher, more: NodeJS.ProcessEnv = NOTHING_KEPT): Child {
  const { npm_config_local_prefix: _, NODE_COMPILE_CACHE: __, NODE_DISABLE_COMPILE_CACHE: ___, ...env } = process.env;
  return spawn(process.execPath, [file, ...args], { cwd, env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function finish(child: Child): Promise<{ code: number | null; out: string; err: string }> {
  let [out, err] = ['', ''];
  child.stdout.on('data', (part) => (out += part));
  child.stderr.on('data', (part) => (err += part));
  const [code] = await once(child, 'close');
  return { code, out: out.trim(), err: err.trim() };
}

/** An empty project with the launcher installed, and programs in the place of binaries, which say that they ran. */
function project(...binaries: readonly string[]): string {
  const root = realpathSync(tempFolder());
  mkdirSync(join(root, 'node_modules', 'dev-node'), { recursive: true });
  copyFileSync(launcher, join(root, 'node_modules', 'dev-node', 'n24.mjs'));
  for (const name of binaries) {
    const file = join(root, 'node_modules', name, 'bin', 'node');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `#!/bin/sh\necho "${name}: $*"\necho "PATH=$PATH"\necho "CACHE=$NODE_COMPILE_CACHE"\n`);
    chmodSync(file, 0o755);
  }
  return root;
}

const run = (root: string, args: readonly string[], cwd = root, more: NodeJS.ProcessEnv = {}) =>
  finish(start(args, cwd, join(root, 'node_modules', 'dev-node', 'n24.mjs'), more));

test('runs a script on the pinned Node 24 with its arguments as they are, and ends with its exit code', async () => {
  const root = tempFolder();
  symlinkSync(join(import.meta.dirname, '../../../node_modules'), join(root, 'node_modules'));
  const script = 'console.log(JSON.stringify([process.versions.node, ...process.argv.slice(2)])); process.exit(42);';
  writeFileSync(join(root, 'say.mjs'), script);
  const args = ['--flag', 'a b', '"', '*', '$HOME', ''];
  const { code, out, err } = await finish(start(['say.mjs', ...args], root));
  expect([code, JSON.parse(out), err]).toEqual([42, [expect.stringMatching(/^24\./), ...args], '']);
});

test('passes signals on and ends as the script does', async () => {
  const root = tempFolder();
  const signals = ['SIGINT', 'SIGHUP', 'SIGTERM'] as const;
  writeFileSync(
    join(root, 'wait.mjs'),
    `for (const signal of ${JSON.stringify(signals)}) process.on(signal, () => {
       console.log(signal);
       if (signal === 'SIGTERM') process.exit(7);
     });
     setInterval(() => {}, 1000);
     console.log('ready');`,
  );
  const child = start(['wait.mjs'], root);
  const ended = finish(child);
  for (const signal of signals) {
    await once(child.stdout, 'data');
    child.kill(signal);
  }
  expect(await ended).toMatchObject({ code: 7, out: ['ready', ...signals].join('\n') });
});

test('on Windows, where the console tells the script itself, it passes nothing on and waits for its end', async () => {
  const root = tempFolder();
  writeFileSync(
    join(root, 'windows.mjs'),
    `Object.defineProperty(process, 'platform', { value: 'win32' });
     process.on('SIGINT', () => setImmediate(() => console.log('launcher heard')));`,
  );
  writeFileSync(
    join(root, 'record.mjs'),
    `let interrupts = 0;
     process.removeAllListeners('SIGINT').on('SIGINT', () => (interrupts += 1));
     process.on('SIGUSR2', () => { console.log('interrupts: ' + interrupts); process.exit(7); });
     setInterval(() => {}, 1000);
     console.log(process.pid);`,
  );
  const preload = { ...NOTHING_KEPT, NODE_OPTIONS: `--import=${pathToFileURL(join(root, 'windows.mjs'))}` };
  const child = start(['record.mjs'], root, launcher, preload);
  const ended = finish(child);
  const [first] = (await once(child.stdout, 'data')) as [Buffer];
  const heard = once(child.stdout, 'data');
  child.kill('SIGINT');
  await heard;
  process.kill(Number(first.toString()), 'SIGUSR2');
  expect(await ended).toMatchObject({ code: 7, out: expect.stringMatching(/launcher heard\ninterrupts: 0$/) });
});

test('a script that dies of a signal gives the code that shells give', async () => {
  const root = tempFolder();
  writeFileSync(join(root, 'die.mjs'), "process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1000);");
  expect((await finish(start(['die.mjs'], root))).code).toBe(128 + 9);
});

test.skipIf(process.platform === 'win32')('ends what it started when the shell that wanted it is gone', async () => {
  const root = tempFolder();
  const ended = join(root, 'ended');
  writeFileSync(
    join(root, 'stay.mjs'),
    `import { writeFileSync } from 'node:fs';
     process.on('SIGTERM', () => { writeFileSync(${JSON.stringify(ended)}, 'well'); process.exit(); });
     setInterval(() => {}, 1000);
     console.log('there');`,
  );
  // As npm starts it: a shell that waits, and passes no signal on.
  const shell = spawn('sh', ['-c', `"${process.execPath}" "${launcher}" stay.mjs; exit`], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(shell.stdout, 'data');
  shell.kill('SIGTERM');
  await expect.poll(() => existsSync(ended), { timeout: 60_000 }).toBe(true);
});

test.each([PINNED, `node-bin-${process.platform}-${process.arch}`, `dev-node/node_modules/${PINNED}`])(
  'takes the binary of this platform as %s, first in the path, keeping what it translates in the project',
  async (place) => {
    const root = project(place, 'node-other-arch');
    mkdirSync(join(root, 'deep'));
    const { code, out } = await run(root, ['a.mjs', '1'], join(root, 'deep'));
    expect([code, ...out.split('\n')]).toEqual([
      ...[0, `${place}: ${join(root, 'deep/a.mjs')} 1`],
      expect.stringContaining(`PATH=${join(root, 'node_modules', place, 'bin')}:`),
      `CACHE=${join(root, 'node_modules/.cache/node')}`,
    ]);
  },
);

test('passes a flag of Node on, and leaves the folder of translations that somebody chose', async () => {
  const { out } = await run(project(PINNED), ['--version'], undefined, { NODE_COMPILE_CACHE: '/other' });
  expect(out.split('\n')).toEqual([`${PINNED}: --version`, expect.any(String), 'CACHE=/other']);
});

test('finds the file that a tool declares, whichever way it does', async () => {
  const root = project(PINNED);
  const declare = (name: string, bin: unknown) => {
    mkdirSync(join(root, 'node_modules', name), { recursive: true });
    writeFileSync(join(root, 'node_modules', name, 'package.json'), JSON.stringify({ bin }));
  };
  declare('one', './bin/one.js');
  declare('@biomejs/biome', { biome: 'bin/biome' });
  const fileOf = async (tool: string) => (await run(root, [tool])).out.split('\n')[0];
  expect(await fileOf('one')).toBe(`${PINNED}: ${join(root, 'node_modules/one/bin/one.js')}`);
  expect(await fileOf('biome')).toBe(`${PINNED}: ${join(root, 'node_modules/@biomejs/biome/bin/biome')}`);
});

test('falls back on the Node it runs on where that is new enough, and says what to do where it is not', async () => {
  const root = project();
  writeFileSync(join(root, 'path.mjs'), 'console.log(process.execPath)');
  expect((await run(root, ['path.mjs'])).out).toBe(process.execPath);
  // The launcher as it would run on Node 20: only what it reads of its own version differs.
  const old = join(root, 'old.mjs');
  writeFileSync(old, "Object.defineProperty(process.versions, 'node', { value: '20.20.2' });");
  const { code, err } = await run(root, ['path.mjs'], root, { NODE_OPTIONS: `--import=${pathToFileURL(old)}` });
  expect([code, err]).toEqual([1, expect.stringMatching(/need Node 24[\s\S]*npm ci/)]);
});

test('says so when the binary cannot be started', async () => {
  const root = project(PINNED);
  chmodSync(join(root, 'node_modules', PINNED, 'bin', 'node'), 0o644);
  const { code, err } = await run(root, ['a.mjs']);
  expect([code, err]).toEqual([1, expect.stringContaining('n24 could not start a.mjs')]);
});
