// What follows the end of a line: a terminator of two characters often comes in two pieces.
import { expect, test } from 'vitest';
import { bytesOf } from '../../../../../src-main/sources/serial/protocol/bytes.ts';
import { VirtualClock } from '../../../../simulation/virtual-clock.ts';
import { anyReply, askTimes, wire } from '../../../../support/rigs/wire.ts';

/** Ask an instrument that answers each question with these pieces, a moment apart; null: not this one. */
async function ask(times: number, piecesOf: (question: number) => readonly string[] | null) {
  const clock = new VirtualClock();
  const transport = wire(async (question, onBytes) => {
    for (const piece of piecesOf(question) ?? []) {
      onBytes(bytesOf(piece));
      await clock.sleep(5);
    }
  });
  const { outcomes, counts } = await askTimes(clock, transport, anyReply(100, 20), times);
  const texts = outcomes.map((one) => (one.kind === 'reply' && one.reply.kind === 'text' ? one.reply.text : one.kind));
  return { texts, counts };
}

test('the second half of a line end is no late reply, and costs no wait', async () => {
  const { texts, counts } = await ask(3, () => ['520\r', '\n']);
  expect(texts).toEqual(['520', '520', '520']);
  expect(counts.resyncs).toBe(0);
});

test('after silence a reply with such an end is taken', async () => {
  const { texts } = await ask(3, (question) => (question === 0 ? null : ['520\r', '\n']));
  expect(texts).toEqual(['silent', '520', '520']);
});

test('anything else behind a reply still makes both doubtful', async () => {
  const { texts } = await ask(2, (question) => (question === 0 ? null : ['520\r\n', '519\r\n']));
  expect(texts).toEqual(['silent', 'out-of-step']);
});
