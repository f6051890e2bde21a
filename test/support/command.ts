// Commands of the command line in the process of the test: they say the same as the built agent does, without half a second
// of processor time for each start. Where a process is the point (kills, signals, exit codes of the shell, memory), tests
// use agent-process.ts. One command at a time: while one runs, everything that is printed here counts as its own.
import { format } from 'node:util';
import { vi } from 'vitest';
import { runCommand } from '../../src-main/commands/run-command.ts';
import { type Clock, systemClock } from '../../src-main/platform/clock.ts';

/** Where a command adds listeners and leaves them, since its process ends with it. */
const PLACES: readonly (readonly [NodeJS.EventEmitter, string])[] = [
  ...['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException'].map((event) => [process, event] as const),
  [process.stdout, 'error'],
  [process.stderr, 'error'],
];

export interface Done {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/**
 * Run a command line to its end.
 *
 * @param env - additions to the environment.
 * @param clock - the time of the agent, where the command starts one: hold-offs of seconds need not be waited for.
 */
export async function runHere(
  words: readonly string[],
  env: Record<string, string> = {},
  clock: Clock = systemClock,
): Promise<Done> {
  const said = { out: '', err: '' };
  const out = vi.spyOn(console, 'log').mockImplementation((...args) => {
    said.out += `${format(...args)}\n`;
  });
  const err = vi.spyOn(console, 'error').mockImplementation((...args) => {
    said.err += `${format(...args)}\n`;
  });
  const before = PLACES.map(([emitter, event]) => new Set(emitter.listeners(event)));
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  try {
    const code = await runCommand(words, clock);
    return { code, ...said };
  } finally {
    vi.unstubAllEnvs();
    out.mockRestore();
    err.mockRestore();
    for (const [at, [emitter, event]] of PLACES.entries()) {
      for (const listener of emitter.listeners(event)) {
        if (!before[at]?.has(listener)) emitter.removeListener(event, listener as () => void);
      }
    }
  }
}
