// A process for heavy work: what it allocates and how it may die is its own, and the one that records goes on.
import { fork } from 'node:child_process';

export interface WorkProcess {
  /** Plain JSON. */
  send(message: unknown): void;
  /** End it at once. */
  kill(): void;
}

/** Who hears what the process says, and, once, that it has ended. */
interface WorkListener {
  onMessage(message: unknown): void;
  onEnd(): void;
}

/** Starts a script in a process of its own, which takes `folder` for temporary files. */
export type StartWork = (script: string, folder: string, listener: WorkListener) => WorkProcess;

/**
 * Tell what a process for work is given of this one's environment: no key and no setting of this program.
 *
 * @param folder - where it puts temporary files.
 */
export function workEnvironment(folder: string): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => !/^(EPISTREAM_|NODE_)/i.test(name));
  const own = { TMPDIR: folder, TEMP: folder, TMP: folder };
  return { ...Object.fromEntries(kept.map(([name, value]) => [name, value ?? ''])), ...own };
}

/** Options of Node for such a process: a small young generation (decision 243). */
export const WORK_OPTIONS = ['--max-semi-space-size=2'];

/** Start such a process where this one is Node; Electron has its own way. */
export const startNodeWork: StartWork = (script, folder, { onMessage, onEnd }) => {
  const child = fork(script, [], {
    execArgv: WORK_OPTIONS,
    env: workEnvironment(folder),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  let hasEnded = false;
  const end = () => {
    if (!hasEnded) onEnd();
    hasEnded = true;
  };
  child.on('message', onMessage);
  // One that could not be started has no exit.
  child.on('error', end);
  child.on('exit', end);
  return {
    // A message to one that ended meanwhile is lost, as it is told by `onEnd`.
    send: (message) => void (child.connected && child.send(message as object, () => undefined)),
    kill: () => void child.kill('SIGKILL'),
  };
};
