// A process that stood still runs its timers first and reads what came meanwhile afterwards: a line that it did not hear was
// not quiet.
import { expect, test } from 'vitest';
import { Quiet } from '../../../../../src-main/sources/serial/line/quiet.ts';
import { bytesOf, textOf } from '../../../../../src-main/sources/serial/protocol/bytes.ts';
import type { Exchange } from '../../../../../src-main/sources/serial/protocol/exchange.ts';
import { loneLine } from '../../../../../src-main/sources/serial/protocol/framer.ts';
import { VirtualClock } from '../../../../simulation/virtual-clock.ts';
import { anyReply, askTimes, wire } from '../../../../support/rigs/wire.ts';

const TIMEOUT_MS = 200;

test('a late reply that came while the process stood still is none to the next question', async () => {
  const clock = new VirtualClock();
  // The first reply is late, and is there when the process goes on; the second comes at once.
  const lateAfterStandstill = wire(async (question, onBytes) => {
    await clock.sleep(question > 0 ? 5 : 1.5 * TIMEOUT_MS);
    if (question > 0) return onBytes(bytesOf('520\r\n'));
    clock.standStill(3 * TIMEOUT_MS);
    // Read by another thread: some turns of the loop later.
    await clock.sleep(5);
    onBytes(bytesOf('111\r\n'));
  });
  const { outcomes } = await askTimes(clock, lateAfterStandstill, anyReply(TIMEOUT_MS, 0), 2);
  expect(outcomes).toMatchObject([{ kind: 'silent' }, { kind: 'reply', reply: { text: '520' } }]);
});

/** A line that may end with CR alone. */
function* askLine(): Exchange {
  const frame = yield { send: bytesOf('A?\r'), read: loneLine() };
  return { kind: 'text', text: textOf(frame.bytes).trim(), atMs: frame.atMs };
}

test('the rest of a reply that came while the process stood still belongs to it', async () => {
  const clock = new VirtualClock();
  const inTwoPieces = wire(async (_, onBytes) => {
    onBytes(bytesOf('77.3\r'));
    await clock.sleep(5);
    clock.standStill(TIMEOUT_MS / 2);
    await clock.sleep(5);
    onBytes(bytesOf('50\r\n'));
  });
  const request = { ...anyReply(TIMEOUT_MS, 0), exchange: askLine };
  const { outcomes } = await askTimes(clock, inTwoPieces, request, 1);
  expect(outcomes[0]).not.toMatchObject({ kind: 'reply', reply: { kind: 'text', text: '77.3' } });
});

test('a line that is never quiet is given up after ten times the quiet that was wanted', () => {
  const quiet = new Quiet(100, 0);
  let nowMs = 0;
  for (; quiet.leftMs(nowMs) > 0; nowMs += 90) quiet.waited(nowMs, true);
  expect(nowMs).toBe(1080);
});

test('on a machine whose waits are always late a line is believed after three of them', () => {
  const quiet = new Quiet(100, 0);
  let nowMs = 0;
  let waits = 0;
  for (let leftMs = quiet.leftMs(0); leftMs > 0; leftMs = quiet.leftMs(nowMs)) {
    nowMs += leftMs + 60;
    waits += 1;
    quiet.waited(nowMs, false);
  }
  expect(waits).toBe(4);
});
