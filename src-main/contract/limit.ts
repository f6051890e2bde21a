// Limits of channels: a person is told when a value is beyond, and says that it was seen. Nothing is ever done to the tool.
import { z } from 'zod';
import { call, nothing, text } from './row.ts';

const Where = z.object({ sourceId: text(64).min(1), channel: text(200).min(1) });
const level = z.number().nullable().describe('null: none');
const seconds = z.number().min(0).max(3600);

const LimitEntry = Where.extend({
  hihi: level,
  hi: level,
  lo: level,
  lolo: level,
  deadband: z.number().min(0).describe('so far inside of the limit the value is within again'),
  onDelayS: seconds.describe('the value is beyond for so long before it counts'),
  offDelayS: seconds,
  isAlways: z.boolean().describe('false: only while a growth is under way'),
  guidance: text(500).describe('what a person does then'),
});

/** A limit that is not normal. */
export const AlarmView = Where.extend({
  state: z
    .enum(['active', 'acknowledged', 'cleared'])
    .describe('active: beyond, nobody has said that it was seen; cleared: within again, nobody has said so either'),
  level: z.enum(['hihi', 'hi', 'lo', 'lolo']).describe('the highest that was reached'),
  value: z.number(),
  limit: z.number(),
  sinceMs: z.number().describe('stamp of the value that reached it, Unix time, milliseconds'),
  guidance: z.string(),
});

export const limit = {
  /** @throws `settings.none` in a trial and before the first settings. */
  list: call(nothing, z.array(LimitEntry)),
  /** Put the limits of one channel into the settings, in the place of those it has. */
  save: call(LimitEntry, nothing),
  remove: call(Where, nothing),
  /** A person has seen it. */
  acknowledge: call(Where, nothing),
} as const;
