// The settings of a frame counter. What all sources have comes from schema.ts, so that there is one of each.
import { z } from 'zod';
import { durationField, lineField, pathField, portField } from './fields.ts';

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

const folder = pathField().describe("The folder, in single quotes on Windows: 'D:\\RHEED\\run'.");

const images = z
  .strictObject({
    type: z.literal('images').describe('Images with a number or a time in their names.'),
    path: folder,
    match: lineField(200).describe(
      "Which files below it; {frame} stands for the number, {time} for the time: '**/*_{frame}.bmp', 'image_{time}.pgm'.",
    ),
    time_format: lineField(100)
      .nullable()
      .default(null)
      .describe('How {time} is written: yyyy MM dd HH mm ss SSS with what stands between, yyyy-MM-dd___HH-mm-ss.SSS.'),
  })
  .describe('A counter made of images.');

const movie = z
  .strictObject({
    type: z.literal('movie').describe('A movie that grows: kSA (.imm), AVI, or frames of one size.'),
    path: folder,
    match: lineField(200).default('**/*').describe('Which files below it: *.imm.'),
    stride_bytes: z
      .int()
      .min(2)
      .max(2 ** 31)
      .nullable()
      .default(null)
      .describe('Bytes from frame to frame; null: as the file says (kSA, AVI).'),
    header_bytes: z
      .int()
      .min(0)
      .max(2 ** 31)
      .default(0)
      .describe('Bytes before the first frame, with stride_bytes.'),
  })
  .describe('A counter made of a movie.');

const counterFile = z
  .strictObject({
    type: z.literal('counter-file').describe('A small file that is written over and over.'),
    path: pathField().describe('The file itself.'),
    ...placeOfNumber,
  })
  .describe('A counter in a file.');

const log = z
  .strictObject({
    type: z.literal('log').describe('A text or JSON-lines log that only grows.'),
    path: folder,
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

const serial = z
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

/** Fields that all sources share. */
export interface CommonFields<I extends z.ZodType, T extends z.ZodType, P extends z.ZodType> {
  readonly id: I;
  readonly timeZone: T;
  readonly pointsPerChunk: P;
}

/** The schema of sources of kind rheed. */
export function rheedSourceSchema<I extends z.ZodType, T extends z.ZodType, P extends z.ZodType>(
  common: CommonFields<I, T, P>,
) {
  return z
    .strictObject({
      id: common.id,
      kind: z.literal('rheed').describe('The frame counter of a RHEED camera.'),
      counter: z
        .discriminatedUnion('type', [images, movie, counterFile, log, serial])
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
      time_zone: common.timeZone.optional(),
      points_per_chunk: common.pointsPerChunk.optional(),
    })
    .describe('A source that counts the frames of a RHEED camera.');
}
