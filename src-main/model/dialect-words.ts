// Columns whose cells are no measured numbers and mean one all the same: words for states, and words whose bits are
// shutters or valves. What a cell means is data of the dialect; what the data do not name is refused, never 0.
import { z } from 'zod';

/** A column by the text of its header (or its channel), or by its number counted from 1. */
export const Column = z.union([z.string().max(255).min(1), z.int().min(1).max(10_000)]);

/** Bits of a double that are exact. */
const BITS_MAX = 53;

export const StateColumn = z
  .strictObject({
    column: Column.describe('header text, channel, or number (from 1) of the column'),
    words: z
      .record(z.string().min(1).max(100), z.number())
      .refine((words) => Object.keys(words).length > 0, 'names no word')
      .describe('number for each word of this column'),
  })
  .describe('a column of state words');

export const Mask = z
  .strictObject({
    column: Column.describe('header text, channel, or number (from 1) of the column'),
    written: z
      .enum(['decimal', 'hex', 'binary'])
      .default('decimal')
      .describe('how the word is written; 0x1A is read as what it says in any case'),
    bits: z
      .record(z.string().regex(/^\d{1,2}$/, 'a bit, counted from 0'), z.string().min(1).max(255).nullable())
      .refine((bits) => Object.keys(bits).every((bit) => Number(bit) < BITS_MAX), `bits end at ${BITS_MAX - 1}`)
      .refine((bits) => Object.values(bits).some((name) => name !== null), 'names no bit')
      .refine((bits) => {
        const names = Object.values(bits).filter((name) => name !== null);
        return new Set(names).size === names.length;
      }, 'names two bits alike')
      .describe(
        'channel for each bit, counted from 0 for the lowest; null: a bit that may be set and means nothing here',
      ),
  })
  .describe('a column whose bits are channels of 0 and 1');

export type StateColumn = z.infer<typeof StateColumn>;
export type Mask = z.infer<typeof Mask>;
