// A line to an instrument without a port: what it says is decided by the test, on a clock that the test plays.

import { Line, type Outcome, type Request } from '../../../src-main/sources/serial/line/line.ts';
import type { OnBytes, Transport } from '../../../src-main/sources/serial/line/transport.ts';
import { bytesOf, textOf } from '../../../src-main/sources/serial/protocol/bytes.ts';
import type { Exchange } from '../../../src-main/sources/serial/protocol/exchange.ts';
import { anyLine } from '../../../src-main/sources/serial/protocol/framer.ts';
import type { VirtualClock } from '../../simulation/virtual-clock.ts';

/** A question that has become nothing after so long a time, played, never does, milliseconds. */
const NEVER_MS = 3_600_000;

/** A transport whose other end hears of each question, counted from 0, and says what it likes. */
export function wire(answer: (question: number, onBytes: OnBytes) => void): Transport {
  let question = 0;
  return {
    name: 'wire',
    characterMs: 0,
    open: (onBytes) =>
      Promise.resolve({
        write: async () => answer(question++, onBytes),
        close: () => Promise.resolve(),
        closed: new Promise<null>(() => undefined),
        place: 'wire',
      }),
  };
}

function* askFrequency(): Exchange {
  const frame = yield { send: bytesOf('FL 1\r'), read: anyLine() };
  return { kind: 'text', text: textOf(frame.bytes).trim(), atMs: frame.atMs };
}

/** A question that takes any line for its reply. */
export const anyReply = (timeoutMs: number, gapMs: number): Request => ({
  exchange: askFrequency,
  timeoutMs,
  gapMs,
  neutral: new Uint8Array(),
  provesReply: false,
  accepts: () => true,
});

/**
 * Open a line and ask one request several times, one after the other.
 *
 * @returns what became of each; no time passes for it.
 */
export async function askTimes(clock: VirtualClock, transport: Transport, request: Request, times: number) {
  const line = await Line.open(transport, clock, 0);
  const outcomes: Outcome[] = [];
  const asking = (async () => {
    while (outcomes.length < times) outcomes.push(await line.ask(request));
  })();
  await clock.passWhile(asking, NEVER_MS);
  return { outcomes, counts: line.counts };
}
