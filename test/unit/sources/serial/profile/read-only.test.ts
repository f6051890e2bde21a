// No profile can make this agent act on the tool: each family lets through what is on its list and nothing else, when a
// profile is loaded and again when bytes are written. A family that is not in the table below fails.
import { describe, expect, test } from 'vitest';
import type { InstrumentInput } from '../../../../../src-main/model/instrument.ts';
import { families } from '../../../../../src-main/sources/serial/families/families.ts';
import { compileProfile } from '../../../../../src-main/sources/serial/profile/compile-profile.ts';
import { loadInstrument } from '../../../../../src-main/sources/serial/profile/profile-library.ts';
import { NEVER_TO_PUMPS_AND_FLOW, type Never } from '../../../../support/serial/never-sent.ts';

/** By family: what must never be sent. Manuals and drivers are named in instruments' profiles. */
const NEVER: Readonly<Record<string, Never>> = {
  ...NEVER_TO_PUMPS_AND_FLOW,
  'line-ascii': {
    protocol: { commands: 'scpi' },
    address: null,
    allowed: 'FETC?',
    never: [
      ...[
        'SETP 1,300',
        'RANGE 1,3',
        '*RST',
        '*TST?',
        '*CAL?',
        ':CAL:ZERO?',
        'OUTP ON',
        'FETC?;*RST',
        'FETC?;SETP 1,300',
      ],
      ...['FETC?\r\nSETP 1,300', 'FETC?\nOUTP ON', '', '?', 'SETP1,300?\r*RST', 'FETC\u0000?'],
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
  // A parameter behind a mnemonic sets: SEN switches a gauge, COM starts output, UNI the unit, BAU the line.
  'ack-enq': {
    protocol: {},
    address: null,
    allowed: 'PR1',
    never: ['SEN,2,2', 'SEN', 'COM,0', 'UNI,1', 'BAU,2', 'PR1,1', 'DGS,1', 'RES,1', 'PR7', 'pr1', 'PR1\r\nSEN,2', ''],
    bytes: ['SEN,2\r\n', 'UNI,1\r\n', 'COM,0\r\n', 'PR1\r\nSEN,2\r\n', 'PR1\r\n\x05', 'PR1', '\x05\x05', '\x05\r\n'],
  },
  // Only listened to: what can be sent to these gauges switches degas or changes the unit.
  'bpg-stream': {
    protocol: {},
    address: null,
    allowed: null,
    never: ['degas', 1, '', null],
    bytes: ['\x03\x10\x5d\x94\x01', '\x03\x10\x3e\x00\x4e', '\x07', '\r'],
  },
  // STX in the place of ENQ writes.
  'ei-bisynch': {
    protocol: {},
    address: 1,
    allowed: 'SL',
    never: ['SL25.0', '\x02SL', 'S', 'SL\x05', 'SL\x05\x04', 'PV1', '>1', ''],
    bytes: [
      '\x040011\x02SL25.0\x03\x05',
      '\x040011PV\x05\x040011\x02SL25.0\x03\x05',
      '\x040011PV',
      '\x040012PV\x05',
      '\x040011\x02V\x05',
      '\x04\x04',
    ],
  },
  // R acts (shutter, relays, zero), U changes parameters, S 11 clears what it reads, E says back what is sent.
  'inficon-ack': {
    protocol: { commands: 'xtm2' },
    address: null,
    allowed: 'S 0',
    never: ['R 0', 'R 4', 'R 5', 'U 6 2', 'U 0 1 100', 'S 11', 'S 14', 'E x', 's 1', 'S 0\x06R 0', ''],
    bytes: ['R 0\x06', 'R 4\x06', 'U 6 2\x06', 'S 11\x06', 'S 0\x06R 0\x06', '\x06\x06', 'S 0', 'S 0\x15'],
  },
  // SO (0e) writes, SI (0f) reads.
  'leybold-graphix': {
    protocol: {},
    address: null,
    allowed: '1;29',
    never: ['1;29;5', '1;29 ', '\x0e1;29', '0;1', '6;1', '1', ''],
    bytes: [
      '\x0e1;29;5 \x8a\x04',
      '\x0e5;4;Pa A\x04',
      '\x0f1;29;5 \x89\x04',
      '\x0f1;29 \xf9\x04\x0e5;4;Pa A\x04',
      '\x0f1;29 A\x04',
    ],
  },
  // Functions 5, 6, 15 and 16 write, 8 restarts.
  modbus: {
    protocol: {},
    address: 1,
    allowed: { registers: [1] },
    never: [
      { write: 2, value: 250 },
      { registers: [2], value: 250 },
      { read: 'coils', registers: [1] },
      { read: 6, registers: [1] },
      { registers: [] },
      { registers: [0, 200] },
      { registers: [65_536] },
      'PV',
      '',
    ],
    bytes: [
      '\x01\x05\x00\x13\xff\x00}\xff',
      '\x01\x06\x00\x02\x00\xfa\xa8I',
      '\x01\x0f\x00\x13\x00\x08\x01\xff;\x16',
      '\x01\x10\x00\x02\x00\x01\x02\x00\xfa\x27\xf1',
      '\x01\x08\x00\x01\x00\x00\xb1\xcb',
      '\x01\x03\x00\x01\x00\x01\xd5\xcb',
      '\x01\x03\x00\x01\x00\x01\xd5\xca\x01\x06\x00\x02\x00\xfa\xa8I',
      '\x00\x01\x00\x00\x00\x06\x01\x03\x00\x01\x00\x01',
    ],
  },
  // FL switches the filament, HV the multiplier, DG degasses, CA and CL calibrate, IN resets, TP1 switches the electrometer.
  'srs-rga': {
    protocol: {},
    address: null,
    identity: { ask: 'ID?', pattern: 'SRSRGA.*' },
    allowed: { masses: [28] },
    never: [
      ...['FL1.00', 'FL0', 'HV1400', 'DG3', 'CA', 'CL', 'IN0', 'TP1', 'NF4', 'SC1', 'HS1', 'MR28', 'EC?', 'fl?', ''],
      'FL?\rFL1.00',
      { masses: [0] },
      { masses: [301] },
      { masses: [] },
      { masses: [28], filament: 1 },
      { total: false },
    ],
    bytes: ['FL1.00\r', 'HV1400\r', 'IN0\r', 'MR28\rFL1.00\r', 'MR301\r', 'MR28', 'TP1\r', 'TP?\rHV0\r', 'FL?1\r'],
  },
  // U works the shutter, S and T zero, A to F change films and parameters, Y clears what it reads.
  'inficon-crc': {
    protocol: {},
    address: null,
    allowed: 'L1?',
    never: ['U1', 'U0', 'S', 'T', 'Y', 'C', 'B 1', 'A1 2.70', 'L1?U1', 'l1', 'L', '@@', 'Z', ''],
    bytes: ['!#UP\xa2', '!$U1j\x9b', '!#@O8', '!#@O7!#U', '!#@', '!$@O7', '!%L1?{\x85', '@'],
  },
  // B zeroes the thickness, C the timer, letters with a number set film and shutter.
  smdp: {
    protocol: {},
    address: 16,
    allowed: 'T',
    never: ['B', 'C', 'A', 'D=100', 'T1', 'TT', 't', 'b', 'a1', '\x02', ''],
    bytes: ['\x02\x10\x80B=2\r', '\x02\x10\x80T>4\r\x02\x10\x80B=2\r', '\x02\x11\x80T>5\r', '\x02\x10\x80T>5\r', 'T'],
  },
  // ON1 and OFF switch the compressor, RS1 clears its faults, CHR, CHP and POF move the cold head.
  sumitomo: {
    protocol: {},
    address: null,
    allowed: 'TEA',
    never: ['ON1', 'OFF', 'RS1', 'CHR', 'CHP', 'POF', 'TE5', 'PR3', 'ID2', 'tea', 'TEA,', ''],
    bytes: ['$ON177CF\r', '$OFF9188\r', '$RS12156\r', '$TEAA4B8\r', '$TEAA4B9', '$TEAA4B9\r$ON177CF\r', 'TEAA4B9\r'],
  },
  // Up to 127 they act: 1 switches the output off, 2 on, 8 sets power, 14 the control mode.
  'ae-bus': {
    protocol: {},
    address: 1,
    allowed: { command: 165, as: ['uint16'] },
    never: [
      ...[0, 1, 2, 3, 8, 14, 127, 256, -1].map((command) => ({ command, as: ['uint8'] })),
      { command: 165, as: ['uint16'], data: [1] },
      { command: 165, as: [] },
      'A5',
      '',
    ],
    bytes: [
      '\x08\x01\x09',
      '\x08\x02\x0a',
      '\x0a\x08\xe8\x03\xe9',
      '\x08\xa5\xad\x08\x02\x0a',
      '\x00\xa5\xa5',
      '\x09\xa5\x01\xad',
      '\x15',
    ],
  },
  // U updates parameters, R acts: starts, stops, shutters, zero.
  'inficon-binary': {
    protocol: { commands: 'xtc3' },
    address: null,
    allowed: { ask: 'S 1', as: 'float32' },
    never: [
      ...['R 1', 'R 0', 'U 1 1', 'UG 1', 'S 14', 'S 1 1', 'SS 13 1', 'S1', 's 1', 'S 256', 'S', ''].map((ask) => ({
        ask,
        as: 'float32',
      })),
      { ask: 'S 1', as: 'float32', bytes: [1] },
      'S 1',
    ],
    bytes: ['\x02\x00R\x01S', '\x02\x00S\x01U', '\x02\x00S\x01T\x02\x00R\x01S', '\x04\x00S\x01R\x01\xa7', 'S\x01'],
  },
  // A and B switch the output, C sets power, the other capitals modes, times and guns.
  'aja-dcxs': {
    protocol: {},
    address: null,
    allowed: { ask: 'd', characters: 4 },
    never: [...'ABCDEFGHIZz0>'].map((ask) => ({ ask, characters: 1 })).concat([{ ask: 'dA', characters: 4 }]),
    bytes: ['A', 'B', 'C0100', 'D0', 'dA', 'Z1', '\r'],
  },
  // BR switches the output, BC takes control or lets it go, BP keeps it; S, T and R set.
  cxn: {
    protocol: {},
    address: 0,
    allowed: { ask: 'GP', words: 3 },
    never: [
      ...['BR', 'BC', 'BP', 'SA', 'SO', 'TM', 'TC', 'TP', 'RP', 'RR', 'TD', 'GP\x00\x01', 'gp', ''].map((ask) => ({
        ask,
        words: 1,
      })),
      { ask: 'GP', words: 3, parameters: [1] },
      'GP',
    ],
    bytes: [
      'C\x00BRUU\x00\x00\x01\x81',
      'C\x00BC\x00\x00\x00\x00\x00\xc8',
      'C\x00GP\x00\x00\x00\x00\x00\xdb',
      'C\x00GP\x00\x01\x00\x00\x00\xdb',
      'C\x01GP\x00\x00\x00\x00\x00\xdb',
      'C\x00GP\x00\x00\x00\x00\x00\xdaC\x00BRUU\x00\x00\x01\x81',
    ],
  },
  // Only listened to: commands start and stop the stream, a coil leaves the mode.
  exactus: {
    protocol: {},
    address: null,
    allowed: null,
    hear: { record: 'measurement' },
    never: ['start', 1, '', null],
    bytes: ['\x0211\x03', '\x0200\x03', '\x02VV\x03', '\x01\x05\x00\x13\x00\x00<\x0f', '\r'],
  },
};

/** In the place of a question, where none may be asked. */
const LISTEN = Symbol('listen');
const allowedOf = ({ allowed }: Never) => allowed ?? LISTEN;

const latin1 = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));

function profileOf(name: string, { protocol, address, identity, hear }: Never, ask: unknown): InstrumentInput {
  const planted = { name: 'planted', title: 'Planted', family: name, protocol, address };
  const channels = [{ name: 'x' }];
  if (ask === LISTEN) return { ...planted, unsolicited: [{ id: 'u', hear, channels }] };
  return { ...planted, ...(identity && { identity }), questions: [{ id: 'q', ask, channels }] };
}

const load = (profile: InstrumentInput) =>
  compileProfile(loadInstrument({ instrument: profile, options: {}, line: {}, address: null }));

test('every family has its list of what it must never send', () => {
  expect(Object.keys(NEVER).sort()).toEqual([...families.keys()].sort());
});

describe.each(Object.entries(NEVER))('%s', (name, never) => {
  test('lets a question through that only reads, or none', () => {
    const { questions, heard } = load(profileOf(name, never, allowedOf(never)));
    expect([questions.length, heard.length]).toEqual(never.allowed === null ? [0, 1] : [1, 0]);
  });

  test.each(never.never.map((ask) => [JSON.stringify(ask), ask]))('refuses %s when the profile is loaded', (_, ask) => {
    expect(() => load(profileOf(name, never, ask))).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^serial\.(not-read-only|profile-broken)$/) }),
    );
  });

  test('writes what it asks, and what brings the line in step', () => {
    const { family, questions } = load(profileOf(name, never, allowedOf(never)));
    for (const { ask } of questions) {
      const first = ask.exchange().next();
      expect(first.done ? null : first.value.send?.length).toBeGreaterThan(0);
    }
    if (family.neutral.length > 0) expect(family.mayWrite(family.neutral)).toBe(true);
  });

  test.each((never.bytes ?? []).map((bytes) => [JSON.stringify(bytes), bytes]))('never writes %s', (_, bytes) => {
    expect(load(profileOf(name, never, allowedOf(never))).family.mayWrite(latin1(bytes))).toBe(false);
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
