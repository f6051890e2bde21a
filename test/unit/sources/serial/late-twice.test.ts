// An instrument that is late again and again: its reply to a question comes when the next one was asked, and the reply to that
// one comes as late. Nothing in the two tells whose they are.
import { expect, test } from 'vitest';
import { systemClock } from '../../../../src-main/platform/clock.ts';
import { bytesOf } from '../../../../src-main/sources/serial/bytes.ts';
import { Line } from '../../../../src-main/sources/serial/line.ts';
import { anyReply, wire } from '../../../support/wire.ts';

const TIMEOUT_MS = 200;

/** Two replies come when two reply times and a half have gone by since their question, later ones at once. */
const lateTwice = wire((question, onBytes) => {
  setTimeout(() => onBytes(bytesOf(`${question}\r\n`)), question < 2 ? 2.5 * TIMEOUT_MS : 5);
});

test('a reply that comes behind the next question is not taken for that one, though its own is late, too', async () => {
  const line = await Line.open(lateTwice, systemClock, 0);
  const request = anyReply(TIMEOUT_MS, 0);
  expect(await line.ask(request)).toMatchObject({ is: 'silent' });
  expect(await line.ask(request)).toMatchObject({ is: 'out-of-step' });
  expect(await line.ask(request)).toMatchObject({ is: 'reply', reply: { text: '2' } });
});
