// What a cell says of how good the value beside it is, as OPC servers, historians and gauges write it: words such as `Good,
// non-specific`, codes such as 192. A value that is called bad is none; one that is called uncertain is still one.
// Source: OPC Data Access 3.00, 6.8 (the two highest bits of a quality byte: 0 bad, 1 uncertain, 3 good); OPC UA Part 4, 7.39
// (the two highest bits of 32: 0 good, 1 uncertain, 2 bad), and its names, such as BadNoCommunication.

/** Words of OPC, which go on with what is good or bad about a value. */
const OPC = /^(?:[Gg]ood|GOOD|[Bb]ad|BAD|[Uu]ncertain|UNCERTAIN)(?![a-z])/;
const OPC_BAD = /^bad/i;
const GOOD_BEGIN = /^(?:gut|unsicher|questionable)(?![\p{L}\p{N}])/iu;
/** Behind these no other word may stand: "OK, over range" is not OK. */
const GOOD_WHOLE =
  /^(?:bon|bueno|ok|okay|valid|gültig|normal|nominal|no (?:error|fault|alarm|failure)s?|none|error[\s-]?free|kein(?:e)? (?:fehler|störung|alarm)|fehlerfrei)[.!]?$/iu;
const BAD =
  /^(?:schlecht|invalid|ungültig|err|error|fail|failed|failure|fault|fehler|no (?:sensor|data|signal|comm\w*|reading|value)|not (?:connected|good|ok|valid|available)|sensor (?:off|error|fail\w*|break|broken|fault|open)|(?:comm?|communication)s? (?:fail\w*|error|lost|timeout)|time ?out|timed out|disconnected|off ?line|stale|over ?range|under ?range|out of (?:range|service)|broken)(?![\p{L}\p{N}])/iu;

/** How the words or codes of a column are read. */
export type QualityCode = 'words' | 'opc' | 'opc ua';

/** True for a word as OPC writes it. */
export function isOpcWord(text: string): boolean {
  return OPC.test(text);
}

/** True for a word that calls a value bad. */
export function isBadWord(text: string): boolean {
  return OPC.test(text) ? OPC_BAD.test(text) : BAD.test(text);
}

/** True for a word that calls a value good, or uncertain. */
export function isGoodWord(text: string): boolean {
  return OPC.test(text) ? !OPC_BAD.test(text) : GOOD_BEGIN.test(text) || GOOD_WHOLE.test(text);
}

/**
 * Tell whether a value may be taken.
 *
 * @param text - what stands beside it, not empty.
 * @param code - `words`: only what is called good or uncertain; `opc` and `opc ua`: codes
 *   of these, or words.
 */
export function isGoodQuality(text: string, code: QualityCode): boolean {
  if (code === 'words' || !/^(?:-?\d+|0x[0-9a-f]+)$/i.test(text)) return isGoodWord(text);
  const bits = Number(text);
  return code === 'opc' ? bits >= 0 && (bits & 0xff) >= 0x40 : bits >= 0 && bits < 2 ** 31;
}
