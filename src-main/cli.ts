// The same agent without a window: one file a command in commands/.
import { runCommand } from './commands/run-command.ts';
import { settleHome } from './commands/shared/home-folder.ts';
import { endIfHeld } from './platform/call-watch.ts';
import { makeConsoleSafe } from './platform/safe-console.ts';

makeConsoleSafe();
settleHome();
process.exitCode = await runCommand(process.argv.slice(2));
endIfHeld();
