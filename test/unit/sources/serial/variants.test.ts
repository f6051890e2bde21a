// Forms that instruments and their simulators use beside those of the transcripts: all of them are read, and nothing but
// the value that was sent is taken.
import { describe, expect, test } from 'vitest';
import type { OptionValue } from '../../../../src-main/model/instrument.ts';
import { compileProfile } from '../../../../src-main/sources/serial/profile/compile-profile.ts';
import { loadInstrument } from '../../../../src-main/sources/serial/profile/profile-library.ts';
import { bytesOf } from '../../../../src-main/sources/serial/protocol/bytes.ts';
import type { Reply } from '../../../../src-main/sources/serial/protocol/exchange.ts';
import { startPlayedRig } from '../../../support/serial/serial-rig.ts';

interface Variant {
  readonly title: string;
  readonly instrument: string;
  readonly address?: string | number;
  readonly options?: Readonly<Record<string, OptionValue>>;
  readonly talk: readonly (readonly [string, string])[];
  readonly channel: string;
  readonly value: number;
}

const VARIANTS: readonly Variant[] = [
  {
    title: 'a simulator that cuts at line ends and knows pressures alone',
    instrument: 'mks-937b',
    address: 3,
    options: { send_end: 'crlf', channels: [1] },
    talk: [['@003PR1?;FF\r\n', '@003ACK7.602E+2;FF\r\n']],
    channel: 'channel 1',
    value: 760.2,
  },
  {
    title: 'any unit that answers to 254',
    instrument: 'mks-946',
    address: 254,
    options: { channels: [1] },
    talk: [
      ['@254SN?;FF', '@007ACK0847012345;FF'],
      ['@254U?;FF', '@007ACKTorr;FF'],
      ['@254PR1?;FF', '@007ACK1.10E-9;FF'],
    ],
    channel: 'channel 1',
    value: 1.1e-9,
  },
  {
    title: 'blanks for the address over RS-232',
    instrument: 'inficon-vgc083',
    address: '  ',
    options: { convection: [] },
    talk: [
      ['#  IGS\r', '*   1 IG ON \r'],
      ['#  RDIG\r', '*   1.53E-06\r'],
    ],
    channel: 'ion gauge',
    value: 1.53e-6,
  },
  {
    title: 'the short form of the rack of an ozone source',
    instrument: 'inficon-vgc083',
    address: '  ',
    options: { convection: [] },
    talk: [['#  RDIG\r', '*  1.2E-08\r']],
    channel: 'ion gauge',
    value: 1.2e-8,
  },
  {
    title: 'no address at all',
    instrument: 'gp-350-rs485',
    address: '',
    options: { gauges: [1] },
    talk: [['#RD1\r', '* 1.53E-06\r']],
    channel: 'gauge 1',
    value: 1.53e-6,
  },
  {
    title: 'an address in small letters, a small e, and LF behind CR',
    instrument: 'kjlc-392',
    address: '0a',
    options: { convection: [] },
    talk: [['#0ARD\r', '*0a 1.53e-06\r\n']],
    channel: 'ion gauge',
    value: 1.53e-6,
  },
  {
    title: 'a supply that knows no checksums',
    instrument: 'tdk-lambda-genesys',
    options: { checksum: false },
    talk: [
      ['ADR 06\r', 'OK\r'],
      ['MV?\r', '5.998\r'],
      ['MC?\r', '12.34\r'],
    ],
    channel: 'voltage',
    value: 5.998,
  },
  {
    title: 'lines that end with LF alone',
    instrument: 'lakeshore-336',
    options: { inputs: ['A'] },
    talk: [
      ['*IDN?\r\n', 'lsci,model 336,LSA12AB,2.9\n'],
      ['KRDG? A\r\n', '+077.350\n'],
      ['RDGST? A\r\n', '000\n'],
    ],
    channel: 'temperature A',
    value: 77.35,
  },
  {
    title: 'lines that end with CR alone, behind an echo',
    instrument: 'lakeshore-336',
    options: { inputs: ['A'] },
    talk: [
      ['*IDN?\r\n', '*IDN?\rLSCI,MODEL336,LSA12AB/LSA34CD,2.9\r'],
      ['KRDG? A\r\n', 'KRDG? A\r+077.350\r'],
      ['RDGST? A\r\n', 'RDGST? A\r000\r'],
    ],
    channel: 'temperature A',
    value: 77.35,
  },
  {
    title: 'the line end of other instruments',
    instrument: 'srs-rga',
    options: { masses: [28], total: [] },
    talk: [
      ['ID?\r', 'SRSRGA200VER0.24SN12345\r\n'],
      ['MR28\r', 'DA\0\0'],
      ['ER?\r', '0\r\n'],
      ['SP?\r', '0.1\n'],
      ['ST?\r', '0.1\n'],
      ['FL?\r', '1.00\r\n'],
    ],
    channel: 'ion current 28',
    value: 16708 / 1e16,
  },
  {
    title: 'input registers',
    instrument: 'eurotherm-modbus',
    options: { read: 'input' },
    talk: [['\x01\x04\x00\x01\x00\x03\xe1\xcb', '\x01\x04\x06\x19\x7c\x1b\x58\x01\xc7\xf4\x65']],
    channel: 'process value',
    value: 6524,
  },
  {
    title: 'a simulator without status, with numbers as programs print them',
    instrument: 'lakeshore-336',
    options: { inputs: [], unchecked: ['B'] },
    talk: [['KRDG? B\r\n', '2.9501E+02\r\n']],
    channel: 'temperature B',
    value: 295.01,
  },
  {
    title: 'a simulator that acts on whole lines, with blanks within a reading and a small e',
    instrument: 'pfeiffer-tpg-262',
    options: { gauges: [1], enquiry: 'line' },
    talk: [
      ['PRX\r\n', '\x06\r\n'],
      ['\x05\r\n', '0, 1.2345e-05 ,1, 7.7000e-02\r\n'],
    ],
    channel: 'pressure 1',
    value: 1.2345e-5,
  },
];

describe('read as well:', () => {
  test.concurrent.for(VARIANTS)('$instrument, $title', async (variant, { onTestFinished }) => {
    const { instrument, address = null, options = {}, channel, value } = variant;
    const talk = variant.talk.map(([question, answer]) => ({ in: bytesOf(question), out: bytesOf(answer), next: [] }));
    const rig = await startPlayedRig(onTestFinished, { instrument, address, options, talk, timeoutMs: 1500 });
    await rig.until(() => rig.sink.values(channel).length > 3);
    expect(new Set(rig.sink.values(channel))).toEqual(new Set([value]));
  });
});

/** What the ion gauge's question makes of a frame, without a line; null: it waits for another one. */
function readLine(text: string): Reply | null {
  const profile = loadInstrument({ instrument: 'kjlc-354', options: {}, line: {}, address: null });
  const [question] = compileProfile(profile).questions;
  const steps = question?.ask.exchange();
  steps?.next();
  const step = steps?.next({ bytes: bytesOf(text), atMs: 0 });
  if (!step?.done) return null;
  const reply = step.value;
  return reply.kind === 'text' && !question?.cutter.fits(reply.text)
    ? { ...reply, kind: 'malformed', raw: text, reason: '' }
    : reply;
}

test('a reply of 13 characters that lost one is no value, whichever it was', () => {
  const whole = '*01 1.53E-06\r';
  expect(readLine(whole)).toMatchObject({ kind: 'text', text: '1.53E-06' });
  for (let at = 0; at < whole.length - 1; at++) {
    const reply = readLine(whole.slice(0, at) + whole.slice(at + 1));
    // The blank carries nothing: without it the value is what it was.
    if (at === 3) expect(reply).toMatchObject({ kind: 'text', text: '1.53E-06' });
    else expect(reply?.kind ?? 'none', `without character ${at}`).toMatch(/none|malformed/);
  }
});

test('a reply that gained a character is no value either', () => {
  const whole = '*01 1.53E-06\r';
  for (let at = 1; at < whole.length; at++) {
    for (const more of ['0', '1', '.', '-', 'E']) {
      const reply = readLine(whole.slice(0, at) + more + whole.slice(at));
      expect(reply?.kind ?? 'none', `${more} before character ${at}`).toMatch(/none|malformed/);
    }
  }
});
