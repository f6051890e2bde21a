// Keeps the PC awake while something is recorded: a small program of the operating system holds it, for as long as its standard
// input is open. A killed agent closes it, so the PC can sleep again.
//
//   Linux     systemd-inhibit around cat     logind suspends no PC while a program blocks it
//   macOS     caffeinate around cat
//   Windows   PowerShell, which calls SetThreadExecutionState(ES_CONTINUOUS | ES_SYSTEM_REQUIRED)
//
// Each writes a line once it holds. The display may sleep. One that ends by itself is started again after RETRY_MS.
// Sources: systemd-inhibit(1); caffeinate(8); learn.microsoft.com/windows/win32/api/winbase/nf-winbase-setthreadexecutionstate
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

const RETRY_MS = 60_000;

export interface HoldingProgram {
  readonly program: string;
  readonly args: readonly string[];
}

const POWERSHELL = [
  `$kernel = Add-Type -PassThru -Name Power -Namespace Epistream -MemberDefinition '[DllImport("kernel32.dll")] public static extern uint SetThreadExecutionState(uint state);'`,
  'if ($kernel::SetThreadExecutionState(2147483649) -eq 0) { exit 1 }',
  "[Console]::Out.WriteLine('ready')",
  'while ($null -ne [Console]::In.ReadLine()) {}',
].join('; ');

/** The program that keeps a PC awake on each system. */
export function holdingProgram(platform: NodeJS.Platform): HoldingProgram | null {
  if (platform === 'win32')
    return { program: 'powershell.exe', args: ['-NoProfile', '-NonInteractive', '-Command', POWERSHELL] };
  if (platform === 'darwin') return { program: 'caffeinate', args: ['-i', '-s', 'cat'] };
  if (platform !== 'linux') return null;
  const what = ['--what=sleep:idle', '--mode=block', '--who=Epistream', '--why=Recording of a growth tool'];
  return { program: 'systemd-inhibit', args: [...what, 'cat'] };
}

/** True for a PC that knows no sleep, such as most virtual machines. */
export function knowsNoSleep(stateFile = '/sys/power/state'): boolean {
  try {
    return readFileSync(stateFile, 'utf8').trim() === '';
  } catch {
    // Systems other than Linux have no such file: whether they sleep is not known.
    return false;
  }
}

export interface StayAwakeOptions {
  readonly program?: HoldingProgram | null;
  readonly isSleepless?: boolean;
  /** Whether it holds has changed. */
  readonly onChange?: () => void;
}

export class StayAwake {
  readonly #program: HoldingProgram | null;
  readonly #isSleepless: boolean;
  readonly #onChange: () => void;
  #child: ChildProcess | null = null;
  #retry: NodeJS.Timeout | null = null;
  #isWanted = false;
  #problem: string | null = null;

  constructor({ program, isSleepless, onChange }: StayAwakeOptions = {}) {
    this.#program = program === undefined ? holdingProgram(process.platform) : program;
    this.#isSleepless = isSleepless ?? knowsNoSleep();
    this.#onChange = onChange ?? (() => undefined);
  }

  /** Why the PC may fall asleep although it should not; null: it does not, or may. */
  get problem(): string | null {
    return this.#isWanted ? this.#problem : null;
  }

  /** Keep the PC awake from now on, or no longer. */
  follow(isWanted: boolean): void {
    if (isWanted === this.#isWanted) return;
    this.#isWanted = isWanted;
    if (this.#isSleepless) return;
    if (isWanted) this.#hold();
    else this.#release();
  }

  #hold(): void {
    if (this.#program === null) {
      this.#tell('This system has no way that Epistream knows.');
      return;
    }
    const { program, args } = this.#program;
    if (this.#problem === null) this.#problem = `${program} has not answered yet.`;
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
    this.#child = child;
    let errors = '';
    child.stdout.once('data', () => this.#child === child && this.#tell(null));
    child.stderr.on('data', (bytes: Buffer) => {
      errors = `${errors}${bytes}`.slice(0, 500);
    });
    child.stdin.on('error', () => undefined); // It ended before it was written to; its exit tells why.
    child.stdin.write('ready\n');
    let isOver = false;
    const over = (why: string) => {
      if (isOver || this.#child !== child) return;
      isOver = true;
      this.#child = null;
      this.#tell(why);
      this.#retry = setTimeout(() => this.#hold(), RETRY_MS).unref();
    };
    child.once('error', ({ message }) => over(`${program} could not be started (${message}).`));
    child.once('close', (code) => over(`${program} ended with ${code}${errors === '' ? '' : `: ${errors.trim()}`}.`));
    // Nothing of it keeps this process alive.
    child.unref();
    for (const stream of child.stdio) (stream as { unref?: () => void } | null)?.unref?.();
  }

  #release(): void {
    const child = this.#child;
    this.#child = null;
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#retry = null;
    this.#problem = null;
    child?.stdin?.end();
    child?.kill();
  }

  #tell(problem: string | null): void {
    if (this.#problem === problem) return;
    this.#problem = problem;
    this.#onChange();
  }
}
