// No profile can make this agent act on the tool: each family lets through what is on its list and nothing else, when a
// profile is loaded and again when bytes are written. A family that is not in the table below fails.
import { describe, expect, test } from 'vitest';
import type { InstrumentInput } from '../../../../src-main/model/instrument.ts';
import { compileProfile } from '../../../../src-main/sources/serial/compile-profile.ts';
import { families } from '../../../../src-main/sources/serial/families/families.ts';
import { loadInstrument } from '../../../../src-main/sources/serial/profile-library.ts';

interface Never {
  readonly protocol: Record<string, unknown>;
  readonly address: string | number | null;
  /** A question that is allowed: else a refusal proves nothing. */
  readonly allowed: unknown;
  /** Questions that act, or could. */
  readonly never: readonly unknown[];
  /** Lines, as they would go over the wire, that the second wall must stop. */
  readonly bytes?: readonly string[];
}

/** By family: what must never be sent. Manuals and drivers are named in instruments' profiles. */
const NEVER: Readonly<Record<string, Never>> = {
  'line-ascii': {
    protocol: { commands: 'scpi' },
    address: null,
    allowed: 'KRDG? A',
    never: [
      ...[
        'SETP 1,300',
        'RANGE 1,3',
        '*RST',
        '*TST?',
        '*CAL?',
        ':CAL:ZERO?',
        'OUTP ON',
        'KRDG?;*RST',
        'KRDG? A;SETP 1,300',
      ],
      ...['KRDG? A\r\nSETP 1,300', 'KRDG? A\nOUTP ON', '', '?', 'SETP1,300?\r*RST', 'KRDG\u0000?'],
    ],
  },
  // IG1 switches a filament on, DG1 degasses, TS and TZ calibrate, SL sets a relay, FAC loads defaults, SPO cuts the line off.
  'hash-address': {
    protocol: {},
    address: '01',
    allowed: 'RD',
    never: [
      ...['IG1', 'IG0', 'DG1', 'TS7.60E+02', 'TZ', 'SL+1.0E-05', 'SA20', 'FAC', 'RST', 'SB9600', 'SPO', 'UNL'],
      'F1 1',
      'PC1 7.6E-06',
      '#02IG1',
      'RD\r#01IG1',
      'rd',
      '0F',
      '30U1',
      '',
    ],
    bytes: ['#01IG1\r', '#02RD\r', '#01RD\r#01IG1\r', '#01RD\n', 'RD\r', '#01DG1\r', '#01RDIG1\r'],
  },
  // A question mark does not make a question: VAC zeroes a gauge, FD loads defaults, XDL erases memory.
  'mks-at': {
    protocol: {},
    address: 253,
    allowed: 'PR1',
    never: ['VAC1', 'QZ1', 'FD1', 'FD', 'XDL', 'CP1!ON', 'DG1!ON', 'U!TORR', 'PR1?;FF@253CP1!OFF', 'pr1', ''],
    bytes: ['@253CP1!ON;FF', '@253VAC1?;FF', '@254PR1?;FF', '@253PR1?;FF@253CP1!OFF;FF', '@253PR1!1;FF', '@253PR1?'],
  },
  // `re` restarts a sensor head; letters and a number set; 98 and 99 speak to all.
  upp: {
    protocol: {},
    address: '00',
    allowed: 'ms',
    never: ['re', 'em0970', 'ez3', 'lz', 'as1', 'ms\r', 'MS', 'la1', ''],
    bytes: ['00re\r', '00em0970\r', '98ms\r', '00ms\r00re\r', '00ms', '00ms025\r'],
  },
  maxtek: {
    protocol: {},
    address: 1,
    allowed: 'run-time-values',
    never: ['start', 0x1d, '1e', '', 'controller-status'],
    bytes: [
      '\xff\xfe\x01\x1d\x00\xe2',
      '\xff\xfe\x01\x1f\x01\x05\xda',
      '\xff\xfe\x02\x1e\x00\xe1',
      '\xff\xfe\x01\x1e\x00\xe1\xff\xfe\x01\x00\x00\xff',
    ],
  },
  // '1' and data would write a window: 011 switches high voltage.
  'agilent-window': {
    protocol: {},
    address: 0,
    allowed: '812',
    never: ['0111', '0111\x03B2', '81', 812, '', '8120'],
    bytes: ['\x02\x800111\x03B3', '\x02\x800111\x03B1', '\x02\x808121\x0389', '\x02\x808120\x0388\x02\x800111\x03B3'],
  },
  genesys: {
    protocol: {},
    address: 6,
    allowed: 'MV?',
    never: ['OUT 1', 'OUT 0', 'PV 5', 'PC 1', 'RST', 'RMT 1', 'SAV', 'MV?\rOUT 1', '\\', 'mv', 'ADR 7', ''],
    bytes: ['OUT 1\r', 'OUT 1$49\r', 'ADR 07$5E\r', 'MV?$E2\rOUT 1\r', '\\\r', 'MV?\r'],
  },
};

const latin1 = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));

function profileOf(name: string, { protocol, address }: Never, ask: unknown): InstrumentInput {
  const question = { id: 'q', ask, channels: [{ name: 'x' }] };
  return { name: 'planted', title: 'Planted', family: name, protocol, address, questions: [question] };
}

const load = (profile: InstrumentInput) =>
  compileProfile(loadInstrument({ instrument: profile, options: {}, line: {}, address: null }));

test('every family has its list of what it must never send', () => {
  expect(Object.keys(NEVER).sort()).toEqual([...families.keys()].sort());
});

describe.each(Object.entries(NEVER))('%s', (name, never) => {
  test('lets a question through that only reads', () => {
    expect(load(profileOf(name, never, never.allowed)).questions).toHaveLength(1);
  });

  test.each(never.never.map((ask) => [JSON.stringify(ask), ask]))('refuses %s when the profile is loaded', (_, ask) => {
    expect(() => load(profileOf(name, never, ask))).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^serial\.(not-read-only|profile-broken)$/) }),
    );
  });

  test('writes what it asks, and what brings the line in step', () => {
    const { family, questions } = load(profileOf(name, never, never.allowed));
    const first = questions[0]?.ask.exchange().next();
    expect(first?.done ? null : first?.value.send?.length).toBeGreaterThan(0);
    if (family.neutral.length > 0) expect(family.mayWrite(family.neutral)).toBe(true);
  });

  test.each((never.bytes ?? []).map((bytes) => [JSON.stringify(bytes), bytes]))('never writes %s', (_, bytes) => {
    expect(load(profileOf(name, never, never.allowed)).family.mayWrite(latin1(bytes))).toBe(false);
  });
});

test.each(['SETPOINT 5', 'RELAY_ON', 'GET_X;SET_Y', 'STATUS\nRELAY 1 ON', 'SET_RELAY', 'ON'])(
  'a board is never sent %s',
  (ask) => {
    const never = { protocol: { commands: 'getters', send_end: 'lf' }, address: null, allowed: 'STATUS', never: [] };
    expect(load(profileOf('line-ascii', never, 'STATUS')).questions).toHaveLength(1);
    expect(() => load(profileOf('line-ascii', never, ask))).toThrow(
      expect.objectContaining({ code: 'serial.not-read-only' }),
    );
  },
);
