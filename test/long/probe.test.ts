// An instrument that is found at its twentieth question or so, at an address that it does not leave the factory with.
import { test } from 'vitest';
import { bytesOf } from '../../src-main/sources/serial/protocol/bytes.ts';
import { walkThroughProbe } from '../support/serial/probe-walk.ts';

/** What the gauges say, by channel; the other three are not connected. */
const GAUGES: Readonly<Record<number, string>> = { 1: '1.10E-9', 3: '7.602E+2', 5: '2.34E-3' };

/** A gauge controller at an address that it does not leave the factory with. */
const controller = [
  { in: bytesOf('@001SN?;FF'), out: bytesOf('@001ACK0847012345;FF'), next: [] },
  { in: bytesOf('@001U?;FF'), out: bytesOf('@001ACKTORR;FF'), next: [] },
  ...[1, 2, 3, 4, 5, 6].map((n) => ({
    in: bytesOf(`@001PR${n}?;FF`),
    out: bytesOf(GAUGES[n] === undefined ? '@001NAK151;FF' : `@001ACK${GAUGES[n]};FF`),
    next: [],
  })),
];

test('finds an instrument at an address of its own, takes that over, shows its readings, and records it once saved', () =>
  walkThroughProbe({
    dialogs: controller,
    askedWithin: 40,
    title: 'MKS 937B vacuum gauge controller',
    says: '0847012345 · 9600 8N1, address 1',
    address: '1',
    look: [/channel 1\s+1\.1E-09 Torr/, /channel 5\s+2\.3E-03 Torr/, /channel 2\s+.*no gauge is connected there/],
    stored: { channel: 'channel 5', value: 2.34e-3 },
  }));
