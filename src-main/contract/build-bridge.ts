// The bridge is the same object over every transport. The preload builds it over Electron's IPC, the page itself over a
// WebSocket; neither names a call.
import './without-eval.ts';
import { type Answer, type Bridge, callNames, feedNames } from './table.ts';

/** What a transport can do; everything else follows from the table. */
export interface Transport {
  /** Carry one call (`plot.read`) over and bring its answer back. Never rejects: a lost connection is an answer too. */
  readonly invoke: (name: string, argument: unknown) => Promise<Answer<unknown>>;
  /** Hear every value of one feed, until the function given back is called. */
  readonly listen: (feed: string, listener: (value: unknown) => void) => () => void;
}

/**
 * Build the bridge by walking the contract table.
 *
 * @returns one function per call of the table and `on` for its feeds, all frozen. A feed that the table does not name is never
 *   listened to.
 */
export function buildBridge({ invoke, listen }: Transport): Bridge {
  const nouns: Record<string, Record<string, unknown>> = {};
  for (const name of callNames) {
    const [noun = '', verb = ''] = name.split('.');
    nouns[noun] ??= {};
    nouns[noun][verb] = (argument: unknown) => invoke(name, argument);
  }
  const on = (feed: string, listener: (value: unknown) => void) =>
    (feedNames as readonly string[]).includes(feed) ? listen(feed, listener) : () => undefined;
  for (const verbs of Object.values(nouns)) Object.freeze(verbs);
  // The table gives these names and no others, and the types of `Bridge` come from the same table.
  return Object.freeze({ ...nouns, on }) as unknown as Bridge;
}
