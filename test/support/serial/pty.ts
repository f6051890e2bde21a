// A serial port made of a pseudo-terminal: what is written to it comes out of a TCP port of this test, and the other way
// round. Unplugging it is ending its socat, by its process number.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Whether this machine can make one. */
export const hasPty = process.platform !== 'win32' && spawnSync('socat', ['-V']).status === 0;

export class Pty {
  readonly path: string;
  readonly #folder: string;
  readonly #tcpPort: number;
  #socat: ChildProcess | null = null;

  private constructor(folder: string, name: string, tcpPort: number) {
    this.#folder = folder;
    this.path = join(folder, name);
    this.#tcpPort = tcpPort;
  }

  /** Plug one in that leads to a TCP port of this machine. */
  static async plug(tcpPort: number, name = 'ttyTOOL'): Promise<Pty> {
    const pty = new Pty(mkdtempSync(join(tmpdir(), 'pty-')), name, tcpPort);
    await pty.plugIn();
    return pty;
  }

  /** Pull it out for good. */
  async remove(): Promise<void> {
    await this.unplug();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Plug it in (again). */
  async plugIn(): Promise<void> {
    const side = `PTY,link=${this.path},raw,echo=0`;
    const socat = spawn('socat', [side, `TCP:127.0.0.1:${this.#tcpPort}`], { stdio: 'ignore' });
    this.#socat = socat;
    while (!existsSync(this.path)) {
      if (socat.exitCode !== null) throw new Error(`socat ended with ${socat.exitCode}`);
      await sleep(10);
    }
  }

  /** Pull it out, in the middle of whatever it does. */
  async unplug(): Promise<void> {
    await this.#signal('SIGKILL');
    // A killed socat leaves its link behind.
    rmSync(this.path, { force: true });
  }

  /** Let it hang (nothing goes through, nothing is told) and go on. */
  hang(): void {
    this.#socat?.kill('SIGSTOP');
  }

  goOn(): void {
    this.#socat?.kill('SIGCONT');
  }

  async #signal(signal: NodeJS.Signals): Promise<void> {
    const socat = this.#socat;
    this.#socat = null;
    if (!socat || socat.exitCode !== null || socat.signalCode !== null) return;
    const ended = new Promise((resolve) => socat.once('exit', resolve));
    socat.kill(signal);
    await ended;
  }
}
