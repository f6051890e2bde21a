// Names of files as people describe them: `**/*.csv`. Run on RE2 like every pattern of a person: with the engine of the
// language `*a*a*a*a*b` takes years to say no.
//
// `*` any text without `/`, `?` one character, `**` any folders, `[a-z]` and `[!a-z]` one of some, `{a,b}` one of several
// texts; `\` before a character means the character; `!` in front: all others. A name that begins with a dot is only meant
// where the pattern writes the dot. Groups of shells, `+(a|b)`, are refused: they would silently mean something else.
import { RE2JS } from 're2js';

const GLOB_LENGTH_MAX = 200;
/** Steps of the compiled pattern. */
const PROGRAM_MAX = 4000;

export interface GlobFault {
  readonly isValid: false;
  readonly message: string;
  readonly hint: string;
}

export interface Glob {
  readonly isValid: true;
  /** Whether a path, with `/` between folders, is meant. */
  matches(path: string): boolean;
}

const FOLDERS = '(?:[^/]+/)*';
const HINT = 'For example **/*.csv, or {*.csv,*.txt}.';

class Unreadable extends Error {}

/** Reads a glob from left to right and writes what it means as a pattern. */
class Translator {
  readonly #glob: string;
  #at = 0;

  constructor(glob: string) {
    this.#glob = glob;
  }

  translate(): string {
    return this.#readUntil('');
  }

  /** Up to one of the characters, or to the end when there are none. */
  #readUntil(ends: string): string {
    let text = '';
    while (this.#at < this.#glob.length && !ends.includes(this.#glob[this.#at] as string)) text += this.#readOne();
    return text;
  }

  #readOne(): string {
    const from = this.#at;
    const sign = this.#glob[from] as string;
    if ('@?*+!'.includes(sign) && this.#glob[from + 1] === '(') {
      throw new Unreadable(`${sign}( at character ${from + 1}: several texts are written {a,b}, a bracket \\(`);
    }
    this.#at += 1;
    if (sign === '*') return this.#readStars(from);
    if (sign === '?') return '[^/]';
    if (sign === '[') return this.#readClass(from);
    if (sign === '{') return this.#readBraces(from);
    if (sign === '\\') {
      if (this.#at >= this.#glob.length) throw new Unreadable('a \\ at the end');
      return RE2JS.quote(this.#glob[this.#at++] as string);
    }
    return RE2JS.quote(sign);
  }

  #readStars(from: number): string {
    while (this.#glob[this.#at] === '*') this.#at += 1;
    const isWhole =
      this.#at - from === 2 &&
      (from === 0 || this.#glob[from - 1] === '/') &&
      (this.#at === this.#glob.length || this.#glob[this.#at] === '/');
    if (!isWhole) return '[^/]*';
    if (this.#at === this.#glob.length) return '.*';
    this.#at += 1;
    return FOLDERS;
  }

  #readClass(from: number): string {
    let end = this.#at;
    if (this.#glob[end] === '!' || this.#glob[end] === '^') end += 1;
    // A bracket that stands first is one of the characters.
    end = this.#glob.indexOf(']', end + 1);
    if (end === -1) return '\\[';
    const isNot = this.#glob[this.#at] === '!' || this.#glob[this.#at] === '^';
    const signs = this.#glob.slice(this.#at + (isNot ? 1 : 0), end).replace(/[\\[\]^]/g, '\\$&');
    this.#at = end + 1;
    if (signs.includes('/')) throw new Unreadable(`a / between brackets at character ${from + 1}`);
    return isNot ? `[^/${signs}]` : `[${signs}]`;
  }

  #readBraces(from: number): string {
    const parts: string[] = [];
    for (;;) {
      parts.push(this.#readUntil(',}'));
      const end = this.#glob[this.#at];
      this.#at += 1;
      if (end === '}') return parts.length === 1 ? `\\{${parts[0]}\\}` : `(?:${parts.join('|')})`;
      if (end !== undefined) continue;
      // A brace that nothing closes is one of the name.
      this.#at = from + 1;
      return '\\{';
    }
  }
}

/**
 * Make a glob ready.
 *
 * @param isCaseless - whether small and capital letters are the same.
 * @returns the glob, or what is wrong with it.
 */
export function compileGlob(glob: string, isCaseless = false): Glob | GlobFault {
  if (glob.length > GLOB_LENGTH_MAX) {
    return { isValid: false, message: `the pattern has more than ${GLOB_LENGTH_MAX} characters`, hint: HINT };
  }
  const isNot = /^!(?!\()/.test(glob);
  const plain = isNot ? glob.slice(1) : glob;
  try {
    const compiled = RE2JS.compile(new Translator(plain).translate(), isCaseless ? RE2JS.CASE_INSENSITIVE : 0);
    if (compiled.programSize() > PROGRAM_MAX) throw new Unreadable('too many repetitions');
    const isDotMeant = /(?:^|[/,{])\\?\.[^/]*$/.test(plain);
    const matches = (path: string) => {
      const isHidden = path[path.lastIndexOf('/') + 1] === '.';
      return ((!isHidden || isDotMeant) && compiled.matches(path)) !== isNot;
    };
    return { isValid: true, matches };
  } catch (thrown) {
    const why = thrown instanceof Unreadable ? thrown.message : ((thrown as Error).message ?? '');
    return { isValid: false, message: `the pattern cannot be used: ${why}`, hint: HINT };
  }
}
