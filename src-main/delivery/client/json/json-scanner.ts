// JSON as it comes in, piece by piece, for answers too long to be parsed at once: JSON.parse of some hundred megabytes
// would hold up the agent for seconds and needs the whole text in memory. This reads any JSON text, strictly, and keeps
// at most one token of it. Bounds: a token (a string or number) up to 1 MiB, nesting up to 100.
//
// Long answers are numbers for the most part. Those of an array are read straight from the bytes into the memory that the
// listener names, without a text or a call for each.
import { Buffer } from 'node:buffer';
import { type NumberSink, readNumbers } from './json-numbers.ts';

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
  /** The array opened last: what takes its numbers, `onValue` then gets none of them; null or absent: nothing does. */
  sinkHere?(): NumberSink | null;
}

/** The text is not JSON, or passes a bound. */
export class JsonFault extends Error {}

const words: Record<string, boolean | null> = { true: true, false: false, null: null };

const isSpace = (code: number) => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
/** Bytes that end a number or word. */
const isEnd = (code: number) => isSpace(code) || code === 0x2c || code === 0x5d || code === 0x7d || code === 0x3a;

const isDigit = (code: number) => code >= 0x30 && code <= 0x39;

type Expecting = 'value' | 'value-or-close' | 'name' | 'name-or-close' | 'colon' | 'comma-or-close' | 'nothing';

/** Text in pieces as bytes: half of a surrogate pair waits for the other half. */
function textToBytes(): (piece: string) => Uint8Array {
  let half = '';
  return (piece) => {
    const text = half + piece;
    half = /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : '';
    return Buffer.from(half === '' ? text : text.slice(0, -1));
  };
}

/**
 * Make a scanner.
 *
 * @param listener - who listens.
 * @returns `push` for each piece of text in order, as UTF-8 or as text, `end` after the last.
 * @throws JsonFault from `push` or `end` where the text is not JSON; what was told before stands.
 */
export function createJsonScanner(listener: JsonListener): { push(piece: Uint8Array | string): void; end(): void } {
  const containers: ('object' | 'array')[] = [];
  const toBytes = textToBytes();
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const one: NumberSink = { held: new Float64Array(2), count: 0, flush: () => undefined };
  let expecting: Expecting = 'value';
  /** What is being looked at: `filled` bytes, the first of them the beginning of a token that the last piece cut. */
  let memory = Buffer.alloc(1);
  let filled = 0;

  const fail = (what: string): never => {
    throw new JsonFault(what);
  };
  const textOf = (from: number, end: number) => {
    try {
      return decoder.decode(memory.subarray(from, end));
    } catch {
      return fail('bytes that are no UTF-8');
    }
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
  const number = (from: number, end: number) => {
    needValue();
    one.count = 0;
    if (readNumbers(memory, from, end, one, true) !== end) {
      fail(`${JSON.stringify(textOf(from, Math.min(end, from + 20)))} is no number`);
    }
    const value = one.held[0] as number;
    const sink = containers.at(-1) === 'array' ? (listener.sinkHere?.() ?? null) : null;
    if (sink === null) listener.onValue(value);
    else {
      sink.held[sink.count] = value;
      sink.count += 1;
      if (sink.count === sink.held.length) sink.flush();
    }
    valueDone();
  };
  /** A number or word, which nothing but what follows it ends. */
  const plain = (from: number, end: number) => {
    const code = memory[from] as number;
    if (isDigit(code) || code === 0x2d) number(from, end);
    else word(textOf(from, end));
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
  const stringEnd = (from: number) => {
    for (let at = from + 1; at < filled; at++) {
      const code = memory[at];
      if (code === 0x5c) at += 1;
      else if (code === 0x22) return at + 1;
    }
    return -1;
  };
  /** The numbers of an array that follow one another with nothing but commas between them; gives the first place behind. */
  const runOfNumbers = (from: number) => {
    const isWanted = containers.at(-1) === 'array' && (expecting === 'value' || expecting === 'value-or-close');
    const sink = isWanted ? (listener.sinkHere?.() ?? null) : null;
    if (sink === null) return from;
    const at = readNumbers(memory, from, filled, sink);
    if (at > from) expecting = 'value';
    return at;
  };
  const take = (piece: Uint8Array) => {
    if (filled + piece.length >= memory.length) {
      const larger = Buffer.allocUnsafe(2 * (filled + piece.length) + 1);
      memory.copy(larger, 0, 0, filled);
      memory = larger;
    }
    memory.set(piece, filled);
    filled += piece.length;
    // Ends a number that ends with the piece.
    memory[filled] = 0;
  };

  return {
    push(piece) {
      take(typeof piece === 'string' ? toBytes(piece) : piece);
      let at = 0;
      while (at < filled) {
        const code = memory[at] as number;
        if (isSpace(code)) {
          at += 1;
        } else if (code === 0x22) {
          const end = stringEnd(at);
          if (end === -1) break;
          string(textOf(at, end));
          at = end;
        } else if (isEnd(code) || code === 0x7b || code === 0x5b) {
          sign(code);
          at += 1;
        } else {
          const behind = runOfNumbers(at);
          if (behind > at) {
            at = behind;
            continue;
          }
          let end = at + 1;
          while (end < filled && !isEnd(memory[end] as number)) end += 1;
          // At the end of a piece a number may go on in the next.
          if (end === filled) break;
          plain(at, end);
          at = end;
        }
      }
      memory.copyWithin(0, at, filled);
      filled -= at;
      memory[filled] = 0;
      if (filled > TOKEN_MAX) fail(`a token longer than ${TOKEN_MAX} characters`);
    },
    end() {
      if (filled > 0) {
        if (memory[0] === 0x22) fail('cut within a string');
        plain(0, filled);
      }
      filled = 0;
      if (expecting !== 'nothing') fail('cut before its end');
    },
  };
}
