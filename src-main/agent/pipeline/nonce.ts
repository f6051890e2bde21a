import { randomInt } from 'node:crypto';

/** Letters and digits that are not mistaken for each other when read out. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';

/** A short random word, 31^8 (about 8 x 10^11) of them; it makes a stream's name findable. */
export function makeNonce(): string {
  return Array.from({ length: 8 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
