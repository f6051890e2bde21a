// Everything that crosses between the screen and the agent, as one value. A row is a call (the screen asks: a verb) or a
// feed (the agent tells: a noun). Types on both sides come from here; a call without a handler does not compile. Each noun
// has a file of its own beside this one.
import { z } from 'zod';
import { alarm } from './alarm.ts';
import { catalogue } from './catalogue.ts';
import { exports } from './export.ts';
import { growth } from './growth.ts';
import { heldSource } from './held-source.ts';
import { journal } from './journal.ts';
import { library } from './library.ts';
import { limit } from './limit.ts';
import { plot } from './plot.ts';
import { rheed } from './rheed.ts';
import { call, nothing } from './row.ts';
import { service } from './service.ts';
import { settings, tool } from './settings.ts';
import { Snapshot } from './snapshot.ts';
import { source } from './source.ts';
import { stream } from './stream.ts';
import { support } from './support.ts';

export const calls = {
  snapshot: { read: call(nothing, Snapshot) },
  trial: { start: call(nothing, nothing) },
  tool,
  service,
  stream,
  rheed,
  growth,
  limit,
  alarm,
  plot,
  catalogue,
  exports,
  library,
  settings,
  source,
  heldSource,
  journal,
  support,
} as const;

const feeds = {
  snapshot: Snapshot,
} as const;

/** What every refused or failed call answers. */
export const CallError = z.object({ code: z.string(), message: z.string(), hint: z.string() });
export type CallError = z.infer<typeof CallError>;

export type Answer<V> = { ok: true; value: V } | { ok: false; error: CallError };

type Calls = typeof calls;
export type Noun = keyof Calls;
export type Verb<N extends Noun> = keyof Calls[N];
type Row<N extends Noun, V extends Verb<N>> = Calls[N][V] extends { argument: infer A; value: infer R }
  ? { argument: A; value: R }
  : never;
export type Argument<N extends Noun, V extends Verb<N>> = Row<N, V>['argument'] extends z.ZodType<infer A> ? A : never;
export type Value<N extends Noun, V extends Verb<N>> = Row<N, V>['value'] extends z.ZodType<infer R> ? R : never;

export type FeedName = keyof typeof feeds;
export type FeedValue<F extends FeedName> = z.infer<(typeof feeds)[F]>;

/** Who makes a call, as the journal names it: `the window`, `the browser, session 2`. Said by the transport, never by the caller. */
export type Caller = string;

/** The handlers that the agent gives: one per call, or it does not compile. */
export type Handlers = {
  readonly [N in Noun]: {
    readonly [V in Verb<N>]: (argument: Argument<N, V>, caller?: Caller) => Promise<Value<N, V>>;
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
