// The same agent without a window: one file a command in commands/.
import { runCommand } from './commands/run-command.ts';

process.exitCode = await runCommand(process.argv.slice(2));
