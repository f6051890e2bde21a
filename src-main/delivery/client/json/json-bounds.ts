// What a JSON text may be made of before it is parsed. A text of some megabytes can be a million brackets: parsed, it takes
// gigabytes and minutes. So brackets and commas are counted first, which takes nothing but one look at each byte.

/** Deepest nesting that is parsed; what the interface describes needs 6. */
const DEPTH_MAX = 64;

export interface JsonBounds {
  /** Objects and arrays in the whole text. */
  readonly containers: number;
  /** Commas: values beside each other. */
  readonly values: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/** `[` and `{` differ in one bit, `]` and `}` too. */
const isOpening = (byte: number) => (byte | 0x20) === 0x7b;
const isClosing = (byte: number) => (byte | 0x20) === 0x7d;

/** Where a string ends that begins at `from`: the index of its closing quote, or the end of the text. */
function endOfString(bytes: Uint8Array, from: number): number {
  let at = from + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

/**
 * Look whether a text may be parsed.
 *
 * @param bytes - its bytes (UTF-8).
 * @param bounds - how much there may be of it.
 * @returns the name of what there is too much of; null when it may be parsed. Whether it is JSON at all is not asked here.
 */
export function findExcess(bytes: Uint8Array, bounds: JsonBounds): string | null {
  let depth = 0;
  let containers = 0;
  let commas = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === COMMA) commas += 1;
    else if (isOpening(byte)) {
      depth += 1;
      containers += 1;
      if (depth > DEPTH_MAX) return `is nested deeper than ${DEPTH_MAX} levels`;
      if (containers > bounds.containers) return `holds more than ${bounds.containers} objects and lists`;
    } else if (isClosing(byte)) depth -= 1;
  }
  return commas > bounds.values ? `holds more than ${bounds.values} values` : null;
}
