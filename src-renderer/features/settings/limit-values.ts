// The form of a channel's limits: texts as a person types them, and what goes to the agent.
import { parseDecimal } from '../../format/number.ts';
import type { LimitEntry } from '../../state/limits.ts';

/** Fields that hold a number; empty: none. */
export const NUMBERS = ['hihi', 'hi', 'lo', 'lolo', 'deadband', 'onDelayS', 'offDelayS'] as const;
type NumberField = (typeof NUMBERS)[number];

export interface LimitValues extends Record<NumberField, string> {
  /** `source` and channel, as one key; empty: none is chosen. */
  readonly key: string;
  readonly isAlways: boolean;
  readonly guidance: string;
}

export const NO_LIMIT: LimitValues = {
  key: '',
  hihi: '',
  hi: '',
  lo: '',
  lolo: '',
  deadband: '0',
  onDelayS: '0',
  offDelayS: '0',
  isAlways: false,
  guidance: '',
};

/** Show an entry in the form. */
export function toLimitValues(entry: LimitEntry, key: string): LimitValues {
  const texts = Object.fromEntries(NUMBERS.map((name) => [name, entry[name] === null ? '' : String(entry[name])]));
  return { ...NO_LIMIT, ...texts, key, isAlways: entry.isAlways, guidance: entry.guidance };
}

/**
 * Find what is wrong.
 *
 * @returns a sentence for each field.
 */
export function findLimitFaults(values: LimitValues): Partial<Record<keyof LimitValues, string>> {
  const faults: Partial<Record<keyof LimitValues, string>> = {};
  if (values.key === '') faults.key = 'Choose a channel.';
  for (const name of NUMBERS) {
    const isOptional = name === 'hihi' || name === 'hi' || name === 'lo' || name === 'lolo';
    const number = parseDecimal(values[name]);
    if (values[name].trim() === '' && isOptional) continue;
    if (number === null) faults[name] = 'Give a number.';
    else if (!isOptional && number < 0) faults[name] = 'Give 0 or more.';
  }
  const [hihi, hi, lo, lolo] = (['hihi', 'hi', 'lo', 'lolo'] as const).map((name) => parseDecimal(values[name]));
  const given = [hihi, hi, lo, lolo].filter((one) => typeof one === 'number');
  if (given.length === 0) faults.hi ??= 'Give at least one limit.';
  if (given.some((one, at) => at > 0 && one >= (given[at - 1] as number)))
    faults.hi ??= 'Limits must fall from HiHi to LoLo.';
  return faults;
}

/** What goes to the agent. Takes values without faults. */
export function toLimitEntry(values: LimitValues, where: { sourceId: string; channel: string }): LimitEntry {
  const number = (name: NumberField) => parseDecimal(values[name]);
  return {
    ...where,
    hihi: number('hihi'),
    hi: number('hi'),
    lo: number('lo'),
    lolo: number('lolo'),
    deadband: number('deadband') ?? 0,
    onDelayS: number('onDelayS') ?? 0,
    offDelayS: number('offDelayS') ?? 0,
    isAlways: values.isAlways,
    guidance: values.guidance.trim(),
  };
}
