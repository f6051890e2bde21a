// How an instrument talks, as data: its line, the read-only questions it is asked, and how a reply becomes channels. The
// bytes of its protocol are in code, in one of the families of sources/serial/families; `protocol`, `ask` and `hear` are
// checked by the family, everything else here.
import { z } from 'zod';
import { CHANNEL_NAME_MAX } from './channel.ts';

const text = (max: number) => z.string().max(max);
const name = text(64).regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'lower case letters, digits and hyphens');
const id = text(64).regex(/^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$/, 'letters, digits and hyphens');
const milliseconds = (min: number, max: number) => z.int().min(min).max(max);

/** Settings of a serial line. A line over TCP has them in its terminal server. */
const lineFields = {
  baud: z.int().min(50).max(4_000_000).describe('bits per second'),
  data_bits: z.union([z.literal(7), z.literal(8)]).describe('data bits of a character: 7 or 8'),
  parity: z.enum(['none', 'even', 'odd']).describe('parity of a character: none, even or odd'),
  stop_bits: z.union([z.literal(1), z.literal(2)]).describe('stop bits: 1 or 2'),
  flow: z.enum(['none', 'rtscts', 'xonxoff']).describe('flow control: none, rtscts (hardware) or xonxoff'),
  dtr: z.enum(['leave', 'on', 'off']).describe('the DTR line after opening; leave: as the system does'),
  rts: z.enum(['leave', 'on', 'off']).describe('the RTS line after opening; leave: as the system does'),
  hang_up: z.boolean().describe('drop DTR when closing; false keeps boards that reset on it from doing so'),
};

export const LineSettings = z.strictObject({
  baud: lineFields.baud.default(9600),
  data_bits: lineFields.data_bits.default(8),
  parity: lineFields.parity.default('none'),
  stop_bits: lineFields.stop_bits.default(1),
  flow: lineFields.flow.default('none'),
  dtr: lineFields.dtr.default('leave'),
  rts: lineFields.rts.default('leave'),
  hang_up: lineFields.hang_up.default(true),
});
export type LineSettings = z.infer<typeof LineSettings>;

/** What a person sets otherwise than the instrument's own defaults. */
export const LineOverrides = z.strictObject(lineFields).partial();
export type LineOverrides = z.infer<typeof LineOverrides>;

const Timing = z.strictObject({
  timeout_ms: milliseconds(20, 600_000).default(1000).describe('longest wait for a whole reply'),
  gap_ms: milliseconds(0, 60_000).default(50).describe('silence kept between a reply and the next question'),
  settle_ms: milliseconds(0, 60_000)
    .default(100)
    .describe('after opening: what comes meanwhile is discarded; a board that resets then needs its boot time'),
  every_ms: milliseconds(10, 86_400_000)
    .default(1000)
    .describe('time between two polls where the settings say nothing'),
});

const Reply = z
  .strictObject({
    pattern: text(500)
      .nullable()
      .default(null)
      .describe(
        'must fit the whole text of the reply (RE2); its groups are the fields, by name or number. What stands in place of a value, such as an error, is caught by the same group: (?:P=)?(?P<value>\\d\\.\\d{2}E[+-]\\d{1,2}|ERR SENSOR)(?: mbar)?',
      ),
    prefix: text(64).default('').describe('what it begins with, without pattern; no part of a field'),
    split: text(8).min(1).nullable().default(null).describe('what separates the fields; without pattern'),
    fields: z.int().min(1).max(1000).nullable().default(null).describe('exact number of fields; null: any'),
  })
  .describe('how the text of a reply is cut into fields; neither pattern nor split: all of it is one field');

/** A number (from 1) or a name of a field; null: the field called `value`, else the first, else the whole text. */
const FieldName = z
  .union([z.int().min(1).max(1000), text(64).min(1)])
  .nullable()
  .default(null);

const Status = z
  .strictObject({
    field: FieldName.describe('field with the status'),
    question: id.nullable().default(null).describe('id of the question asked right after for it; null: same reply'),
    ok: z.array(text(64)).max(20).default(['0']).describe('words that say: the value counts'),
    words: z.record(text(64), text(200)).default({}).describe('what other words mean'),
    bits: z.record(text(10), text(200)).nullable().default(null).describe('meaning by bit weight; 0: the value counts'),
  })
  .describe('a status that stands beside the value');

const Unit = z.union([
  text(32),
  z.strictObject({
    lookup: name.describe('which lookup tells the unit; nothing is sent under a unit that it did not tell'),
  }),
]);

const Channel = z.strictObject({
  name: text(CHANNEL_NAME_MAX).min(1).describe('name of the channel; different for each'),
  field: FieldName.describe('which field of the reply'),
  quantity: text(64).default('').describe('temperature, pressure, ...'),
  unit: Unit.default('').describe('unit of the value after scale and divide; or how it is looked up'),
  base: z
    .union([z.literal(10), z.literal(16)])
    .default(10)
    .describe('how a whole number is written'),
  scale: z.number().default(1).describe('the number is multiplied by this'),
  divide: z.number().positive().default(1).describe('then divided by this'),
  range: z
    .tuple([z.number().nullable(), z.number().nullable()])
    .default([null, null])
    .describe(
      'least and greatest value that can be, each null: what its quantity can be; beyond it is a state, not a value',
    ),
  states: z
    .record(text(64).min(1), text(200))
    .default({})
    .describe('texts and numbers that are no value, with what they mean; * at the end stands for anything'),
  sensor: z
    .enum(['ds18b20', 'ion-gauge'])
    .nullable()
    .default(null)
    .describe('what measures it: the numbers that it gives in place of a reading are states'),
  status: Status.nullable().default(null).describe('a status that says whether the value counts'),
  counter: z
    .number()
    .positive()
    .nullable()
    .default(null)
    .describe('the number counts up and begins again at this; null: it does not'),
  steady: z
    .boolean()
    .default(true)
    .describe('a value that leaps when its text changes shape is looked at twice; false for what may leap'),
});

const Question = z.strictObject({
  id: id.describe('name of the question; different for each'),
  ask: z.unknown().describe('as its family wants it'),
  every_ms: milliseconds(10, 86_400_000).default(10).describe('not asked more often than this'),
  timeout_ms: milliseconds(20, 600_000).nullable().default(null).describe('longest wait; null: as in timing'),
  reply: Reply.prefault({}),
  channels: z.array(Channel).max(1000).default([]).describe('what the reply gives; none where it is a status only'),
});

const Heard = z.strictObject({
  id: id.describe('name of it; different for each'),
  hear: z.unknown().optional().describe('what it looks like, as its family wants it; left out: by reply alone'),
  expected_ms: milliseconds(1, 86_400_000).nullable().default(null).describe('how often it comes; null: at any time'),
  reply: Reply.prefault({}),
  channels: z.array(Channel).max(1000).default([]).describe('what it gives; none: it is only understood'),
  note: text(200).nullable().default(null).describe('told when such a line comes: banners, alarms'),
});

const Lookup = z.strictObject({
  ask: z.unknown().describe('as its family wants it'),
  reply: Reply.prefault({}),
  words: z.record(text(64), text(64)).default({}).describe('what the answer means; other answers stand as they are'),
});

const Identity = z.strictObject({
  ask: z.unknown().describe('as its family wants it'),
  pattern: text(500).min(1).describe('fits the whole reply of this instrument (RE2); group `serial`: its own number'),
  is_sure: z
    .boolean()
    .default(true)
    .describe('no other instrument answers so; false: the reply only says which protocol is spoken'),
});

const OptionValue = z.union([z.number(), text(200), z.boolean(), z.array(z.union([z.number(), text(64)])).max(1000)]);
const Address = z.union([z.string().max(32), z.int().min(0).max(65_535)]);

const AlsoTried = LineOverrides.extend({
  address: Address.optional().describe('another address'),
  options: z.record(text(64), OptionValue).optional().describe('options that are not at their defaults'),
  identity: Identity.optional().describe('another question that tells what it is'),
});

/** An instrument, with its options put in and every field filled in. */
export const Instrument = z.strictObject({
  name: name.describe('its name, as settings cite it'),
  title: text(200).min(1).describe('what it is, for people'),
  family: text(64).min(1).describe('its protocol family, one of sources/serial/families'),
  protocol: z.record(text(64), z.unknown()).default({}).describe('what its family wants to know'),
  address: Address.nullable().default(null).describe('address on its line; null: it has none'),
  line: LineSettings.prefault({}).describe('its line as it leaves the factory'),
  also_tried: z
    .array(AlsoTried)
    .max(20)
    .default([])
    .describe('what probe tries beside this: other line settings, addresses, options, ways to tell what it is'),
  timing: Timing.prefault({}).describe('how long things take'),
  resets_on_open: z.boolean().default(false).describe('opening the port restarts it: it is never reopened for silence'),
  identity: Identity.nullable().default(null).describe('how it tells what it is'),
  lookups: z.record(name, Lookup).default({}).describe('units that are asked for when it is connected'),
  questions: z.array(Question).max(1000).default([]).describe('what it is asked; only what reads'),
  unsolicited: z.array(Heard).max(100).default([]).describe('what it says unasked; the first that fits reads it'),
  unverified: z.array(text(500)).max(50).default([]).describe('what was not seen in print or on an instrument'),
  sources: z.array(text(500)).max(50).default([]).describe('where the facts come from'),
});

export type Instrument = z.infer<typeof Instrument>;
export type InstrumentInput = z.input<typeof Instrument>;
export type QuestionRule = z.infer<typeof Question>;
export type HeardRule = z.infer<typeof Heard>;
export type ReplyRule = z.infer<typeof Reply>;
export type ChannelRule = z.infer<typeof Channel>;
export type StatusRule = z.infer<typeof Status>;
export type AlsoTried = z.infer<typeof AlsoTried>;

/** An option of an instrument: what its user may set, with what stands for it when they do not. */
export const InstrumentOption = z.strictObject({
  default: OptionValue,
  about: text(500).min(1),
  /** No instrument needs it: it is there for programs that play one. */
  simulators_only: z.boolean().default(false),
  choices: z
    .array(z.union([z.number(), text(64)]))
    .max(100)
    .nullable()
    .default(null),
});
export type InstrumentOption = z.infer<typeof InstrumentOption>;
/** What a setting may hold for an option. */
export type OptionValue = z.infer<typeof OptionValue>;
