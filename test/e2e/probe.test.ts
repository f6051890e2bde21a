// An instrument that the first questions of a probe find; one that is found late is in test/long.
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
    dialogs: [
      says('400', 'QE87010   '),
      ...[says('200', '000412'), says('201', '000024'), says('202', '000010')],
      ...[says('203', '001167'), says('204', '000031')],
    ],
    // The window of ion pumps comes first.
    askedWithin: 2,
    title: 'Agilent (Varian) TwisTorr or Turbo-V controller of a turbo pump',
    says: 'QE87010 · 9600 8N1',
    address: '',
    look: [/driving frequency\s+1,?167/],
    stored: { channel: 'driving frequency', value: 1167 },
  }));
