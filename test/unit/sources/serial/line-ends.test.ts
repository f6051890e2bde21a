// What follows the end of a line: a terminator of two characters often comes in two pieces.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { systemClock } from '../../../../src-main/platform/clock.ts';
import { bytesOf, textOf } from '../../../../src-main/sources/serial/bytes.ts';
import type { Exchange } from '../../../../src-main/sources/serial/exchange.ts';
import { anyLine } from '../../../../src-main/sources/serial/framer.ts';
import { Line, type Outcome, type Request } from '../../../../src-main/sources/serial/line.ts';
import type { Transport } from '../../../../src-main/sources/serial/transport.ts';

/** An instrument that answers each question with these pieces, a moment apart; null: not this one. */
function answers(piecesOf: (question: number) => readonly string[] | null): Transport {
  let question = 0;
  return {
    name: 'wire',
    characterMs: 0,
    open: (onBytes) => {
      const answer = async (pieces: readonly string[]) => {
        for (const piece of pieces) {
          onBytes(bytesOf(piece));
          await sleep(5);
        }
      };
      return Promise.resolve({
        write: () => {
          void answer(piecesOf(question) ?? []);
          question += 1;
          return Promise.resolve();
        },
        close: () => Promise.resolve(),
        closed: new Promise<null>(() => undefined),
        place: 'wire',
      });
    },
  };
}

function* ask(): Exchange {
  const frame = yield { send: bytesOf('FL 1\r'), read: anyLine() };
  return { is: 'text', text: textOf(frame.bytes).trim(), atMs: frame.atMs };
}

const request: Request = {
  exchange: ask,
  timeoutMs: 100,
  gapMs: 20,
  neutral: new Uint8Array(),
  provesReply: false,
  accepts: () => true,
};
const textsOf = (outcomes: readonly Outcome[]) =>
  outcomes.map((one) => (one.is === 'reply' && one.reply.is === 'text' ? one.reply.text : one.is));

test('the second half of a line end is no late reply, and costs no wait', async () => {
  const line = await Line.open(
    answers(() => ['520\r', '\n']),
    systemClock,
    0,
  );
  const outcomes = [await line.ask(request), await line.ask(request), await line.ask(request)];
  expect(textsOf(outcomes)).toEqual(['520', '520', '520']);
  expect(line.counts.resyncs).toBe(0);
});

test('after silence a reply with such an end is taken', async () => {
  const line = await Line.open(
    answers((question) => (question === 0 ? null : ['520\r', '\n'])),
    systemClock,
    0,
  );
  const outcomes = [await line.ask(request), await line.ask(request), await line.ask(request)];
  expect(textsOf(outcomes)).toEqual(['silent', '520', '520']);
});

test('anything else behind a reply still makes both doubtful', async () => {
  const line = await Line.open(
    answers((question) => (question === 0 ? null : ['520\r\n', '519\r\n'])),
    systemClock,
    0,
  );
  expect(textsOf([await line.ask(request), await line.ask(request)])).toEqual(['silent', 'out-of-step']);
});
