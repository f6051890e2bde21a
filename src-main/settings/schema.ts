// The settings file `epistream.yaml` as people write it: the one place that says which keys there are, what they may hold
// and what they mean when left out. The JSON Schema for editors is made from it, and so are the hints of refused files.
import { z } from 'zod';
import { isLoopbackHost } from '../delivery/client/base-url.ts';
import { Dialect } from '../model/dialect.ts';
import { EXPORT_FORMAT_NAMES } from '../model/export.ts';
import { Instrument, LineOverrides } from '../model/instrument.ts';
import { POINTS_PER_CHUNK_MAX } from '../model/queue.ts';
import {
  backfillField,
  durationField,
  lineField,
  mailAddressField,
  mailHostField,
  matchField,
  pathField,
  pathTemplateField,
  portField,
  proxyField,
  serviceAddressField,
  servicePathField,
  timeZoneField,
  webAddressField,
  webhookField,
} from './fields.ts';

const SETTINGS_VERSION = 1;

/** What may be done after a request whose outcome is not known. */
export type Resend = 'verify' | 'repeat';

/** Most chunks of a stream on their way at a time: half as many as there are connections to a service. */
export const UPLOAD_WINDOW_MAX = 8;

export const ROLLOVERS = ['daily', 'growth'] as const;

const resend = z
  .enum(['verify', 'repeat'])
  .optional()
  .describe(
    'After a request whose outcome is not known. verify: wait 15 s, then read back what the service holds; right for every ' +
      'service. repeat: read it back at once, for services that replace a repeated chunk. Left out: repeat with the ' +
      'embedded service, else verify.',
  );

/** What holds where `resend` is left out. */
export const resendOf = ({ resend, url }: { resend?: Resend | undefined; url: string }): Resend =>
  resend ?? (url === 'embedded' ? 'repeat' : 'verify');

const uploadWindow = z
  .int()
  .min(1)
  .max(UPLOAD_WINDOW_MAX)
  .optional()
  .describe(
    'Chunks of a stream that may be on their way to the service at a time, 1 to 8. More than one only with resend: repeat, ' +
      'since after a lost answer each of them may have arrived. Left out: 8 with repeat, 1 with verify.',
  );

const pointsPerChunk = z
  .union([z.literal('auto'), z.int().min(1).max(POINTS_PER_CHUNK_MAX)])
  .describe(
    'Points of a channel that go out together: auto (live about 10 s of data, old files 1000) or a number from 1 to ' +
      `${POINTS_PER_CHUNK_MAX}; fixed for a stream once it is opened.`,
  );

const rollover = z
  .enum(ROLLOVERS)
  .describe(
    'When a new stream begins, beside where a growth begins or ends: daily (midnight in tool.time_zone), growth (only where a growth begins or ends; what lies between growths has a stream of its own).',
  );

const timeZone = timeZoneField().describe(
  "IANA name of the zone of log stamps that carry none, for example Europe/Berlin. Left out: this PC's own zone.",
);

/** Paths to try for one call. */
const pathsOf = (path: z.ZodType<string, string>, what: string) =>
  z.array(path).min(1).max(4).optional().describe(what);

const service = z
  .strictObject({
    url: serviceAddressField()
      .default('embedded')
      .describe(
        'Where the data goes: embedded (the service inside this agent) or an address like https://host/base; http only ' +
          'to this PC. The API key never stands in this file.',
      ),
    ca_file: pathField()
      .nullable()
      .default(null)
      .describe("File (PEM) with a lab's own certificate authority; null: the usual ones."),
    proxy: proxyField()
      .default('system')
      .describe(
        'The way to the service: system (as this PC or HTTPS_PROXY says), none, or the address of a proxy such as http://proxy:3128, without name and password. Never used for a service on this PC.',
      ),
    resend,
    upload_window: uploadWindow,
    finalize: z
      .strictObject({
        tool_state: pathTemplateField()
          .nullable()
          .default(null)
          .describe('Path that ends a tool-state stream, for example /tool-state/stream/{data_id}/finalize.'),
        rheed: pathTemplateField()
          .nullable()
          .default(null)
          .describe('Path that ends a RHEED session, for example /rheed/stream/{data_id}/end.'),
      })
      .nullable()
      .default(null)
      .describe(
        'Paths called last, when all of a stream was acknowledged, for streams that were begun with this setting; null: none is called.',
      ),
    paths: z
      .strictObject({
        chunk: pathsOf(
          servicePathField(),
          'Paths that take a chunk, for example [/tool-state/stream/chunk/multi, /metrology/stream/chunk/multi].',
        ),
        series: pathsOf(
          pathTemplateField(),
          "Paths that give a time series, for example ['/tool-state/{data_id}/timeseries/', '/metrology/{data_id}/timeseries/'].",
        ),
      })
      .default({})
      .describe(
        'Paths for a service that has moved some: tried in their order where one answers 404 or 410. Left out: those of the interface.',
      ),
  })
  .superRefine((given, context) => {
    if (resendOf(given) === 'repeat' || (given.upload_window ?? 1) === 1) return;
    const message = `${given.upload_window} chunks at a time need resend: repeat`;
    const hint =
      'After a lost answer each of them may have arrived. Set resend: repeat where the service replaces a repeated chunk, else leave upload_window out.';
    context.addIssue({ code: 'custom', message, params: { hint }, path: ['upload_window'], input: given });
  })
  .describe('The service that receives the data.');

const tool = z
  .strictObject({
    name: lineField(100).describe('Name of the growth tool; the name of each stream begins with it.'),
    synth_source_id: z
      .int()
      .positive()
      .nullable()
      .default(null)
      .describe(
        'Number (synth_source_id) of the growth instrument on the service, to link streams with it; null: none.',
      ),
    time_zone: timeZone.optional(),
  })
  .describe('The growth tool this agent stands at.');

const streamDefaults = z
  .strictObject({
    points_per_chunk: pointsPerChunk.default('auto'),
    rollover: rollover.default('daily'),
    close_after_quiet: durationField(1000, 30 * 86_400_000, 'a duration from 1s to 30d')
      .nullable()
      .prefault('15min')
      .describe(
        'A source silent that long closes its stream, so that its last, short chunk goes out: a duration such as 15min; ' +
          'null: never.',
      ),
  })
  .describe('How streams are cut, for all sources that do not say otherwise.');

const growth = z
  .strictObject({
    run_files: pathField()
      .nullable()
      .default(null)
      .describe(
        'Folder in which the tool writes *.run-start.json and *.run-end.json, which begin and end growths; it is only ' +
          'looked at. null: growths are begun by hand.',
      ),
    after: z
      .array(
        z.strictObject({
          export: z.enum(EXPORT_FORMAT_NAMES).describe('Form of the file, as in "epistream export --format".'),
          to: pathField().describe('Folder of this PC or of a share into which the file is written; it must exist.'),
        }),
      )
      .max(10)
      .default([])
      .describe('Files that are written once a growth has ended; tried again while the folder is away.'),
  })
  .describe('What begins and ends growths, and what is written after them.');

const UPDATES_WHEN = ['off', 'on-quit'] as const;
export type UpdatesWhen = (typeof UPDATES_WHEN)[number];

const updates = z
  .strictObject({
    url: webAddressField()
      .nullable()
      .default(null)
      .describe(
        'Folder of a web server with latest.yml, its signature and the installers, for example https://host/epistream; null: none.',
      ),
    when: z
      .enum(UPDATES_WHEN)
      .default('off')
      .describe(
        'off: a person installs a new version. on-quit: it is fetched, checked, and installed when a person quits the program while no growth runs.',
      ),
  })
  .describe('Updates of the installed desktop program. Nothing is installed that was not signed for this program.');

const sourceId = z
  .string()
  .max(64)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/)
  .describe('Name of the source, different for each: letters, digits, dot, hyphen, underscore; at most 64.');

const logSource = z
  .strictObject({
    id: sourceId,
    kind: z.literal('log').describe('A folder in which the tool writes text logs.'),
    path: pathField().describe(
      "The folder, in single quotes on Windows: 'C:\\MBE\\Logs'. A relative path is relative to the folder of this file.",
    ),
    match: matchField()
      .default('**/*')
      .describe('Which files below it, with / between folders: **/*.csv means every .csv at any depth.'),
    dialect: z
      .union([
        z
          .string()
          .max(64)
          .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
        Dialect,
      ])
      .default('auto')
      .describe(
        'How the log is written: auto (recognise), the name of a known dialect, or a mapping that describes it.',
      ),
    time_zone: timeZone.optional(),
    backfill: backfillField()
      .optional()
      .describe(
        'Old data: from-now (none), all, or a date such as 2026-11-01 from which on it is read. Left out: none, and the ' +
          'source says what it skipped and asks.',
      ),
    runs: z
      .enum(['continue', 'apart'])
      .default('continue')
      .describe(
        'Files that the tool names by run or sample and that follow one another, such as A1417_GaN.csv and A1418_InN.csv: ' +
          'continue (the same channels go on), or apart (each has channels of its own).',
      ),
    columns_change: z
      .enum(['ask', 'accept'])
      .default('ask')
      .describe(
        'Where the columns of a file change on its way: ask (the rest of the file waits for an answer), or accept (it is read ' +
          'with its new columns, in a stream of its own).',
      ),
    points_per_chunk: pointsPerChunk.optional(),
    rollover: rollover.optional(),
  })
  .describe('A source that reads a folder of logs.');

const simulatorSource = z
  .strictObject({
    id: sourceId,
    kind: z.literal('simulator').describe('A simulated growth, to try things on.'),
    seed: z.int().min(0).max(0xffff_ffff).default(1).describe('Whole number; the same seed gives the same growth.'),
    speed: z.number().positive().max(1000).default(1).describe('Growth time per real time: above 0, at most 1000.'),
    interval: durationField(10, 3_600_000, 'a duration from 10ms to 1h')
      .prefault('1s')
      .describe('Time between two readings, such as 1s or 250ms.'),
    points_per_chunk: pointsPerChunk.optional(),
  })
  .describe('A source that simulates a growth.');

const usbNumber = (what: string) =>
  z
    .string()
    .regex(/^[0-9a-fA-F]{4}$/)
    .nullable()
    .default(null)
    .describe(`${what} of the adapter, four hex digits; null: any.`);

const serialSource = z
  .strictObject({
    id: sourceId,
    kind: z.literal('serial').describe('An instrument on a serial line or behind a terminal server.'),
    port: z
      .union([
        portField(),
        z.strictObject({
          usb_serial: z
            .string()
            .min(1)
            .max(128)
            .nullable()
            .default(null)
            .describe('Serial number in the USB adapter; null: any, then vid and pid must tell it alone.'),
          vid: usbNumber('USB vendor number'),
          pid: usbNumber('USB product number'),
        }),
      ])
      .describe(
        'COM3, /dev/ttyUSB0, tcp://host:port, or the USB adapter by its number, so that it is found under another name.',
      ),
    instrument: z
      .union([
        z
          .string()
          .max(64)
          .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
        Instrument,
      ])
      .describe('The name of a known instrument (resources/instruments), or a mapping that describes it.'),
    options: z
      .record(
        z.string().max(64),
        z.union([
          z.number(),
          z.boolean(),
          z.string().max(200),
          z.array(z.union([z.number(), z.string().max(64)])).max(1000),
        ]),
      )
      .default({})
      .describe('Options of the instrument, such as which inputs have a sensor; its file lists them.'),
    address: z
      .union([z.int().min(0).max(65_535), z.string().min(1).max(32)])
      .nullable()
      .default(null)
      .describe("Address on a line that several instruments share; null: the instrument's default."),
    every: durationField(10, 86_400_000, 'a duration from 10ms to 1d')
      .nullable()
      .prefault(null)
      .describe("Time between two polls, such as 1s; null: the instrument's default."),
    timeout: durationField(20, 600_000, 'a duration from 20ms to 10min')
      .nullable()
      .prefault(null)
      .describe("Longest wait for a reply, such as 2s; null: the instrument's default."),
    line: LineOverrides.default({}).describe('Settings of the line that differ from the defaults of the instrument.'),
    expect: lineField(200)
      .nullable()
      .default(null)
      .describe(
        'Part of the identity that the instrument tells; after an exchange on purpose. null: the one it had first.',
      ),
    points_per_chunk: pointsPerChunk.optional(),
  })
  .describe('A source that reads an instrument over a serial line.');

/** Where the number of a frame stands in a text. */
const placeOfNumber = {
  pattern: lineField(200)
    .nullable()
    .default(null)
    .describe('Text around the number, for example frames={frame} dropped={lost}; null: the first whole number.'),
  field: lineField(200)
    .nullable()
    .default(null)
    .describe('Field of the number in JSON, dotted: camera.frame; null: the text is no JSON.'),
  lost_field: lineField(200)
    .nullable()
    .default(null)
    .describe('Field of the number of dropped frames in JSON; null: none.'),
  time_field: lineField(200)
    .nullable()
    .default(null)
    .describe('Field of the time in JSON, ISO 8601 with a zone or Unix seconds; null: none.'),
};

const frameFolder = pathField().describe("The folder, in single quotes on Windows: 'D:\\RHEED\\run'.");

const imagesCounter = z
  .strictObject({
    type: z.literal('images').describe('Images with a number or a time in their names.'),
    path: frameFolder,
    match: lineField(200).describe(
      "Which files below it; {frame} stands for the number, {time} for the time: '**/*_{frame}.bmp', 'image_{time}.pgm'.",
    ),
    time_format: lineField(100)
      .nullable()
      .default(null)
      .describe(
        'How {time} is written: yyyy MM dd HH mm ss SSS with the characters between them, yyyy-MM-dd___HH-mm-ss.SSS.',
      ),
  })
  .describe('A counter made of images.');

const movieCounter = z
  .strictObject({
    type: z.literal('movie').describe('A movie that grows: kSA (.imm), AVI, TIFF, or frames of one size.'),
    path: frameFolder,
    match: lineField(200).default('**/*').describe('Which files below it: *.imm.'),
    stride_bytes: z
      .int()
      .min(2)
      .max(2 ** 31)
      .nullable()
      .default(null)
      .describe('Bytes from frame to frame; null: as the file says (kSA, AVI, TIFF).'),
    header_bytes: z
      .int()
      .min(0)
      .max(2 ** 31)
      .default(0)
      .describe('Bytes before the first frame, with stride_bytes.'),
  })
  .describe('A counter made of a movie.');

const fileCounter = z
  .strictObject({
    type: z.literal('counter-file').describe('A small file that is written over and over.'),
    path: pathField().describe('The file itself.'),
    ...placeOfNumber,
  })
  .describe('A counter in a file.');

const logCounter = z
  .strictObject({
    type: z.literal('log').describe('A text or JSON-lines log that only grows.'),
    path: frameFolder,
    match: lineField(200).default('**/*').describe('Which files below it: *.jsonl.'),
    lines: z
      .enum(['each-frame', 'now-and-then'])
      .default('each-frame')
      .describe(
        'each-frame: a line for each frame, so that missing numbers are lost frames; now-and-then: where it stands.',
      ),
    ...placeOfNumber,
  })
  .describe('A counter made of lines.');

const serialCounter = z
  .strictObject({
    type: z.literal('serial').describe('A register behind a serial port or a terminal server.'),
    port: portField().describe('COM3, /dev/ttyUSB0, or tcp://host:port.'),
    baud: z
      .int()
      .min(50)
      .max(4_000_000)
      .default(9600)
      .describe('Speed of a serial port, baud; 8 bits, no parity, 1 stop bit.'),
    ask: lineField(100)
      .nullable()
      .default(null)
      .describe('What is sent, with a line end, to read the register ten times a second; null: it talks by itself.'),
    ...placeOfNumber,
  })
  .describe('A counter behind a port.');

const rheedSource = z
  .strictObject({
    id: sourceId,
    kind: z.literal('rheed').describe('The frame counter of a RHEED camera.'),
    counter: z
      .discriminatedUnion('type', [imagesCounter, movieCounter, fileCounter, logCounter, serialCounter])
      .describe('What counts: type images, movie, counter-file, log or serial.'),
    fps_capture_rate: z
      .number()
      .positive()
      .max(120)
      .nullable()
      .default(null)
      .describe('Frames per second that the camera is set to, above 0, at most 120; null: as measured.'),
    rotation_rpm: z
      .number()
      .positive()
      .max(1000)
      .nullable()
      .default(null)
      .describe('Turns of the sample per minute, with its fraction: 4.97; null: it does not turn.'),
    rolls_over_at: z
      .int()
      .min(2)
      .nullable()
      .default(null)
      .describe('Number after which 0 follows, plus one: 65536; null: the usual ones are recognised.'),
    stall_after: durationField(200, 3_600_000, 'a duration from 200ms to 1h')
      .prefault('2s')
      .describe('Without a frame for so long the counter is stalled.'),
    session: z
      .strictObject({
        start: z
          .enum(['by-hand', 'by-counter'])
          .default('by-hand')
          .describe('Who starts a RHEED session of the service: a person, or the counter when it begins to count.'),
        end_after_silence: durationField(1000, 86_400_000, 'a duration from 1s to 1d')
          .nullable()
          .prefault('1min')
          .describe('Without a frame for so long the session ends; null: only by hand.'),
        project_id: lineField(64)
          .nullable()
          .default(null)
          .describe('Project (UUID) of sessions that name none; null: none.'),
      })
      .prefault({})
      .describe('When RHEED sessions begin and end.'),
    time_zone: timeZone.optional(),
    points_per_chunk: pointsPerChunk.optional(),
  })
  .describe('A source that counts the frames of a RHEED camera.');

const level = (what: string) => z.number().nullable().default(null).describe(`${what}; null: none.`);
const delay = (what: string) =>
  durationField(0, 3_600_000, 'a duration from 0s to 1h').prefault('0s').describe(`${what}, such as 5s.`);

/** One entry of `limits`. */
const limit = z
  .strictObject({
    source: z.string().min(1).max(64).describe('Name of the source.'),
    channel: z.string().min(1).max(200).describe('Name of the channel.'),
    hihi: level('At or above it the worse alarm is raised'),
    hi: level('At or above it an alarm is raised'),
    lo: level('At or below it an alarm is raised'),
    lolo: level('At or below it the worse alarm is raised'),
    deadband: z.number().min(0).default(0).describe('So far inside of the limit the value is within again.'),
    on_delay: delay('The value is beyond for so long before it counts'),
    off_delay: delay('The value is within for so long before it counts'),
    while: z.enum(['growth', 'always']).default('growth').describe('When it is watched: in a growth alone, or always.'),
    guidance: z.string().max(500).default('').describe('What a person does then.'),
  })
  .describe('Limits of a channel. They tell a person and act on nothing: they are no interlock.');

const alarmMail = z
  .strictObject({
    host: mailHostField().describe('Mail server (SMTP), for example smtp.example.org.'),
    port: z
      .int()
      .min(1)
      .max(65_535)
      .default(587)
      .describe('Port of the mail server: usually 587 with starttls, 465 with tls, 25 with none.'),
    secure: z
      .enum(['starttls', 'tls', 'none'])
      .default('starttls')
      .describe(
        'starttls: the connection begins in the clear and nothing is sent before it is encrypted; tls: encrypted from the start; none: not encrypted, and then without user.',
      ),
    from: mailAddressField().describe('Address of the sender, for example mbe-1@example.org.'),
    to: z.array(mailAddressField()).min(1).max(20).describe('Addresses of the recipients: a list.'),
    user: lineField(200)
      .nullable()
      .default(null)
      .describe(
        'Name for the log-in at the mail server; its password comes from EPISTREAM_SMTP_PASSWORD and never stands in this file. null: no log-in.',
      ),
  })
  .superRefine(({ secure, user, host }, context) => {
    if (secure !== 'none' || user === null || isLoopbackHost(host)) return;
    const message = 'a log-in without encryption would send the password readable';
    const hint = 'Set secure: starttls or tls, or leave user out.';
    context.addIssue({ code: 'custom', message, params: { hint }, path: ['secure'], input: secure });
  })
  .describe('A mail server; null: no e-mail.');

const alarm = z
  .strictObject({
    webhook: webhookField()
      .nullable()
      .default(null)
      .describe(
        'Address that gets each alarm as JSON (POST): https, or http to this PC; null: none. Keep an address that contains a token secret.',
      ),
    mail: alarmMail.nullable().default(null).describe('E-mail for each alarm; null: none.'),
  })
  .describe('Where alarms are sent beside the screen. They tell a person and act on nothing: they are no interlock.');

/** A settings file, version 1. */
export const SettingsFile = z
  .strictObject({
    version: z.literal(SETTINGS_VERSION).describe(`Version of this file: ${SETTINGS_VERSION}.`),
    service: service.prefault({}),
    tool,
    stream_defaults: streamDefaults.prefault({}),
    growth: growth.prefault({}),
    updates: updates.prefault({}),
    keep_awake: z
      .boolean()
      .default(true)
      .describe(
        'Keep this PC from falling asleep while the agent records. The display may sleep. A sleeping PC records nothing.',
      ),
    alarm: alarm.prefault({}),
    limits: z.array(limit).max(1000).default([]).describe('Limits of channels, one entry for each channel.'),
    sources: z
      .array(z.discriminatedUnion('kind', [logSource, serialSource, rheedSource, simulatorSource]))
      .max(1000)
      .default([])
      .describe('What this agent reads: a list, one entry for each source.'),
  })
  .describe('Settings of an Epistream agent. No secret ever stands here.');

/** What stands in the file once it has been checked and its texts understood. */
export type CheckedFile = z.output<typeof SettingsFile>;
/** What a person or the screen writes: only what differs from the defaults. */
export type SettingsInput = z.input<typeof SettingsFile>;
