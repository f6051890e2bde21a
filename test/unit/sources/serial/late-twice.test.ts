// An instrument that is late again and again: its reply to a question comes when the next one was asked, and the reply to that
// one comes as late. Nothing in the two tells whose they are.
import { expect, test } from 'vitest';
import { systemClock } from '../../../../src-main/platform/clock.ts';
import { bytesOf } from '../../../../src-main/sources/serial/bytes.ts';
import { Line } from '../../../../src-main/sources/serial/line.ts';
import { anyReply, wire } from '../../../support/wire.ts';

const TIMEOUT_MS = 200;

/**
 * The first reply comes half a reply time after the second question, and the reply to that one two reply times and a half
 * after it, later ones at once. All by timers that are set when the second question is put: they keep their order with those
 * of the line wherever the process stands still.
 */
const lateTwice = wire((question, onBytes) => {
  const say = (reply: number, afterMs: number) => setTimeout(() => onBytes(bytesOf(`${reply}\r\n`)), afterMs);
  if (question === 1) say(0, 0.5 * TIMEOUT_MS);
  if (question > 0) say(question, question === 1 ? 2.5 * TIMEOUT_MS : 5);
});

test('a reply that comes behind the next question is not taken for that one, though its own is late, too', async () => {
  const line = await Line.open(lateTwice, systemClock, 0);
  const request = anyReply(TIMEOUT_MS, 0);
  expect(await line.ask(request)).toMatchObject({ is: 'silent' });
  expect(await line.ask(request)).toMatchObject({ is: 'out-of-step' });
  expect(await line.ask(request)).toMatchObject({ is: 'reply', reply: { text: '2' } });
});
