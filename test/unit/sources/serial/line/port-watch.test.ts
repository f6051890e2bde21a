import { setImmediate as turn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { type PortSign, watchPort } from '../../../../../src-main/sources/serial/line/port-watch.ts';
import { isSamePort } from '../../../../../src-main/sources/serial/line/serial-port.ts';

/** A sign that says one thing after the other, and then the last one for ever. It counts how often it was asked. */
function sign(...says: readonly (boolean | 'fails' | 'hangs')[]): PortSign & { asked: number } {
  const made = {
    asked: 0,
    everyMs: 1,
    isThere: () => {
      const said = says[Math.min(made.asked++, says.length - 1)];
      if (said === 'hangs') return new Promise<boolean>(() => undefined);
      return said === 'fails' ? Promise.reject(new Error('no answer')) : Promise.resolve(said === true);
    },
  };
  return made;
}

/** Watch until the signs `until` were asked often; gives how often it was said that the port is gone. */
async function watch(signs: readonly PortSign[], until: () => boolean): Promise<number> {
  const onGone = vi.fn();
  const end = watchPort(signs, onGone);
  await expect.poll(until, { interval: 1 }).toBe(true);
  await turn();
  end();
  return onGone.mock.calls.length;
}

test('a device that answered and does so no more is gone; that is said once', async () => {
  const there = sign(true);
  const going = sign(true, true, false);
  const goingToo = sign(true, true, false);
  expect(await watch([there, going, goingToo], () => going.asked >= 3 && goingToo.asked >= 2)).toBe(1);
  const asked = there.asked;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(there.asked).toBe(asked);
});

test.each<[string, boolean | 'fails']>([
  ['says no', false],
  ['fails', 'fails'],
])('a sign that %s while the device is there cannot tell, and is not asked again', async (_, first) => {
  const mute = sign(first, false);
  const there = sign(true);
  expect(await watch([mute, there], () => there.asked > 10)).toBe(0);
  expect(mute.asked).toBe(1);
});

test('a sign that fails once says nothing, and is believed at its next word', async () => {
  const shaky = sign(true, 'fails', true, 'fails', false);
  expect(await watch([shaky], () => shaky.asked >= 5)).toBe(1);
});

test('a sign that never answers is asked once, and hides nothing that another one says', async () => {
  const stuck = sign(true, 'hangs');
  const going = sign(...Array.from({ length: 20 }, () => true), false);
  expect(await watch([stuck, going], () => going.asked >= 21)).toBe(1);
  expect(stuck.asked).toBe(2);
});

test('a watch that was ended says nothing, though a sign speaks later', async () => {
  let speak = (_: boolean) => {};
  let asked = 0;
  const late: PortSign = {
    everyMs: 1,
    isThere: () => (asked++ === 0 ? Promise.resolve(true) : new Promise((resolve) => (speak = resolve))),
  };
  const onGone = vi.fn();
  const end = watchPort([late], onGone);
  await expect.poll(() => asked, { interval: 1 }).toBe(2);
  end();
  speak(false);
  await turn();
  expect(onGone).not.toHaveBeenCalled();
});

test('a port of Windows has several spellings', () => {
  expect(isSamePort('COM12', 'com12')).toBe(true);
  expect(isSamePort('COM12', '\\\\.\\COM12')).toBe(true);
  expect(isSamePort('COM1', 'COM12')).toBe(false);
});
