// Texts of files, channels and services on a terminal. A terminal takes control characters for commands: a name in a log
// could set the title of the window, clear the screen or write over what stands above.

/** Control characters but tab and line feed, marks that change the direction of what follows, unusual line ends. */
const UNSAFE = /(?![\t\n])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/**
 * Make a text safe for a terminal.
 *
 * @returns the same text; each character that a terminal would obey stands as its code, such as `\u001b`: so JSON stays the
 *   same JSON.
 */
export function terminalText(text: string): string {
  return text.replaceAll(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
