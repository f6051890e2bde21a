// One open screen. A screen may be slow, stuck or hostile, and none of that may reach the agent:
// - of each feed, at most one value is on its way; while it is, only the newest of the later ones is kept;
// - at most CALLS_MAX calls are being answered; until one answer has left, nothing more is read from this socket, and
//   what one read brought (64 kB) waits;
// - a frame over FRAME_BYTES_MAX ends the connection (the server sets that limit);
// - a screen that does not answer two pings in a row is cut off, and with it everything that waits for it.
import type { WebSocket } from 'ws';
import { dispatch } from '../contract/dispatch.ts';
import { LOOKS } from '../contract/looks.ts';
import {
  type Answer,
  type Caller,
  type FeedName,
  type FeedValue,
  feedNames,
  type Handlers,
} from '../contract/table.ts';

/** Largest frame that a screen may send, bytes. The longest argument of the table is about 8 kB. */
export const FRAME_BYTES_MAX = 64 * 1024;
const CALLS_MAX = 8;
/** Milliseconds between two pings of an open screen; twice that without an answer ends it. */
const PING_INTERVAL_MS = 15_000;

/** Answer to a write call of a read-only session. */
const LOOK_ONLY: Answer<never> = {
  ok: false,
  error: {
    code: 'session.looks',
    message: 'This page was opened before Epistream was restarted. It is read-only.',
    hint: 'Open a fresh link on the tool PC: "epistream open" gives one.',
  },
};

/** How the agent gives its feeds: a listener hears every new value until the function given back is called. */
export type Subscribe = <F extends FeedName>(feed: F, listener: (value: FeedValue<F>) => void) => () => void;

export interface ScreenOptions {
  readonly handlers: Handlers;
  readonly subscribe: Subscribe;
  readonly caller: Caller;
  /** False: it may look, and every other call is refused. */
  readonly mayAct: boolean;
  readonly pingIntervalMs?: number | undefined;
}

/**
 * Serve one screen until it closes. Takes the open socket, the agent's handlers and feeds, and who the journal says has
 * asked.
 *
 * @returns nothing; everything ends with the socket.
 */
export function serveScreen(
  socket: WebSocket,
  { handlers, subscribe, caller, mayAct, pingIntervalMs = PING_INTERVAL_MS }: ScreenOptions,
): void {
  const unsubscribes = feedNames.map((feed) => subscribe(feed, pushNewest(socket, feed)));

  answerCalls(socket, { handlers, caller, mayAct });

  let isAlive = true;
  socket.on('pong', () => {
    isAlive = true;
  });
  const pinging = setInterval(() => {
    if (!isAlive) return socket.terminate();
    isAlive = false;
    socket.ping();
  }, pingIntervalMs);

  // A frame too long or not UTF-8 arrives here; ws closes the connection itself, and the screen connects again.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    clearInterval(pinging);
    for (const unsubscribe of unsubscribes) unsubscribe();
  });
}

function answerCalls(
  socket: WebSocket,
  { handlers, caller, mayAct }: Pick<ScreenOptions, 'handlers' | 'caller' | 'mayAct'>,
): void {
  const frames: Buffer[] = [];
  let callsOpen = 0;
  const answer = async (frame: Buffer) => {
    const call = parse(frame);
    const isAllowed = mayAct || (typeof call.name === 'string' && LOOKS.has(call.name));
    const answered = isAllowed ? await dispatch(handlers, call.name, call.argument, caller) : LOOK_ONLY;
    socket.send(JSON.stringify({ id: call.id, answer: answered }), () => {
      callsOpen -= 1;
      proceed();
    });
  };
  // Pausing stops the reading, but frames that were read already still come: those wait here.
  const proceed = () => {
    while (callsOpen < CALLS_MAX) {
      const frame = frames.shift();
      if (!frame) break;
      callsOpen += 1;
      void answer(frame);
    }
    if (callsOpen >= CALLS_MAX) socket.pause();
    else if (socket.isPaused) socket.resume();
  };
  socket.on('message', (data) => {
    frames.push(data as Buffer);
    proceed();
  });
}

/** Send the values of one feed, one at a time, leaving out those that a newer one has overtaken. */
function pushNewest<F extends FeedName>(socket: WebSocket, feed: F): (value: FeedValue<F>) => void {
  let waiting: { value: FeedValue<F> } | null = null;
  let isSending = false;
  const send = (value: FeedValue<F>) => {
    isSending = true;
    socket.send(JSON.stringify({ feed, value }), () => {
      isSending = false;
      const next = waiting;
      waiting = null;
      if (next) send(next.value);
    });
  };
  return (value) => {
    if (isSending) waiting = { value };
    else send(value);
  };
}

/** Read a frame. What is not a call becomes a call without a name, which dispatch refuses with its reason. */
function parse(frame: Buffer): { id: unknown; name: unknown; argument: unknown } {
  try {
    const { id, name, argument } = (JSON.parse(frame.toString()) ?? {}) as Record<string, unknown>;
    return { id: typeof id === 'number' ? id : null, name, argument };
  } catch {
    // Not JSON: answered below as any other unknown call.
    return { id: null, name: undefined, argument: undefined };
  }
}
