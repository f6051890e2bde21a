// An instrument that is late again and again: its reply to a question comes when the next one was asked, and the reply to that
// one comes as late. Nothing in the two tells whose they are.
import { expect, test } from 'vitest';
import { bytesOf } from '../../../../../src-main/sources/serial/protocol/bytes.ts';
import { VirtualClock } from '../../../../simulation/virtual-clock.ts';
import { anyReply, askTimes, wire } from '../../../../support/rigs/wire.ts';

const TIMEOUT_MS = 200;

test('a reply that comes behind the next question is not taken for that one, though its own is late, too', async () => {
  const clock = new VirtualClock();
  // The first reply comes half a reply time after the second question, and the reply to that one two reply times and a half
  // after it, later ones at once.
  const lateTwice = wire((question, onBytes) => {
    const say = (reply: number, afterMs: number) =>
      void clock.sleep(afterMs).then(() => onBytes(bytesOf(`${reply}\r\n`)));
    if (question === 1) say(0, 0.5 * TIMEOUT_MS);
    if (question > 0) say(question, question === 1 ? 2.5 * TIMEOUT_MS : 5);
  });
  const { outcomes } = await askTimes(clock, lateTwice, anyReply(TIMEOUT_MS, 0), 3);
  expect(outcomes).toMatchObject([
    { kind: 'silent' },
    { kind: 'out-of-step' },
    { kind: 'reply', reply: { text: '2' } },
  ]);
});
