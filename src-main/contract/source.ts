// Setting up sources: what stands in the settings, a look at what a source would read, saving what was seen working. An
// entry crosses as it stands in epistream.yaml; what it may hold is said by the settings' own schema, which checks it.
import { z } from 'zod';
import { call, nothing, text } from './row.ts';

const ENTRY_MAX = 65_536;
const count = z.int().nonnegative();
const unixMs = z.number().describe('Unix time, milliseconds');

export const SourceEntry = z
  .looseObject({ id: text(64), kind: z.enum(['log', 'serial', 'rheed', 'simulator']) })
  .refine((entry) => JSON.stringify(entry).length <= ENTRY_MAX, 'the entry is too long');

const Port = z.object({
  path: z.string(),
  serialNumber: z.string().nullable().describe('of the USB adapter'),
  vendorId: z.string().nullable(),
  productId: z.string().nullable(),
  maker: z.string(),
  usedBy: z.array(z.string()).describe('sources that the settings put there'),
});

const optionValue = z.union([z.number(), text(200), z.boolean(), z.array(z.union([z.number(), text(64)])).max(1000)]);

/** An instrument as the settings would use it: what it is asked, nothing else is ever sent. */
const InstrumentView = z.object({
  name: z.string(),
  title: z.string(),
  line: z.string().describe('settings of the line: 9600 8N1'),
  address: z.string().describe('on a shared line; empty: none'),
  everyMs: z.number(),
  options: z.array(
    z.object({
      name: z.string(),
      about: z.string(),
      default: optionValue,
      choices: z.array(z.union([z.number(), z.string()])).nullable(),
      isForSimulators: z.boolean().describe('no instrument needs it'),
    }),
  ),
  questions: z.array(
    z.object({
      id: z.string(),
      sends: z.string(),
      channels: z.array(z.object({ name: z.string(), unit: z.string() })),
    }),
  ),
  hears: z.array(z.object({ id: z.string(), channels: z.array(z.object({ name: z.string(), unit: z.string() })) })),
  unverified: z.array(z.string()),
});

const LogQuestion = z.object({
  folder: text(4096).min(1),
  match: text(200).min(1),
  timeZone: text(64).min(1),
  oldZone: text(64).optional().describe('the zone that is replaced; absent: none'),
  timeFormat: text(100).describe('empty: as the dialect says, or recognised'),
  dialect: z
    .union([text(64), z.record(text(64), z.unknown())])
    .describe('auto, a name, or a mapping as in the settings'),
});

export const FolderPreview = z.object({
  files: z.int().nonnegative().describe('files that match'),
  file: z.string().nullable().describe('the newest of them, which is shown'),
  rows: z.array(z.object({ text: z.string(), timeMs: z.number().nullable(), values: z.array(z.number().nullable()) })),
  channels: z.array(z.string()),
  leftOut: z.array(z.string()).describe('text columns that will not be streamed'),
  dialect: z.string().describe('by which it was read: auto, or the name of a known one; empty when it was not'),
  reasons: z
    .array(z.string())
    .describe('what was concluded from what: separator, time and its reading, header, zone, units'),
  problem: z.string().describe('why the file cannot be read as it stands; empty when it can'),
  hint: z.string(),
});

const LogView = FolderPreview.extend({
  bytes: count.describe('of all files that match'),
  clock: z
    .object({
      stampMs: unixMs.describe('what the newest line says'),
      writtenMs: unixMs.describe('when it was written, by the clock of this PC'),
      zones: z.array(z.string()).readonly().describe('in which it would fit; empty: the zone is not what is wrong'),
    })
    .nullable()
    .describe('where the newest line contradicts the clock of this PC; null: it does not'),
  zoneChange: z
    .object({
      rows: z
        .array(
          z.object({
            text: z.string(),
            oldMs: unixMs.nullable().describe('by the old zone; null: no time'),
            timeMs: unixMs.nullable().describe('by the new zone'),
          }),
        )
        .readonly(),
      writtenMs: unixMs.describe('when the file was written last, by the clock of this PC'),
    })
    .nullable()
    .describe('the last rows by both zones; null: no zone is replaced'),
  oldestMs: unixMs.describe('when the file was changed last that is oldest; 0: none'),
  newestMs: unixMs,
  answers: z
    .array(
      z.object({
        dialect: z.record(z.string(), z.unknown()).describe('as the settings would hold it'),
        text: z.string().describe('the same as a line of YAML'),
        firstMs: unixMs.nullable().describe('the instant of the first line by it'),
        channels: z
          .array(z.object({ name: z.string(), value: z.number().nullable() }))
          .describe('the first few, with the values of the first line'),
        problem: z.string().describe('what is asked next; empty: the file is read by it'),
      }),
    )
    .describe('what settles the problem, the likeliest first; empty: no dialect does'),
});

/** A look at a line while it lasts. */
const LookView = z.object({
  state: z.enum(['opening', 'looking', 'ended', 'failed']),
  message: z.string(),
  hint: z.string(),
  tries: count.describe('questions of a probe so far'),
  trying: z.string().describe('what a probe asks now'),
  bytes: z
    .array(z.object({ id: z.int(), atMs: unixMs, way: z.enum(['in', 'out']), hex: z.string(), text: z.string() }))
    .describe('newest last, at most 200'),
  bytesIn: count,
  readings: z.array(
    z.object({
      channel: z.string(),
      unit: z.string(),
      value: z.number().nullable(),
      text: z.string().describe('why there is no value; empty: there is one'),
      atMs: unixMs.nullable(),
    }),
  ),
  notes: z.array(z.object({ level: z.enum(['info', 'warning', 'error']), message: z.string(), hint: z.string() })),
  matches: z.array(
    z.object({
      instrument: z.string(),
      title: z.string(),
      isSure: z.boolean(),
      identity: z.string(),
      line: z.record(z.string(), z.unknown()).describe('what differs from its defaults, as in the settings'),
      lineText: z.string(),
      address: z.union([z.string(), z.number()]).nullable(),
      options: z.record(z.string(), optionValue).describe('what differs from the defaults of the instrument'),
    }),
  ),
  heard: z.array(z.string()).describe('what came and fits no instrument'),
});

const lookId = text(64);

export const source = {
  list: call(nothing, z.array(SourceEntry)),
  listPorts: call(nothing, z.object({ ports: z.array(Port), problem: z.string() })),
  listInstruments: call(nothing, z.array(z.object({ name: z.string(), title: z.string() }))),
  describeInstrument: call(
    z.object({
      instrument: text(64),
      options: z.record(text(64), optionValue),
      address: z.union([text(32), z.int()]).nullable(),
    }),
    InstrumentView,
  ),
  /** Folders whose paths begin as typed, at most thirty. */
  listFolders: call(z.object({ typed: text(4096) }), z.array(z.string())),
  listDialects: call(nothing, z.array(z.string())),
  /** Look at what would be read of a log folder, whether or not anything runs; nothing is stored. */
  previewLog: call(LogQuestion, LogView),
  /** Look at a line as the entry says; only what its instrument lists as a question is sent. */
  startLook: call(z.object({ entry: SourceEntry }), z.object({ lookId })),
  /** Ask the identity questions of all known instruments on a port. */
  startProbe: call(z.object({ port: text(1024).min(1) }), z.object({ lookId })),
  /** A look that nobody reads for 15 s ends by itself. */
  readLook: call(z.object({ lookId }), LookView),
  endLook: call(z.object({ lookId }), nothing),
  /** Put an entry into the settings, new or in the place of the one with its id, and begin to record it. */
  save: call(z.object({ entry: SourceEntry, isNew: z.boolean() }), nothing),
  /** Take an entry out of the settings. What was captured stays and is delivered. */
  remove: call(z.object({ id: text(64) }), nothing),
} as const;
