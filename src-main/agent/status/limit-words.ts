// What limits of channels say: to the journal, the growth, the headline.
import type { ChannelLimit } from '../../model/channel.ts';
import type { LimitInput, LimitLevel, LimitState } from './channel-limit.ts';

const SAID = {
  hihi: 'at or above HiHi',
  hi: 'at or above Hi',
  lo: 'at or below Lo',
  lolo: 'at or below LoLo',
} as const;

/** A value as a person reads it: four digits, more where it needs them to be told from its limit. */
const number = (value: number) => String(Number(value.toPrecision(6)));

/** "T_Substrat is at or above HiHi: 652 (limit 650)." */
export function beyondWords(channel: string, level: LimitLevel, value: number, limit: number): string {
  return `${channel} is ${SAID[level]}: ${number(value)} (limit ${number(limit)}).`;
}

/** What happened to a limit, in one sentence. */
export function limitWords(
  limit: ChannelLimit,
  before: LimitState,
  after: LimitState,
  input: LimitInput,
  caller: string,
): string {
  const { channel } = limit;
  if (input.kind === 'acknowledge') return `${channel}: acknowledged from ${caller}.`;
  if (after.kind === 'active' && after.level !== null)
    return beyondWords(channel, after.level, after.value ?? Number.NaN, limit[after.level] ?? Number.NaN);
  if (input.kind === 'off')
    return `${channel} is not watched any more${before.kind === 'active' ? ', not acknowledged' : ''}.`;
  return `${channel} is within its limits again${after.kind === 'cleared' ? ', not acknowledged' : ''}.`;
}
