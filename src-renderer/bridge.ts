// The one door of the page. In the desktop window the preload has put the bridge there; in a browser the same bridge is
// built here over a WebSocket that connects again by itself. Nothing else of the page knows which of the two it is.
import { buildBridge } from '../src-main/contract/build-bridge.ts';
import { protocolsOf } from '../src-main/contract/screen-session.ts';
import type { Answer, Bridge } from '../src-main/contract/table.ts';
import { type Access, openScreenSession } from './session.ts';

declare global {
  interface Window {
    /** Put there by the preload of the desktop window; absent in a browser. */
    readonly epistream?: Bridge;
  }
}

const RETRY_FIRST_MS = 300;
const RETRY_MAX_MS = 3_000;
/** Longest wait for an answer, milliseconds; a preview of a slow network folder takes its time. */
const ANSWER_MAX_MS = 60_000;

const lost: Answer<never> = {
  ok: false,
  error: {
    code: 'link.lost',
    message: 'The connection to the agent is lost.',
    hint: 'The page connects again by itself. If it does not, see whether Epistream still runs.',
  },
};

/** Not asked again by itself: what takes so long would only begin again. */
const silent: Answer<never> = {
  ok: false,
  error: {
    code: 'link.silent',
    message: `The agent has not answered for ${ANSWER_MAX_MS / 1000} s.`,
    hint: 'A slow disk or share may be the cause. Try again.',
  },
};

const feedListeners = new Map<string, Set<(value: unknown) => void>>();
const accessListeners = new Set<(access: Access) => void>();

/** What the agent offers to this page. */
export const agent: Bridge = window.epistream ?? openSocketBridge();

/**
 * Listen to whether the agent knows this browser.
 *
 * @returns the function that ends it. In the desktop window nothing is ever told: the window is always known.
 */
export function watchAccess(listener: (access: Access) => void): () => void {
  accessListeners.add(listener);
  return () => accessListeners.delete(listener);
}

function openSocketBridge(): Bridge {
  const session = openScreenSession(tellAccess);
  const waiting = new Map<number, (answer: Answer<unknown>) => void>();
  let socket: WebSocket | null = null;
  let nextId = 1;
  let retryMs = RETRY_FIRST_MS;

  const connectLater = () => {
    setTimeout(connect, retryMs);
    retryMs = Math.min(retryMs * 2, RETRY_MAX_MS);
  };
  const connect = async () => {
    const secret = await session.find();
    if (secret === null) return connectLater();
    const opening = new WebSocket(`${window.location.origin.replace(/^http/, 'ws')}/socket`, protocolsOf(secret));
    opening.onopen = () => {
      socket = opening;
      retryMs = RETRY_FIRST_MS;
      tellAccess('known');
    };
    opening.onmessage = ({ data }) => receive(JSON.parse(String(data)) as Frame, waiting);
    opening.onclose = () => {
      if (socket === null) void session.ask(secret);
      socket = null;
      for (const settle of waiting.values()) settle(lost);
      waiting.clear();
      connectLater();
    };
  };
  void connect();

  return buildBridge({
    invoke: (name, argument) =>
      new Promise((resolve) => {
        if (socket === null) return resolve(lost);
        const id = nextId++;
        const timer = setTimeout(() => settle(silent), ANSWER_MAX_MS);
        const settle = (answer: Answer<unknown>) => {
          clearTimeout(timer);
          waiting.delete(id);
          resolve(answer);
        };
        waiting.set(id, settle);
        socket.send(JSON.stringify({ id, name, argument }));
      }),
    listen: (feed, listener) => {
      const listeners = feedListeners.get(feed) ?? new Set();
      feedListeners.set(feed, listeners.add(listener));
      return () => listeners.delete(listener);
    },
  });
}

type Frame = { id: number; answer: Answer<unknown> } | { feed: string; value: unknown };

function receive(frame: Frame, waiting: Map<number, (answer: Answer<unknown>) => void>): void {
  if ('answer' in frame) waiting.get(frame.id)?.(frame.answer);
  else for (const listener of feedListeners.get(frame.feed) ?? []) listener(frame.value);
}

function tellAccess(access: Access): void {
  for (const listener of accessListeners) listener(access);
}
