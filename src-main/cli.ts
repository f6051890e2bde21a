// The same agent without a window. One file a command in commands/; this one only finds the command and says what went
// wrong: one message, one hint, a non-zero exit.
import { EXIT } from './commands/exit.ts';
import { AgentError, toAgentError } from './model/agent-error.ts';
import { makeConsoleSafe } from './platform/safe-console.ts';

interface Command {
  readonly summary: string;
  readonly load: () => Promise<{ run(args: readonly string[]): Promise<number> }>;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  run: { summary: 'record and deliver, with or without a screen', load: () => import('./commands/run.ts') },
  service: { summary: 'the embedded service on its own', load: () => import('./commands/service.ts') },
  check: { summary: 'what of the settings works, without sending', load: () => import('./commands/check.ts') },
  probe: { summary: 'which instrument answers on a port', load: () => import('./commands/probe.ts') },
  status: { summary: 'how things stand, also while an agent runs', load: () => import('./commands/status.ts') },
  receipt: { summary: 'what became of each stream, number by number', load: () => import('./commands/receipt.ts') },
  backfill: { summary: 'what old data is missing, and fill it', load: () => import('./commands/backfill.ts') },
  export: { summary: 'every stored point of a stream as CSV', load: () => import('./commands/export.ts') },
  growth: { summary: 'begin, end, change and show a growth', load: () => import('./commands/growth.ts') },
  rheed: { summary: 'start, end and show RHEED sessions', load: () => import('./commands/rheed.ts') },
  resend: { summary: 'send again what the service refused', load: () => import('./commands/resend.ts') },
};

function usage(): string {
  const lines = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(9)} ${summary}`);
  return `Usage: epistream <command> [options]\n\n${lines.join('\n')}\n\n"epistream <command> --help" lists its options.`;
}

async function main([name, ...args]: readonly string[]): Promise<number> {
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
  return (await command.load()).run(args);
}

makeConsoleSafe();
try {
  process.exitCode = await main(process.argv.slice(2));
} catch (thrown) {
  const { code, message, hint } = toAgentError(thrown);
  console.error(`epistream: ${message}\n  hint: ${hint}\n  code: ${code}`);
  if (code === 'internal') console.error(thrown);
  process.exitCode = code.startsWith('cli.') ? EXIT.usage : EXIT.fault;
}
