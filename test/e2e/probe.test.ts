// An instrument that the first question of a probe finds; one that is found late is in test/long.
import { test } from 'vitest';
import { bytesOf, joinBytes } from '../../src-main/sources/serial/protocol/bytes.ts';
import { walkThroughProbe } from '../support/serial/probe-walk.ts';

/** A frame of an Agilent controller: what stands between STX and the checksum, which is the XOR of it. */
function frame(window: string, data = ''): Uint8Array {
  const body = joinBytes(Uint8Array.of(0x80), bytesOf(`${window}0${data}`), Uint8Array.of(0x03));
  const crc = body.reduce((xor, byte) => xor ^ byte, 0);
  return joinBytes(Uint8Array.of(0x02), body, bytesOf(crc.toString(16).toUpperCase().padStart(2, '0')));
}

const says = (window: string, data: string) => ({ in: frame(window), out: frame(window, data), next: [] });

test('finds an instrument on a port by asking, shows its readings, and records it once saved', () =>
  walkThroughProbe({
    dialogs: [says('323', 'X3602-64003'), says('812', '1.10E-09')],
    askedWithin: 1,
    title: 'Agilent 4UHV ion pump controller',
    says: 'X3602-64003 · 9600 8N1',
    address: '',
    look: [/pressure 812\s+1\.10?E-09/],
    tile: [/pressure 812\s+1\.10?E-09/],
    stored: { channel: 'pressure 812', value: 1.1e-9 },
  }));
