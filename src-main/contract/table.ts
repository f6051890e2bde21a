// Everything that crosses between the screen and the agent, as one value. A row is a call (the screen asks: a verb) or a
// feed (the agent tells: a noun). Types on both sides come from here; a call without a handler does not compile.
import { z } from 'zod';
import { RefusedPart, Resent, SendAgain, SendAsNew } from './refused.ts';
import { Snapshot } from './snapshot.ts';

const call = <A extends z.ZodType, V extends z.ZodType>(argument: A, value: V) => ({ argument, value });

const nothing = z.null();
const text = (max: number) => z.string().max(max);

/** A channel of a source as the plot offers it. */
export const PlotChannel = z.object({ sourceId: z.string(), channel: z.string(), unit: z.string() });

/** One thinned line of a plot; `timesMs` and `values` have the same length. */
export const PlotLine = z.object({
  sourceId: z.string(),
  channel: z.string(),
  unit: z.string(),
  timesMs: z.array(z.number()).describe('Unix time, milliseconds, rising'),
  values: z.array(z.number()),
});

/** A line of an event log, for marks on the plot's time axis. */
export const PlotMark = z.object({
  id: z.int(),
  sourceId: z.string(),
  timeMs: z.number().describe('Unix time, milliseconds'),
  text: z.string(),
  place: z.string().describe('file, below the folder of the source'),
  line: z.int().nullable(),
});

/** A RHEED session, as far as it is shown. */
export const RheedSessionView = z.object({
  nonce: text(64).describe('names the session'),
  sourceId: z.string(),
  name: z.string(),
  startedMs: z.number(),
  endedMs: z.number().nullable().describe('null: it runs'),
  endCause: z.string(),
  fps: z.number().nullable().describe('null: still being measured'),
  rpm: z.number().nullable(),
  projectId: z.string().nullable(),
  sampleId: z.string().nullable(),
  newSampleName: z.string().nullable(),
  frames: z.int().nullable().describe('counted while it ran; null: it runs'),
  dataId: z.string().nullable().describe('UUID the service gave; null: not started there yet'),
  isStartSent: z.boolean().describe('sample and project can be changed no more'),
  differences: z.array(z.string()).describe('what the service has otherwise than it was sent'),
  problem: z.string().describe('what waits for a person; empty: nothing'),
  hint: z.string(),
});

const sessionChoice = {
  projectId: text(64).nullable().optional().describe('absent: as it is, or as the settings say'),
  sampleId: text(64).nullable().optional(),
  newSampleName: text(200).nullable().optional().describe('name of a sample to create; never beside sampleId'),
};

const MarkPlace = z.object({ timeMs: z.number(), id: z.int() });

export const ConnectArgument = z.object({
  toolName: text(100).min(1),
  timeZone: text(64).min(1).describe('IANA name, for log stamps that carry no zone'),
  folder: text(4096).min(1),
  match: text(200).min(1).describe('glob below the folder, for example **/*.csv'),
  backfill: z.enum(['from-now', 'all']),
  serviceUrl: text(2048).min(1).describe('"embedded" or an https address'),
  apiKey: text(1000).describe('empty with the embedded service; kept for this session only, never shown again'),
  /** How the time column is written when it is neither Unix seconds nor ISO 8601, for example `dd/MM/yyyy HH:mm:ss.SSS`; empty: recognise. */
  timeFormat: text(100),
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

export const calls = {
  snapshot: { read: call(nothing, Snapshot) },
  trial: { start: call(nothing, nothing) },
  tool: {
    preview: call(ConnectArgument.pick({ folder: true, match: true, timeZone: true, timeFormat: true }), FolderPreview),
    connect: call(ConnectArgument, nothing),
  },
  service: {
    /** Keep a new API key and try it at once. It goes in only: nothing ever tells it back. */
    keepKey: call(z.object({ apiKey: text(1000).min(1) }), nothing),
  },
  stream: {
    /** What the service refused of a stream, the first 1000 chunks. */
    refused: call(z.object({ streamId: z.int().positive() }), z.array(RefusedPart)),
    /** Send refused chunks again as they are: the service was mended. */
    sendAgain: call(SendAgain, Resent),
    /** Send the points of refused chunks as a corrected stream; the chunks stay refused and name it. */
    sendAsNew: call(SendAsNew, Resent),
  },
  rheed: {
    listSessions: call(nothing, z.array(RheedSessionView)),
    start: call(z.object({ sourceId: text(64), ...sessionChoice }), RheedSessionView),
    /** Choose sample or project late: until the start is sent. */
    change: call(z.object({ nonce: text(64), ...sessionChoice }), RheedSessionView),
    end: call(z.object({ sourceId: text(64) }), RheedSessionView.nullable()),
  },
  plot: {
    listChannels: call(nothing, z.array(PlotChannel)),
    read: call(
      z.object({
        channels: z.array(z.object({ sourceId: z.string(), channel: z.string() })).max(20),
        fromMs: z.number(),
        toMs: z.number(),
        maxPoints: z.int().min(10).max(10_000).describe('upper bound a line; thinned keeping minima and maxima'),
      }),
      z.array(PlotLine),
    ),
    readMarks: call(
      z.object({
        sourceId: text(64).nullable().describe('null: of all sources'),
        fromMs: z.number(),
        toMs: z.number(),
        after: MarkPlace.nullable().describe('`next` of the page before; null: the first page'),
        limit: z.int().min(1).max(1000),
      }),
      z.object({ marks: z.array(PlotMark), next: MarkPlace.nullable().describe('null: this is the last page') }),
    ),
  },
} as const;

export const feeds = {
  snapshot: Snapshot,
} as const;

/** What every refused or failed call answers. */
export const CallError = z.object({ code: z.string(), message: z.string(), hint: z.string() });
export type CallError = z.infer<typeof CallError>;

export type Answer<V> = { ok: true; value: V } | { ok: false; error: CallError };

export type Calls = typeof calls;
export type Noun = keyof Calls;
export type Verb<N extends Noun> = keyof Calls[N];
type Row<N extends Noun, V extends Verb<N>> = Calls[N][V] extends { argument: infer A; value: infer R }
  ? { argument: A; value: R }
  : never;
export type Argument<N extends Noun, V extends Verb<N>> = Row<N, V>['argument'] extends z.ZodType<infer A> ? A : never;
export type Value<N extends Noun, V extends Verb<N>> = Row<N, V>['value'] extends z.ZodType<infer R> ? R : never;

export type FeedName = keyof typeof feeds;
export type FeedValue<F extends FeedName> = z.infer<(typeof feeds)[F]>;

/** The handlers that the agent gives: one per call, or it does not compile. */
export type Handlers = {
  readonly [N in Noun]: {
    readonly [V in Verb<N>]: (argument: Argument<N, V>) => Promise<Value<N, V>>;
  };
};

/** What the screen holds: one function per call, one subscription per feed. */
export type Bridge = {
  readonly [N in Noun]: {
    readonly [V in Verb<N>]: (argument: Argument<N, V>) => Promise<Answer<Value<N, V>>>;
  };
} & {
  /** Listen to a feed; gives the function that ends it. */
  readonly on: <F extends FeedName>(feed: F, listener: (value: FeedValue<F>) => void) => () => void;
};

/** Channel string of a call on any transport: `plot.read`. Only transports use it. */
export const callNames: readonly string[] = Object.entries(calls).flatMap(([noun, verbs]) =>
  Object.keys(verbs).map((verb) => `${noun}.${verb}`),
);
export const feedNames = Object.keys(feeds) as readonly FeedName[];
