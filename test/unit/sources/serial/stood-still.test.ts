// A process that stood still runs its timers first and reads what came meanwhile afterwards: a line that it did not hear was
// not quiet.
import { expect, test } from 'vitest';
import { systemClock } from '../../../../src-main/platform/clock.ts';
import { bytesOf, textOf } from '../../../../src-main/sources/serial/bytes.ts';
import type { Exchange } from '../../../../src-main/sources/serial/exchange.ts';
import { anyLine } from '../../../../src-main/sources/serial/framer.ts';
import { Line, type Request } from '../../../../src-main/sources/serial/line.ts';
import type { OnBytes, Transport } from '../../../../src-main/sources/serial/transport.ts';

const TIMEOUT_MS = 200;

function standStill(durationMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, durationMs);
}

/** The first reply is late, and is there when the process goes on; the second comes at once. */
function lateAfterStandstill(): Transport {
  let questions = 0;
  const answer = (onBytes: OnBytes) => {
    questions += 1;
    if (questions > 1) return setTimeout(() => onBytes(bytesOf('520\r\n')), 5);
    return setTimeout(() => {
      standStill(3 * TIMEOUT_MS);
      // Read by another thread: some turns of the loop later.
      setTimeout(() => onBytes(bytesOf('111\r\n')), 5);
    }, 1.5 * TIMEOUT_MS);
  };
  return {
    name: 'wire',
    characterMs: 0,
    open: (onBytes) =>
      Promise.resolve({
        write: async () => void answer(onBytes),
        close: () => Promise.resolve(),
        closed: new Promise<null>(() => undefined),
        place: 'wire',
      }),
  };
}

function* ask(): Exchange {
  const frame = yield { send: bytesOf('FL 1\r'), read: anyLine() };
  return { is: 'text', text: textOf(frame.bytes).trim(), atMs: frame.atMs };
}

const request: Request = {
  exchange: ask,
  timeoutMs: TIMEOUT_MS,
  gapMs: 0,
  neutral: new Uint8Array(),
  provesReply: false,
  accepts: () => true,
};

test('a late reply that came while the process stood still is none to the next question', async () => {
  const line = await Line.open(lateAfterStandstill(), systemClock, 0);
  expect(await line.ask(request)).toMatchObject({ is: 'silent' });
  expect(await line.ask(request)).toMatchObject({ is: 'reply', reply: { text: '520' } });
});
