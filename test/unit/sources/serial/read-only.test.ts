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
};

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
