// The one place at which what this program prints becomes safe for a terminal, from any author and whichever command
// prints it. A terminal takes control characters for commands: a name in a log could set the title of the window, clear the
// screen or write over what stands above. Nor does the program depend on who reads: `epistream receipt | head` goes on to its end.
import { format } from 'node:util';

/** Control characters but tab and line feed, marks that change the direction of what follows, unusual line ends. */
const UNSAFE = /(?![\t\n])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/**
 * Make a text safe for a terminal.
 *
 * @returns the same text; each character that a terminal would obey stands as its code, such as `\u001b`: so JSON stays the
 *   same JSON.
 */
function terminalText(text: string): string {
  return text.replaceAll(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** What reads is gone: nobody is left to be told. Everything else is thrown on. */
function ignoreGoneReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

/**
 * Make the console of this process safe; called once, before anything is printed.
 *
 * @param to the console.
 * @param streams what it writes into.
 */
export function makeConsoleSafe(
  to: Pick<Console, 'log' | 'error'> = console,
  streams: readonly NodeJS.EventEmitter[] = [process.stdout, process.stderr],
): void {
  for (const stream of streams) stream.on('error', ignoreGoneReader);
  for (const name of ['log', 'error'] as const) {
    const print = to[name].bind(to);
    to[name] = (...values: unknown[]) => print('%s', terminalText(format(...values)));
  }
}
