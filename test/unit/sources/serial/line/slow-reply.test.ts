// Some units send a character when they find the time: a reply that is under way at the time-out is waited for.
import { expect, onTestFinished, test } from 'vitest';
import type { VirtualClock } from '../../../../simulation/virtual-clock.ts';
import { startPlayedRig } from '../../../../support/serial/serial-rig.ts';
import { bytes, dialog, twoValues } from '../../../../support/serial/serial-samples.ts';

const talk = [dialog('A?\r\n', '1\r\n'), dialog('B?\r\n', '2\r\n')];

test('a reply whose characters come slowly is read, though it is whole only after the time-out', async ({
  onTestFinished,
}) => {
  const rig = await startPlayedRig(onTestFinished, {
    instrument: twoValues,
    talk,
    everyMs: 50,
    timeoutMs: 150,
    before: (emulator, clock) => {
      emulator.interfere = (answer, question) => {
        const text = question[0] === 0x41 ? '1.000000000\r\n' : Buffer.from(answer).toString('latin1');
        void (async () => {
          for (const character of text) {
            await clock.sleep(20);
            emulator.send(bytes(character));
          }
        })();
        return null;
      };
    },
  });
  await rig.until(() => rig.sink.values('a').length > 2 && rig.sink.values('b').length > 2);
  expect(new Set(rig.sink.values('a'))).toEqual(new Set([1]));
  expect(new Set(rig.sink.values('b'))).toEqual(new Set([2]));
});

test('silence tells what came that was no reply', async ({ onTestFinished }) => {
  const rig = await startPlayedRig(onTestFinished, { instrument: twoValues, talk, everyMs: 100, timeoutMs: 100 });
  await rig.until(() => rig.sink.values('b').length > 1);
  rig.emulator.interfere = () => ({ bytes: bytes('12.5\n'), delayMs: 0 });
  await rig.until(() => rig.sink.notes.get('serial.silent')?.level === 'warning');
  const note = rig.sink.notes.get('serial.silent');
  expect(note?.message).toContain('5 bytes came, no whole reply: `12.5<LF>`');
  expect(note?.hint).toContain('the line end of the profile');
});

/** What lies between the two parts of a reply. */
const pauses: readonly [string, (clock: VirtualClock) => Promise<void>][] = [
  // Less than the 30 ms that end a reply.
  ['a CR that noise puts into a reply does not end it, though what follows comes later', (clock) => clock.sleep(5)],
  [
    'what came while the process stood still is read before a reply is taken for whole',
    async (clock) => {
      await clock.sleep(3);
      // Until the wait for what follows is long over: its timer runs first, and what came is read after it.
      clock.standStill(200);
      await clock.sleep(0);
    },
  ],
];

test.each(pauses)('%s', async (_, pause) => {
  const instrument = { ...twoValues, protocol: { commands: 'getters', reply_end: 'any' } };
  const rig = await startPlayedRig(onTestFinished, { instrument, talk, everyMs: 50, timeoutMs: 400 });
  rig.emulator.interfere = (_, question) => {
    const [first = '', rest = ''] = question[0] === 0x41 ? ['77.3\r', '50\r\n'] : ['2\r', '\n'];
    void (async () => {
      rig.emulator.send(bytes(first));
      await pause(rig.clock);
      rig.emulator.send(bytes(rest));
    })();
    return null;
  };
  await rig.until(() => rig.sink.refusals.filter(({ channel }) => channel === 'a').length > 1);
  await rig.until(() => rig.sink.values('b').length > 1);
  expect(rig.sink.values('a').filter((value) => value !== 1)).toEqual([]);
  expect(new Set(rig.sink.values('b'))).toEqual(new Set([2]));
});
