// Limits of channels, as they stand in the settings.
import { z } from 'zod';
import type { ChannelLimit } from '../model/channel.ts';
import { durationField } from './fields.ts';

const level = (what: string) => z.number().nullable().default(null).describe(`${what}; null: none.`);
const delay = (what: string) =>
  durationField(0, 3_600_000, 'a duration from 0s to 1h').prefault('0s').describe(`${what}, such as 5s.`);

/** One entry of `limits`. */
export const limitSchema = z
  .strictObject({
    source: z.string().min(1).max(64).describe('Name of the source.'),
    channel: z.string().min(1).max(200).describe('Name of the channel.'),
    hihi: level('At or above it the worse alarm is told'),
    hi: level('At or above it an alarm is told'),
    lo: level('At or below it an alarm is told'),
    lolo: level('At or below it the worse alarm is told'),
    deadband: z.number().min(0).default(0).describe('So far inside of the limit the value is within again.'),
    on_delay: delay('The value is beyond for so long before it counts'),
    off_delay: delay('The value is within for so long before it counts'),
    while: z.enum(['growth', 'always']).default('growth').describe('When it is watched: in a growth alone, or always.'),
    guidance: z.string().max(500).default('').describe('What a person does then.'),
  })
  .describe('Limits of a channel. They tell a person and act on nothing: they are no interlock.');

/** Fill in what an entry leaves open. */
export function fillLimit(entry: z.infer<typeof limitSchema>): ChannelLimit {
  const { source: sourceId, on_delay: onDelayMs, off_delay: offDelayMs, while: when, ...rest } = entry;
  return { sourceId, onDelayMs, offDelayMs, isAlways: when === 'always', ...rest };
}
