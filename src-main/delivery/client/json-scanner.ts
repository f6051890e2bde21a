// JSON as it comes in, piece by piece, for answers too long to be parsed at once: JSON.parse of some hundred megabytes
// would hold up the agent for seconds and needs the whole text in memory. This reads any JSON text, strictly, and keeps
// at most one token of it. Bounds: a token (a string or number) up to 1 MiB, nesting up to 100.

const TOKEN_MAX = 1024 * 1024;
const DEPTH_MAX = 100;

/** What is reported about the text, in its order. */
export interface JsonListener {
  /** A container begins: `{` or `[`. */
  onOpen(kind: 'object' | 'array'): void;
  /** The container opened last ends. */
  onClose(): void;
  /** Name of the field whose value comes next. */
  onName(name: string): void;
  onValue(value: string | number | boolean | null): void;
}

/** The text is not JSON, or passes a bound. */
export class JsonFault extends Error {}

/** Sticky: matches a number where it stands, so that finding its end and checking it are one step. */
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const words: Record<string, boolean | null> = { true: true, false: false, null: null };

const isSpace = (code: number) => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
/** Characters that end a number or word. */
const isEnd = (code: number) => isSpace(code) || code === 0x2c || code === 0x5d || code === 0x7d || code === 0x3a;

const isDigit = (code: number) => code >= 0x30 && code <= 0x39;

type Expecting = 'value' | 'value-or-close' | 'name' | 'name-or-close' | 'colon' | 'comma-or-close' | 'nothing';

/**
 * Make a scanner.
 *
 * @param listener - who listens.
 * @returns `push` for each piece of text in order, `end` after the last.
 * @throws JsonFault from `push` or `end` where the text is not JSON; what was told before stands.
 */
export function createJsonScanner(listener: JsonListener): { push(text: string): void; end(): void } {
  const containers: ('object' | 'array')[] = [];
  let expecting: Expecting = 'value';
  /** Beginning of a token that the last piece cut; null: none. */
  let cut: string | null = null;

  const fail = (what: string): never => {
    throw new JsonFault(what);
  };
  const valueDone = () => {
    expecting = containers.length === 0 ? 'nothing' : 'comma-or-close';
  };
  const needValue = () => {
    if (expecting !== 'value' && expecting !== 'value-or-close') fail('a value where none belongs');
  };
  const open = (kind: 'object' | 'array') => {
    needValue();
    if (containers.length >= DEPTH_MAX) fail(`nested deeper than ${DEPTH_MAX}`);
    containers.push(kind);
    expecting = kind === 'object' ? 'name-or-close' : 'value-or-close';
    listener.onOpen(kind);
  };
  const close = (kind: 'object' | 'array') => {
    const mayClose =
      expecting === 'comma-or-close' || expecting === (kind === 'object' ? 'name-or-close' : 'value-or-close');
    if (!mayClose || containers.pop() !== kind) fail('a closing bracket where none belongs');
    listener.onClose();
    valueDone();
  };
  const string = (token: string) => {
    let text = '';
    try {
      text = JSON.parse(token) as string;
    } catch {
      fail('a string that is none');
    }
    if (expecting === 'name' || expecting === 'name-or-close') {
      expecting = 'colon';
      listener.onName(text);
      return;
    }
    needValue();
    listener.onValue(text);
    valueDone();
  };
  const word = (token: string) => {
    needValue();
    if (!Object.hasOwn(words, token)) fail(`${JSON.stringify(token.slice(0, 20))} is no value`);
    listener.onValue(words[token] ?? null);
    valueDone();
  };
  const number = (text: string, from: number, end: number) => {
    needValue();
    NUMBER.lastIndex = from;
    if (!NUMBER.test(text) || NUMBER.lastIndex !== end)
      fail(`${JSON.stringify(text.slice(from, from + 20))} is no number`);
    listener.onValue(Number(text.slice(from, end)));
    valueDone();
  };
  /** A number or word, which nothing but what follows it ends. */
  const plain = (text: string, from: number, end: number) => {
    const code = text.charCodeAt(from);
    if (isDigit(code) || code === 0x2d) number(text, from, end);
    else word(text.slice(from, end));
  };
  const sign = (code: number) => {
    if (code === 0x7b) open('object');
    else if (code === 0x5b) open('array');
    else if (code === 0x7d) close('object');
    else if (code === 0x5d) close('array');
    else if (code === 0x3a && expecting === 'colon') expecting = 'value';
    else if (code === 0x2c && expecting === 'comma-or-close')
      expecting = containers.at(-1) === 'object' ? 'name' : 'value';
    else fail(`${JSON.stringify(String.fromCharCode(code))} where it does not belong`);
  };
  /** Where the string that begins at `from` ends, or -1. */
  const stringEnd = (text: string, from: number) => {
    for (let at = from + 1; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === 0x5c) at += 1;
      else if (code === 0x22) return at + 1;
    }
    return -1;
  };

  return {
    push(piece) {
      const text = cut === null ? piece : cut + piece;
      cut = null;
      let at = 0;
      while (at < text.length) {
        const code = text.charCodeAt(at);
        if (isSpace(code)) {
          at += 1;
        } else if (code === 0x22) {
          const end = stringEnd(text, at);
          if (end === -1) break;
          string(text.slice(at, end));
          at = end;
        } else if (isEnd(code) || code === 0x7b || code === 0x5b) {
          sign(code);
          at += 1;
        } else {
          let end = at + 1;
          while (end < text.length && !isEnd(text.charCodeAt(end))) end += 1;
          // At the end of a piece a number may go on in the next.
          if (end === text.length) break;
          plain(text, at, end);
          at = end;
        }
      }
      if (at < text.length) cut = text.slice(at);
      if (cut !== null && cut.length > TOKEN_MAX) fail(`a token longer than ${TOKEN_MAX} characters`);
    },
    end() {
      if (cut !== null) {
        if (cut.startsWith('"')) fail('cut within a string');
        plain(cut, 0, cut.length);
      }
      cut = null;
      if (expecting !== 'nothing') fail('cut before its end');
    },
  };
}
