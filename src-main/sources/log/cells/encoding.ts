// Text encodings of logs. The parser works on UTF-8 (or any encoding whose ASCII bytes mean ASCII); only UTF-16 is
// turned into UTF-8 first. Positions are always counted in the file's own bytes.
import { Buffer } from 'node:buffer';
import iconv from 'iconv-lite';
import { AgentError } from '../../../model/agent-error.ts';

export interface Encoding {
  readonly name: string;
  /** Bytes of one code unit: 2 for UTF-16, else 1. */
  readonly unitBytes: 1 | 2;
}

/**
 * Check an encoding's name.
 *
 * @param name - a name from a dialect.
 * @returns the encoding.
 * @throws `log.encoding-unknown` (waits for a person).
 */
export function encodingOf(name: string): Encoding {
  if (!iconv.encodingExists(name)) {
    throw new AgentError({
      code: 'log.encoding-unknown',
      message: `There is no text encoding "${name}".`,
      hint: 'Use auto, utf-8, utf-16le, windows-1252, shift_jis or another name that iconv knows.',
      retry: 'after-human',
    });
  }
  return { name, unitBytes: /^utf-?16(le|be)$/i.test(name) ? 2 : 1 };
}

/**
 * Tell the encoding of a file from its first bytes.
 *
 * @param head - the head of the file.
 * @param wanted - the dialect's encoding (`auto`: tell).
 * @returns the encoding; null when the bytes are no text at all (they hold NUL or mostly control characters).
 */
export function detectEncoding(head: Uint8Array, wanted: string): Encoding | null {
  if (wanted !== 'auto') return encodingOf(wanted);
  if (head[0] === 0xff && head[1] === 0xfe) return encodingOf('utf-16le');
  if (head[0] === 0xfe && head[1] === 0xff) return encodingOf('utf-16be');
  let zeroEven = 0;
  let zeroOdd = 0;
  let control = 0;
  const length = Math.min(head.length, 4096);
  for (let i = 0; i < length; i++) {
    const byte = head[i] as number;
    if (byte === 0 && i % 2 === 0) zeroEven += 1;
    else if (byte === 0) zeroOdd += 1;
    else if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13 && byte !== 12) control += 1;
  }
  if (zeroOdd > length / 4 && zeroEven === 0) return encodingOf('utf-16le');
  if (zeroEven > length / 4 && zeroOdd === 0) return encodingOf('utf-16be');
  if (zeroEven + zeroOdd > 0 || control > length / 10) return null;
  return encodingOf(isUtf8(head) ? 'utf-8' : 'windows-1252');
}

/** A character may be cut at the end of the head, so up to three last bytes do not count. */
function isUtf8(head: Uint8Array): boolean {
  for (let cut = 0; cut < 4 && cut <= head.length; cut++) {
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(head.subarray(0, head.length - cut));
      return true;
    } catch {
      // Not valid up to here: try without the last byte, which may be the first part of a longer character.
    }
  }
  return false;
}

/**
 * Decode text.
 *
 * @returns text; what cannot be decoded becomes U+FFFD.
 */
export function decodeText(bytes: Uint8Array, encoding: string): string {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (encoding === 'utf-8') return view.toString('utf8');
  return iconv.decode(view, encoding, { stripBOM: false });
}
