// Columns that a header such as `Status`, `Sensor State` or `T_error`, or their words, make a status of values. Their words are known
// as good or bad, or they are a question: a word that nobody knows lets no value pass as good.
import { isBadWord, isGoodWord, isOpcWord } from '../cells/quality-words.ts';

const NAMES =
  'status|state|stat|sts|flg|zustand|errors?|err|faults?|fehler|störung|alarms?|alert|warning|flags?|ok|condition|health|diag(?:nosis|nostics?)?|check';
const STATUS = new RegExp(
  `^(?:(.*?)[\\s_.:/-]+)?(?:${NAMES}|(?<=[\\s_.:/-])(?:q|qc|qf|qual))(?:[\\s_.-]*(?:code|text|flags?|msg|message|word|\\d+))?$`,
  'iu',
);
/** Of such a header the words tell what is wrong with a value, and not what a machine is doing. */
const TROUBLE =
  /(?:errors?|err|faults?|fehler|störung|alarms?|alert|warning|flags?|flg|ok|check|[\s_.:/-](?:q|qc|qf|qual))$/i;
/** A flag is one of values, whatever is called so before it. */
const FLAG = /(?:^|[\s_.:/-])(?:flags?|flg)(?:[\s_.-]*(?:code|\d+))?$/i;
/** GaugeFlag, T1Flags: a large letter begins the word. */
const JOINED_FLAG = /[\p{Ll}\p{N}]Flags?$/u;
/** T1Status, TState. */
const JOINED = /^(.*[\p{L}\p{N}])(?:Status|State|Error|Fault|Alarm|Flags?)$/u;
const STATUS_OF = /^(?:status|state|error|fault|alarm|flags?|quality|q)[\s_.:/-]+(?:of )?(.+)$/iu;
/** Headers of what people write. */
const REMARK = /comment|remark|note|bemerkung|kommentar|message|operator|bediener|user|recipe|rezept/i;
/** Before such a name it speaks of what was measured, and not of a part of the machine. */
const OF_VALUES =
  /^(?:sensor|fühler|signal|data|value|reading|measurement|channel|device|comm|opc|input|line|row|tag|point)?$/i;
/** A text of more different words is a remark. */
export const WORDS_MAX = 8;

function plainOf(header: string): string {
  return header
    .replace(/[\s_]*[[(]([^\])]*)[\])]$/, ' $1')
    .replace(/[\s?]+$/, '')
    .trim();
}

/** What the header of a status speaks of, empty where it does not say so; null: it is none. */
export function statusOf(header: string): string | null {
  const plain = plainOf(header);
  const found = STATUS.exec(plain) ?? JOINED.exec(plain) ?? STATUS_OF.exec(plain);
  return found === null ? null : (found[1] ?? '');
}

/** True for the header of a flag, also where what it speaks of is called otherwise. */
export function isFlag(header: string): boolean {
  const plain = plainOf(header);
  return FLAG.test(plain) || JOINED_FLAG.test(plain);
}

/**
 * How a column of words is heard: `known`: each of them is good or bad; `unclear`: others stand among these; `unclear of one`: they
 * may as well tell what a machine is doing, unless the column speaks of one value alone; null: it is no status of values.
 *
 * @param words - the different words of the column, the empty one among them.
 * @param isOfChannel - its header names a channel, or calls it a flag.
 */
export function hearStatus(
  header: string,
  words: readonly string[],
  isOfChannel: boolean,
): 'known' | 'unclear' | 'unclear of one' | null {
  const said = words.filter((word) => word !== '');
  const of = statusOf(header);
  const isOfValues = isOfChannel || (of !== null && OF_VALUES.test(of));
  const known = said.filter((word) => isGoodWord(word) || isBadWord(word));
  const isFew = said.length <= WORDS_MAX;
  if (of === null && header !== '') {
    if (REMARK.test(header) || !isFew) return null;
    const isMixed = known.some(isGoodWord) && known.some(isBadWord);
    return known.some(isOpcWord) || isMixed ? 'unclear' : null;
  }
  // Nothing is said so far: what comes later must be known as good.
  if (said.length === 0) return isOfValues ? 'known' : null;
  if (known.length === said.length) return 'known';
  if (known.some(isGoodWord)) return isFew || of !== null ? 'unclear' : null;
  if (of === null || !isFew) return null;
  const isSwitch = said.every((word) => /^(?:true|false|yes|no|on|off|ja|nein|ein|aus)$/i.test(word));
  if (isSwitch && !/\bok$/i.test(plainOf(header))) return isOfChannel ? 'unclear' : null;
  if (isOfValues && TROUBLE.test(plainOf(header)) && words.length > 1)
    return isOfChannel ? 'unclear' : 'unclear of one';
  return known.length > 0 || (isOfValues && words.includes('')) ? 'unclear of one' : null;
}
