// Noise that comes before a reply is no part of it: the reading has the time of the reply.
import { expect, test } from 'vitest';
import { startPlayedRig } from '../../../../support/serial/serial-rig.ts';
import { dialog } from '../../../../support/serial/serial-samples.ts';

const NOISE = Uint8Array.of(0xff);

test('a reply behind a byte of noise is stamped when it came, not when the noise did', async ({ onTestFinished }) => {
  const talk = [dialog('#01IGS\r', '*01 1 IG ON \r'), dialog('#01RD\r', '*01 1.53E-06\r')];
  const said: number[] = [];
  const rig = await startPlayedRig(onTestFinished, {
    ...{ instrument: 'kjlc-392', options: { convection: [] }, address: '01', talk, everyMs: 400, timeoutMs: 2000 },
    before: (emulator, clock) => {
      emulator.interfere = (bytes, question) => {
        if (!Buffer.from(question).includes('RD')) return { bytes, delayMs: 0 };
        emulator.send(NOISE);
        void clock.sleep(200).then(() => {
          said.push(clock.nowMs());
          emulator.send(bytes);
        });
        return null;
      };
    },
  });
  await rig.until(() => rig.sink.values('ion gauge').length > 1);
  const stamps = rig.sink.captures.flatMap(({ blocks }) => blocks.flatMap(({ timesMs }) => [...timesMs]));
  expect(stamps.slice(0, 2).map((atMs, n) => atMs >= (said[n] ?? Number.NaN))).toEqual([true, true]);
});
