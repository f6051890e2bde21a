// A Windows PC made of Wine: a prefix of its own, and the real Node, SQLite and serial port library for Windows in it. Wine 8
// lacks three things that Node asks for, none of which says anything about the product:
//
// - V8 aborts, since VirtualAlloc2 is there and knows no placeholders: in a copy of node.exe its name is spelt otherwise, and V8
//   takes the way of older Windows.
// - The keep-alive of TCP cannot be set before a connection: a preload makes setKeepAlive do nothing.
// - What is written into a pipe is lost (EBADF): output goes into files.
//
// Nor has it NTFS's rights, its rule about folders with open files, reserved names, and the sleep of a PC.
import {
  type ChildProcess,
  execFileSync,
  type SpawnOptions,
  type StdioOptions,
  spawn,
  spawnSync,
} from 'node:child_process';
import { closeSync, cpSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ended } from '../processes/agent-process.ts';

const has = (program: string) => spawnSync(program, ['--version']).status === 0;

/** What keeps a Windows PC from being made here; null when nothing does. */
export function findWineObstacle(): string | null {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'needs Linux on a 64-bit PC';
  if (!has('wine')) return 'needs Wine: apt-get install wine wine64';
  if (!has('x86_64-w64-mingw32-gcc')) return 'needs a compiler for Windows: apt-get install gcc-mingw-w64-x86-64-win32';
  return spawnSync('unzip', ['-v']).status === 0 ? null : 'needs unzip';
}

/** A program that runs on the PC; `child` is its process here. */
export interface WindowsProgram {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  printed(): string;
  /** Press Ctrl+C in the console that it was started in. */
  pressCtrlC(): void;
}

const SHIM = 'C:\\keep-alive.cjs';
const SHIM_TEXT = "require('node:net').Socket.prototype.setKeepAlive = function () { return this; };\n";

export class WindowsPc {
  readonly #prefix: string;
  readonly #running = new Set<WindowsProgram>();
  #started = 0;

  private constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Make one, which takes some seconds. */
  static make(): WindowsPc {
    const pc = new WindowsPc(mkdtempSync(join(tmpdir(), 'windows-pc-')));
    for (const words of [
      ['wineboot', '-i'],
      ['winecfg', '-v', 'win10'],
    ])
      execFileSync('wine', words, { env: pc.#env(), stdio: 'ignore' });
    writeFileSync(pc.path(SHIM), SHIM_TEXT);
    return pc;
  }

  /** Switch it off and throw it away. */
  async remove(): Promise<void> {
    for (const { child } of this.#running) child.kill('SIGKILL');
    await Promise.all([...this.#running].map(({ ended }) => ended));
    spawnSync('wineserver', ['--kill'], { env: this.#env() });
    spawnSync('wineserver', ['--wait'], { env: this.#env() });
    rmSync(this.#prefix, { recursive: true, force: true, maxRetries: 5 });
  }

  #env(): NodeJS.ProcessEnv {
    const { PATH, HOME } = process.env;
    // Letters of any language in arguments and paths, as Windows has them.
    const quiet = { WINEDEBUG: '-all', WINEDLLOVERRIDES: 'mscoree,mshtml=', LC_ALL: 'C.UTF-8' };
    return { PATH, HOME, ...quiet, WINEPREFIX: this.#prefix, NODE_OPTIONS: `--require ${SHIM}`, BROWSER: 'none' };
  }

  /** Where a path of drive C lies here. */
  path(path: string): string {
    if (!/^C:\\/i.test(path)) throw new Error(`${path} is not on drive C.`);
    return join(this.#prefix, 'drive_c', path.slice(3).replaceAll('\\', '/'));
  }

  /** Put a file on drive C. */
  write(path: string, text: string): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), text);
  }

  /** Copy a file of this machine to drive C. */
  copy(from: string, to: string): void {
    this.write(to, readFileSync(from, 'utf8'));
  }

  /** Unpack the archive that people get into a folder of drive C, so that its `node.exe` runs on Wine. */
  unpack(zip: string, to: string): void {
    const unpacked = mkdtempSync(join(tmpdir(), 'unpacked-'));
    try {
      execFileSync('unzip', ['-q', zip, '-d', unpacked]);
      const [top = ''] = execFileSync('ls', [unpacked], { encoding: 'utf8' }).trim().split('\n');
      cpSync(join(unpacked, top), this.path(to), { recursive: true });
      const node = `${to}\\node.exe`;
      this.installNode(this.path(node), node);
    } finally {
      rmSync(unpacked, { recursive: true, force: true });
    }
  }

  /** Copy Node for Windows to drive C in a form that runs on Wine. */
  installNode(from: string, to: string): void {
    const bytes = readFileSync(from);
    const at = bytes.indexOf('VirtualAlloc2\0', 0, 'latin1');
    if (at < 0) throw new Error(`${from} does not ask for VirtualAlloc2.`);
    bytes.write('VirtualAllocQ', at, 'latin1');
    mkdirSync(dirname(this.path(to)), { recursive: true });
    writeFileSync(this.path(to), bytes);
  }

  /** Compile a file of this folder for Windows. */
  compile(source: string, to: string, ...words: readonly string[]): void {
    const program = 'x86_64-w64-mingw32-gcc';
    mkdirSync(dirname(this.path(to)), { recursive: true });
    execFileSync(program, ['-O1', '-o', this.path(to), join(import.meta.dirname, source), ...words]);
  }

  /** Lead a serial port to a terminal of this machine. */
  plug(port: string, terminal: string): void {
    const link = join(this.#prefix, 'dosdevices', port.toLowerCase());
    rmSync(link, { force: true });
    execFileSync('ln', ['-s', terminal, link]);
  }

  /**
   * Start a program without a console; its process is the program's own and can be killed.
   *
   * @param cwd the folder that it starts in, of this machine or `C:\\...`.
   * @param env additions to the environment.
   */
  start(words: readonly string[], cwd = 'C:\\', env: Record<string, string> = {}): WindowsProgram {
    const [out, err] = this.#outputs();
    const handles = [out, err].map((file) => openSync(file, 'w'));
    const child = spawn('wine', words, this.#options(cwd, env, ['ignore', ...handles]));
    for (const handle of handles) closeSync(handle);
    return this.#watch(child, out, err, (code) => code);
  }

  /** Start a program in a console, which is a terminal of its own; its process here is that of the terminal. */
  startInConsole(words: readonly string[], cwd = 'C:\\', env: Record<string, string> = {}): WindowsProgram {
    const [out, err] = this.#outputs();
    const [script, code] = [`${out}.sh`, `${out}.code`];
    const quoted = ['wine', ...words].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
    // The shell hears of Ctrl+C, too, and is to outlive it.
    writeFileSync(script, `trap : INT\n${quoted} >'${out}' 2>'${err}'\necho $? >'${code}'\n`);
    for (const file of [out, err]) writeFileSync(file, '');
    const child = spawn(
      'socat',
      ['-', `EXEC:sh ${script},pty,setsid,ctty,sane`],
      this.#options(cwd, env, ['pipe', 'ignore', 'ignore']),
    );
    return this.#watch(child, out, err, () => Number(readFileSync(code, 'utf8')));
  }

  #outputs(): [string, string] {
    const number = ++this.#started;
    return [join(this.#prefix, `out-${number}`), join(this.#prefix, `err-${number}`)];
  }

  #options(cwd: string, env: Record<string, string>, stdio: StdioOptions): SpawnOptions {
    return { cwd: /^C:/i.test(cwd) ? this.path(cwd) : cwd, env: { ...this.#env(), ...env }, stdio };
  }

  #watch(
    child: ChildProcess,
    out: string,
    err: string,
    codeOf: (code: number | null) => number | null,
  ): WindowsProgram {
    const read = (file: string) => readFileSync(file, 'utf8');
    const ended = new Promise<Ended>((settle) =>
      child.on('close', (code, signal) => {
        this.#running.delete(program);
        settle({ code: codeOf(code), signal, out: read(out), err: read(err) });
      }),
    );
    const program: WindowsProgram = {
      child,
      ended,
      printed: () => read(out) + read(err),
      pressCtrlC: () => void child.stdin?.write('\x03'),
    };
    this.#running.add(program);
    return program;
  }

  /** Run a program to its end. */
  run(words: readonly string[], cwd?: string, env?: Record<string, string>): Promise<Ended> {
    return this.start(words, cwd, env).ended;
  }

  /** Wait until something that a program prints matches. */
  async waitFor(program: WindowsProgram, pattern: RegExp): Promise<RegExpMatchArray> {
    for (;;) {
      const found = program.printed().match(pattern);
      if (found) return found;
      if (program.child.exitCode !== null) throw new Error(`ended without ${pattern}:\n${program.printed()}`);
      await sleep(50);
    }
  }
}
