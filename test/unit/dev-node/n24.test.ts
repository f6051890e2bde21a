import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../../support/temp-folder.ts';

const launcher = join(import.meta.dirname, '../../../resources/dev-node/n24.mjs');
const PINNED = `node-${process.platform}-${process.arch}`;

/** These scripts are seen once: nothing of them is to stay with the project. */
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
    writeFileSync(file, `#!/bin/sh\necho "${name}: $*"\necho "PATH=$PATH"\n`);
    chmodSync(file, 0o755);
  }
  return root;
}

const run = (root: string, ...args: readonly string[]) =>
  finish(start(args, root, join(root, 'node_modules', 'dev-node', 'n24.mjs')));

describe('in this project', () => {
  test('runs a script on the pinned Node 24', async () => {
    const root = tempFolder();
    writeFileSync(join(root, 'version.mjs'), 'console.log(process.versions.node)');
    symlinkSync(join(import.meta.dirname, '../../../node_modules'), join(root, 'node_modules'));
    expect(await finish(start(['version.mjs'], root))).toEqual({
      code: 0,
      out: expect.stringMatching(/^24\./),
      err: '',
    });
  });

  test('passes arguments on as they are, blanks, quotes and stars included', async () => {
    const root = tempFolder();
    writeFileSync(join(root, 'say.mjs'), 'console.log(JSON.stringify(process.argv.slice(2)))');
    const args = ['--flag', 'a b', '"', '*', '$HOME', ''];
    expect(JSON.parse((await finish(start(['say.mjs', ...args], root))).out)).toEqual(args);
  });

  test.each([0, 1, 3, 42])('passes on exit code %i', async (code) => {
    const root = tempFolder();
    writeFileSync(join(root, 'end.mjs'), `process.exit(${code})`);
    expect((await finish(start(['end.mjs'], root))).code).toBe(code);
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('passes %s on and ends as the script does', async (signal) => {
    const root = tempFolder();
    writeFileSync(
      join(root, 'wait.mjs'),
      `process.on('${signal}', () => { console.log('heard ${signal}'); process.exit(7); });
       setInterval(() => {}, 1000);
       console.log('ready');`,
    );
    const child = start(['wait.mjs'], root);
    const ended = finish(child);
    await once(child.stdout, 'data');
    child.kill(signal);
    expect(await ended).toMatchObject({ code: 7, out: `ready\nheard ${signal}` });
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

describe('in a project of its own', () => {
  test('takes the binary of this platform, from wherever npm has put it', async () => {
    for (const place of [PINNED, `node-bin-${process.platform}-${process.arch}`, `dev-node/node_modules/${PINNED}`]) {
      const { code, out } = await run(project(place, 'node-other-arch'), 'a.mjs', '1');
      expect([code, out]).toEqual([0, expect.stringContaining(`${place}: `)]);
      expect(out).toContain('/a.mjs 1');
    }
  });

  test('puts it first in the path, so that what the script starts runs on it too', async () => {
    const root = project(PINNED);
    expect((await run(root, 'a.mjs')).out).toContain(`PATH=${join(root, 'node_modules', PINNED, 'bin')}:`);
  });

  test('passes a flag of Node on instead of taking it for a script', async () => {
    expect((await run(project(PINNED), '--version')).out).toContain(`${PINNED}: --version`);
    expect((await run(project(PINNED))).out).toContain(`${PINNED}: --version`);
  });

  test('finds the file that a tool declares, whichever way it does', async () => {
    const root = project(PINNED);
    const declare = (name: string, bin: unknown) => {
      mkdirSync(join(root, 'node_modules', name), { recursive: true });
      writeFileSync(join(root, 'node_modules', name, 'package.json'), JSON.stringify({ bin }));
    };
    declare('one', './bin/one.js');
    declare('typescript', { tsc: './bin/tsc', tsserver: './bin/tsserver' });
    declare('@biomejs/biome', { biome: 'bin/biome' });
    const fileOf = async (tool: string) => (await run(root, tool)).out.split('\n')[0];
    expect(await fileOf('one')).toBe(`${PINNED}: ${join(root, 'node_modules/one/bin/one.js')}`);
    expect(await fileOf('tsc')).toBe(`${PINNED}: ${join(root, 'node_modules/typescript/bin/tsc')}`);
    expect(await fileOf('biome')).toBe(`${PINNED}: ${join(root, 'node_modules/@biomejs/biome/bin/biome')}`);
  });

  test('finds the project from a folder below it', async () => {
    const root = project(PINNED);
    mkdirSync(join(root, 'deep', 'er'), { recursive: true });
    const { out } = await finish(start(['a.mjs'], join(root, 'deep', 'er')));
    expect(out).toContain(`${PINNED}: ${join(root, 'deep', 'er', 'a.mjs')}`);
  });

  test('falls back on the Node it runs on where that is new enough', async () => {
    const root = project();
    writeFileSync(join(root, 'path.mjs'), 'console.log(process.execPath)');
    expect((await run(root, 'path.mjs')).out).toBe(process.execPath);
  });

  test('TypeScript that a thread loads is translated once, and kept', async () => {
    const root = project();
    writeFileSync(
      join(root, 'start.mjs'),
      `import { Worker } from 'node:worker_threads';
       new Worker(new URL('./thread.ts', import.meta.url));`,
    );
    writeFileSync(join(root, 'thread.ts'), 'const word: string = "there"; console.log(word);');
    const file = join(root, 'node_modules', 'dev-node', 'n24.mjs');
    const foundIt = async (env: NodeJS.ProcessEnv) => {
      const { err } = await finish(start(['start.mjs'], root, file, { NODE_DEBUG_NATIVE: 'COMPILE_CACHE', ...env }));
      return err.match(/transpile cache for StrippedTypeScript \S*thread\.ts\.\.\.(\w+)/)?.[1] === 'success';
    };
    expect([await foundIt({}), await foundIt({})]).toEqual([false, true]);
    expect(existsSync(join(root, 'node_modules', '.cache', 'node'))).toBe(true);
    const other = { NODE_COMPILE_CACHE: join(root, 'other') };
    expect([await foundIt(other), await foundIt(other)]).toEqual([false, true]);
  });

  test('says so when the binary cannot be started', async () => {
    const root = project(PINNED);
    chmodSync(join(root, 'node_modules', PINNED, 'bin', 'node'), 0o644);
    const { code, err } = await run(root, 'a.mjs');
    expect([code, err]).toEqual([1, expect.stringContaining('n24 could not start a.mjs')]);
  });

  test('an old Node without a pinned one is refused with what to do', async () => {
    const root = project();
    // The launcher as it would run on Node 20: only what it reads of its own version differs.
    writeFileSync(join(root, 'old.mjs'), "Object.defineProperty(process.versions, 'node', { value: '20.20.2' });");
    const { npm_config_local_prefix: _, ...env } = process.env;
    const file = join(root, 'node_modules', 'dev-node', 'n24.mjs');
    const args = ['--import', join(root, 'old.mjs'), file, 'a.mjs'];
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const { code, err } = await finish(child);
    expect([code, err]).toEqual([1, expect.stringContaining('need Node 24')]);
    expect(err).toContain('npm ci');
  });
});
