// Bytes as text and back. Serial text is taken byte by byte (Latin-1): nothing is lost, whatever the instrument sends. Only
// text for people, with units in it, is also read as UTF-8.

/** Text to bytes, one character a byte. Characters above 255 do not occur in protocols and are an error. */
export function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => {
    const code = character.charCodeAt(0);
    if (code > 255 || character.length > 1) throw new RangeError(`${JSON.stringify(character)} is not one byte`);
    return code;
  });
}

/** Bytes to text, one character a byte. */
export function textOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

/** A line that a person wrote a program for: as UTF-8 where it is that, else as Latin-1. */
export function lineOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Most instruments have one byte a character.
    return textOf(bytes);
  }
}

const NAMES: Readonly<Record<number, string>> = {
  2: '<STX>',
  3: '<ETX>',
  4: '<EOT>',
  5: '<ENQ>',
  6: '<ACK>',
  10: '<LF>',
  13: '<CR>',
  21: '<NAK>',
};

/** Bytes as a person can read them: printable text as it is, the rest by name or as `<8f>`; cut to 200 characters. */
export function showBytes(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) {
    const isPlain = byte >= 0x20 && byte < 0x7f;
    text += isPlain ? String.fromCharCode(byte) : (NAMES[byte] ?? `<${byte.toString(16).padStart(2, '0')}>`);
    if (text.length > 200) return `${text.slice(0, 199)}…`;
  }
  return text;
}

/** Whether what was shown of bytes looks like text, and how many they are: a wrong baud rate leaves other bytes. */
export function lookAtShown(shown: string): { readonly isText: boolean; readonly count: number } {
  const count = shown.replace(/<[0-9a-f]{2}>|<[A-Z]{2,3}>/g, '.').length;
  const strange = shown.match(/<[0-9a-f]{2}>|[^\x20-\x7e°µΩÅ]/g)?.length ?? 0;
  return { isText: strange * 5 <= count, count };
}

/** Several pieces as one. */
export function joinBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Where a piece begins in others; -1 when it does not occur. */
export function indexOfBytes(bytes: Uint8Array, part: Uint8Array): number {
  for (let at = 0; at <= bytes.length - part.length; at++) {
    if (part.every((byte, index) => bytes[at + index] === byte)) return at;
  }
  return -1;
}
