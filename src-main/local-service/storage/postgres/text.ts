// PostgreSQL's text holds every character but NUL, and the interface forbids none: NUL is written as two characters of Unicode's private
// use, and the first of these as itself and another one. Nothing else changes.

const ESCAPE = '\uE000';
const pairs: Readonly<Record<string, string>> = { '\0': `${ESCAPE}\uE002`, [ESCAPE]: `${ESCAPE}\uE001` };

/** Write a text so that PostgreSQL takes it. */
export const encodeText = (text: string) => text.replace(/[\0\uE000]/g, (character) => pairs[character] ?? character);

/** Read it back. */
export const decodeText = (text: string) =>
  text.replace(/\uE000([\uE001\uE002])/g, (_, which: string) => (which === '\uE002' ? '\0' : ESCAPE));
