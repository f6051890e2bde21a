// The name of an entry that this program makes, of streams and of RHEED sessions alike:
//
//   <tool> <source> <date> <time>[ <words>] <nonce>
//
// The only place where such a name is written or read. The caller that reads one says which tool it looks for: a tool may be
// called anything, so the name alone does not tell where that part ends. After it every part ends where the next begins:
// a source's id and a nonce hold no space, date and time have one form. So what is written is always read back.

export interface StreamName {
  readonly toolName: string;
  /** Id of the source; no space in it. */
  readonly sourceId: string;
  /** Local time of the first reading, `2026-11-20 19:40:12`. */
  readonly start: string;
  /** Name of the growth, or what else a person reads there; empty: nothing. */
  readonly words: string;
  /** Short random word by which the entry is found; no space in it. */
  readonly nonce: string;
}

const START = String.raw`[+-]?\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d`;
const PARTS = new RegExp(String.raw`^(\S+) (${START})(?: ([\s\S]+))? (\S+)$`);
const ENDS_WITH_START = new RegExp(` ${START}$`);
/** What the words of a stream end with that holds points which the service refused in another one. */
const CORRECTED = ', corrected part';
/** And of one that holds what another one of this queue could not send on. */
const REST = ', rest';

/** Write a name. */
export function formatStreamName({ toolName, sourceId, start, words, nonce }: StreamName): string {
  return [toolName, sourceId, start, ...(words === '' ? [] : [words]), nonce].join(' ');
}

/**
 * Read a name. Takes the name, and the tool it is looked at for.
 *
 * @returns its parts; null: of another tool, or none.
 */
export function parseStreamName(name: string, toolName: string): StreamName | null {
  if (!name.startsWith(`${toolName} `)) return null;
  const [, sourceId, start, words = '', nonce] = PARTS.exec(name.slice(toolName.length + 1)) ?? [];
  if (sourceId === undefined || start === undefined || nonce === undefined) return null;
  return { toolName, sourceId, start, words, nonce };
}

const ANY_TOOL = new RegExp(String.raw`^(.+?) (\S+) (${START})(?: ([\s\S]+))? (\S+)$`);

/**
 * Read a name without knowing the tool, for a list in which entries of many tools stand.
 *
 * @returns its parts as they read most likely; null: it is no name of a stream.
 */
export function guessStreamName(name: string): StreamName | null {
  const [, toolName, sourceId, start, words = '', nonce] = ANY_TOOL.exec(name) ?? [];
  if (toolName === undefined || sourceId === undefined || start === undefined || nonce === undefined) return null;
  return { toolName, sourceId, start, words, nonce };
}

/**
 * Put words into a name that carries none. Takes the name, which ends with the nonce; empty words change nothing.
 *
 * @returns the name with them; the very same when it carries them already, or ends otherwise.
 */
export function nameWithWords(name: string, nonce: string, words: string): string {
  const [ending, given] = [` ${nonce}`, ` ${words} ${nonce}`];
  if (words === '' || !name.endsWith(ending)) return name;
  // Words may look like a time, or like a source: they are there when the start stands before them.
  const isGiven = name.endsWith(given) && ENDS_WITH_START.test(name.slice(0, -given.length));
  return isGiven ? name : `${name.slice(0, -ending.length)}${given}`;
}

/** Name of the stream that takes points which the service refused in another one. Takes that one's name, cut already. */
export function correctedName(name: string, nonce: string): string {
  return `${name}${CORRECTED} ${nonce}`;
}

/**
 * Name of the stream that takes what another one cannot send on.
 *
 * @param name - that one's name.
 */
export function restName(name: string, nonce: string): string {
  return `${name}${REST} ${nonce}`;
}
