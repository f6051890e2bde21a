// Finds the command of a command line in this folder, one file a command, and says what went wrong: one message, one hint, a
// non-zero exit code.

import { AgentError } from '../model/agent-error.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { checkNode } from './shared/check-node.ts';
import { EXIT } from './shared/exit.ts';
import { commandError } from './shared/refusal.ts';
import { version } from './shared/version.ts';

interface Command {
  readonly summary: string;
  readonly load: () => Promise<{ run(args: readonly string[], clock: Clock): Promise<number> }>;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  run: { summary: 'record and deliver, with or without a screen', load: () => import('./run.ts') },
  service: { summary: 'the embedded service on its own', load: () => import('./service.ts') },
  check: { summary: 'what of the settings works, without sending', load: () => import('./check.ts') },
  probe: { summary: 'which instrument answers on a port', load: () => import('./probe.ts') },
  open: { summary: 'the screen of the agent that runs, by a fresh link', load: () => import('./open.ts') },
  status: { summary: 'how things stand, also while an agent runs', load: () => import('./status.ts') },
  receipt: { summary: 'what became of each stream, number by number', load: () => import('./receipt.ts') },
  answer: { summary: 'log files that wait for a person, and what to do with them', load: () => import('./answer.ts') },
  backfill: { summary: 'what old data is not read yet, without sending', load: () => import('./backfill.ts') },
  export: { summary: 'a growth, a stream or a time as a file', load: () => import('./export.ts') },
  growth: { summary: 'begin, end, change and show a growth', load: () => import('./growth.ts') },
  rheed: { summary: 'start, end and show RHEED sessions', load: () => import('./rheed.ts') },
  resend: { summary: 'send again what the service refused', load: () => import('./resend.ts') },
};

function usage(): string {
  const lines = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(9)} ${summary}`);
  const more = '"epistream <command> --help" lists its options, "epistream --version" says which one this is.';
  return `Usage: epistream <command> [options]\n\n${lines.join('\n')}\n\n${more}`;
}

async function main([name, ...args]: readonly string[], clock: Clock): Promise<number> {
  if (name === '--version') {
    console.log(version());
    return EXIT.done;
  }
  if (name === undefined || name === '--help' || name === 'help') {
    console.log(usage());
    return name === undefined ? EXIT.usage : EXIT.done;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) {
    throw new AgentError({
      code: 'cli.unknown-command',
      message: `There is no command "${name}".`,
      hint: `Commands: ${Object.keys(COMMANDS).join(', ')}.`,
    });
  }
  checkNode(process.versions);
  return (await command.load()).run(args, clock);
}

/**
 * Run a command line to its end.
 *
 * @param words - the name of the command and its words.
 * @param clock - the time of the agent, where the command starts one.
 * @returns the exit code; what is wrong is printed, never thrown.
 */
export async function runCommand(words: readonly string[], clock = systemClock): Promise<number> {
  try {
    return await main(words, clock);
  } catch (thrown) {
    const { code, message, hint } = commandError(thrown);
    console.error(`epistream: ${message}\n  hint: ${hint}\n  code: ${code}`);
    if (code === 'internal') console.error(thrown);
    return code.startsWith('cli.') ? EXIT.usage : EXIT.fault;
  }
}
