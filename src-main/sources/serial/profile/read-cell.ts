// From a field of a reply to a value, or to a state that is no value: sensor off, over range, not a number.
import type { ChannelRule, StatusRule } from '../../../model/instrument.ts';
import { plainNumber } from './as-labs-write.ts';
import { findImplausible } from './plausible.ts';
import type { Fields } from './reply-fields.ts';

export type Cell =
  /** `text` is what the value was read from; empty for values that came as bytes. */
  | { readonly kind: 'value'; readonly value: number; readonly text: string }
  | {
      readonly kind: 'state';
      readonly text: string;
      readonly reason: string;
      /** It is no number, and no word that the profile knows. */
      readonly isUnknown?: true;
      /** It is a number, but none that can be: it is asked for once more. */
      readonly isBeyond?: true;
    };

/**
 * Numbers that a sensor gives in place of a reading. Source: Analog Devices, DS18B20 data sheet, table 1 (85 °C after power-on);
 * DallasTemperature library (-127 without a sensor). A gauge that counts ions reads no 0.
 */
const SENSORS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ds18b20: { '-127': 'not connected', 85: 'no reading yet: its value after power-on' },
  'ion-gauge': { 0: 'no reading: an ion gauge does not read 0' },
};

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/;
const HEX = /^(?:0[xX]|>)?[0-9A-Fa-f]{1,12}$/;

/** Read a number as instruments write it: the whole text or nothing. NaN when it is none. */
export function parseNumber(text: string, base: 10 | 16 = 10): number {
  if (base === 16) return HEX.test(text) ? Number.parseInt(text.replace(/^(0[xX]|>)/, ''), 16) : Number.NaN;
  return DECIMAL.test(text) ? Number(text) : Number.NaN;
}

/**
 * Read a channel's cell of a reply.
 *
 * @param rule - the channel's rule.
 * @param fields - the fields of its reply.
 * @param statusFields - the fields with its status (the same, or those of another reply; null when that one did not come: then
 *   the value cannot be believed).
 * @param unit - the unit of the value.
 */
export function readCell(rule: ChannelRule, fields: Fields, statusFields: Fields | null, unit: string): Cell {
  const found = fields.get(rule.field);
  if (found === undefined) return { kind: 'state', text: fields.raw, reason: tellMissing(rule, fields) };
  const text = typeof found !== 'string' ? '' : rule.base === 16 ? found : plainNumber(found, unit);
  const shown = typeof found === 'string' ? found : String(found);
  const state = rule.status === null ? null : readStatus(rule.status, statusFields);
  if (state !== null) return { kind: 'state', text: shown, reason: state };
  const number = typeof found === 'number' ? found : parseNumber(text, rule.base);
  const meaning = findState(rule.states, shown, number) ?? findState(SENSORS[rule.sensor ?? ''] ?? {}, shown, number);
  if (meaning !== null) return { kind: 'state', text: shown, reason: meaning };
  if (!Number.isFinite(number)) return { kind: 'state', text: shown, reason: 'not a number', isUnknown: true };
  const value = rule.scale === 1 && rule.divide === 1 ? number : (number * rule.scale) / rule.divide;
  const reason = findBeyond(rule, value, unit);
  return reason === null ? { kind: 'value', value, text } : { kind: 'state', text: shown, reason, isBeyond: true };
}

/** Why a number cannot be what this channel reads: by its profile, and by what its quantity can be; null when it can. */
function findBeyond({ range: [least, greatest], quantity }: ChannelRule, value: number, unit: string): string | null {
  if (least !== null && value < least) return `below its range (${least})`;
  if (greatest !== null && value > greatest) return `above its range (${greatest})`;
  const isGiven = least !== null && greatest !== null;
  return findImplausible(value, isGiven && !quantity.endsWith('temperature') ? '' : quantity, unit);
}

/** For the author of a profile: a pattern with a group for the value and another way for an error leaves the group out. */
function tellMissing({ field }: ChannelRule, { isByPattern }: Fields): string {
  if (isByPattern) return `the reply has no field ${field ?? 'value'}: its pattern left it out`;
  return `the reply has no field ${field ?? 1}`;
}

/** What a text or number means that is no value; null when it is none of them. */
function findState(states: Readonly<Record<string, string>>, text: string, number: number): string | null {
  const upper = text.toUpperCase();
  for (const [key, meaning] of Object.entries(states)) {
    const word = key.toUpperCase();
    if (word.endsWith('*') ? upper.startsWith(word.slice(0, -1)) : upper === word) return meaning;
    // 9.9E37 is also written +9.900000E+37.
    if (Number.isFinite(number) && parseNumber(key) === number) return meaning;
  }
  return null;
}

/** What keeps the value from counting; null when nothing does. */
function readStatus(rule: StatusRule, fields: Fields | null): string | null {
  if (fields === null) return 'its status was not told';
  const found = fields.get(rule.field);
  if (found === undefined) return 'its status was not told';
  const word = String(found);
  if (rule.bits !== null) {
    const number = parseNumber(word);
    if (!Number.isInteger(number) || number < 0) return `status ${word}`;
    const set = Object.entries(rule.bits).filter(([weight]) => Math.floor(number / Number(weight)) % 2 === 1);
    if (number === 0) return null;
    return set.length > 0 ? set.map(([, meaning]) => meaning).join(', ') : `status ${word}`;
  }
  const number = parseNumber(word);
  if (rule.ok.some((ok) => ok === word || (Number.isFinite(number) && parseNumber(ok) === number))) return null;
  return rule.words[word] ?? `status ${word}`;
}
