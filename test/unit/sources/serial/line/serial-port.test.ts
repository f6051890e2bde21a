import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LineSettings } from '../../../../../src-main/model/instrument.ts';
import { serialTransport } from '../../../../../src-main/sources/serial/line/serial-port.ts';
import { amount } from '../../../../support/run/effort.ts';
import { InstrumentEmulator } from '../../../../support/serial/instrument-emulator.ts';
import { hasPty, Pty } from '../../../../support/serial/pty.ts';

/** How often the port is pulled out, each time a little later behind its bytes. */
const ROUNDS = amount(7, 14, 300);

describe.skipIf(!hasPty)('a serial port', () => {
  test('that is pulled out while bytes flow is told as gone, every time', async () => {
    const emulator = await InstrumentEmulator.start([]);
    const pty = await Pty.plug(emulator.tcpPort);
    const talk = setInterval(() => emulator.send(new Uint8Array(300).fill(0x41)), 1);
    onTestFinished(async () => {
      clearInterval(talk);
      await pty.remove();
      await emulator.stop();
    });
    for (let round = 0; round < ROUNDS; round++) {
      let received = 0;
      const transport = serialTransport(pty.path, async () => pty.path, LineSettings.parse({}));
      const connection = await transport.open((bytes) => {
        received += bytes.length;
      });
      while (received < 2000) await sleep(1);
      await sleep(round % 7);
      await pty.unplug();
      expect((await connection.closed)?.code).toBe('serial.port-gone');
      await connection.close();
      await pty.plugIn();
    }
  });

  test('that is not there is named, and may be tried again', async () => {
    const transport = serialTransport('/dev/not-there', async () => '/dev/not-there', LineSettings.parse({}));
    await expect(transport.open(() => undefined)).rejects.toMatchObject({
      code: 'serial.port-missing',
      retry: 'later',
    });
    expect(transport.characterMs).toBeCloseTo(10_000 / 9600, 3);
  });
});
