// The one place at which what this program prints becomes safe for a terminal, from any author and whichever command
// prints it.
import { format } from 'node:util';
import { terminalText } from '../model/terminal-text.ts';

/** Make the console of this process safe; called once, before anything is printed. */
export function makeConsoleSafe(to: Pick<Console, 'log' | 'error'> = console): void {
  for (const name of ['log', 'error'] as const) {
    const print = to[name].bind(to);
    to[name] = (...values: unknown[]) => print('%s', terminalText(format(...values)));
  }
}
