// What follows the end of a line: a terminator of two characters often comes in two pieces.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { systemClock } from '../../../../src-main/platform/clock.ts';
import { bytesOf } from '../../../../src-main/sources/serial/bytes.ts';
import { Line, type Outcome } from '../../../../src-main/sources/serial/line.ts';
import { anyReply, wire } from '../../../support/wire.ts';

/** An instrument that answers each question with these pieces, a moment apart; null: not this one. */
const answers = (piecesOf: (question: number) => readonly string[] | null) =>
  wire(async (question, onBytes) => {
    for (const piece of piecesOf(question) ?? []) {
      onBytes(bytesOf(piece));
      await sleep(5);
    }
  });

const request = anyReply(100, 20);
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
