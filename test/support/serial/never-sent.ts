// What must never be sent: the rows of pumps, their gauges and flow controllers, whose protocols tell a question from a command
// by a number, a letter or a mark. Those of the other families stand in read-only.test.ts, which tries them all.

/** What a family must let through and what it must never send. */
export interface Never {
  readonly protocol: Record<string, unknown>;
  readonly address: string | number | null;
  /** How it says what it is, where its family wants that first. */
  readonly identity?: { readonly ask: string; readonly pattern: string };
  /** A question that is allowed: else a refusal proves nothing. Null: instruments of this family are only listened to. */
  readonly allowed: unknown;
  /** Questions that act, or could. */
  readonly never: readonly unknown[];
  /** What is heard, where nothing may be asked and the family wants it said. */
  readonly hear?: unknown;
  /** Lines, as they would go over the wire, that the second wall must stop. */
  readonly bytes?: readonly string[];
}

/** By family, as `read-only.test.ts` has it. Manuals and drivers are named in instruments' profiles. */
export const NEVER_TO_PUMPS_AND_FLOW: Readonly<Record<string, Never>> = {
  // P programs, Z clears, F and B begin batches and blends; a port with an even number is an output.
  'brooks-az': {
    protocol: {},
    address: null,
    allowed: '.01K',
    never: ['.02P01=30', '.01P04?', '.01Z1', 'Z4', '.02F*S', 'B', 'M', '.02K', '.09V', '.1K', '.01k', '', 'A', 'N'],
    bytes: ['AZ.02P01=30\r', 'AZ.01Z1\r', 'AZ00909.01K\r', 'AZ.01K\rAZ.01Z1\r', 'AZ.01K', 'AZ\r', '\x1bAZ\r'],
  },
  // 37 and 38 switch the high voltage, 0E sets the unit, FF restarts; ED and 54 read or set.
  'gamma-vacuum': {
    protocol: {},
    address: 1,
    allowed: { command: '0B', supply: '01' },
    never: [
      ...['37', '38', '0E', '07', 'FF', 'ED', '54', '55', '4F', '91', '12', '1E', '0b', '', '0B 01'].map((command) => ({
        command,
      })),
      { command: '0B', supply: '5' },
      { command: '0B', supply: '01, T' },
      { command: '0B', data: 'T' },
      '~ 01 37 01 B4\r',
    ],
    bytes: [
      '~ 01 37 01 A8\r',
      '~ 01 0E T EA\r',
      '~ 01 0B 01 B5\r',
      '~ 02 0B 01 B5\r',
      '~ 01 0B 01 00\r',
      '~ 01 0B 01 B4\r~ 01 37 01 A8\r',
      '~ 01 0B 01 B4',
      '\r',
    ],
  },
  // ! sets: SX the set point, VO opens and closes the valve, CA the address.
  'mks-mfc': {
    protocol: {},
    address: 1,
    allowed: 'FX',
    never: ['SX!10', 'VO!PURGE', 'VO', 'CA!002', 'FX?', 'fx', 'WK', 'RS', '', 'FX?;FF@@@001SX!1', 3],
    bytes: [
      '@@@001SX!10.0;69',
      '@@@001VO!PURGE;FF',
      '@@@001FX?;FF',
      '@@@002FX?;EA',
      '@@@001FX?;E9@@@001VO!PURGE;FF',
      '@@@001FX?;',
    ],
  },
  // Action 10 sets; 000 and 9xx speak to all units at once.
  'pfeiffer-telegram': {
    protocol: {},
    address: 1,
    allowed: { parameter: 309, as: 'u_integer' },
    never: [
      { parameter: 10, as: 'boolean_old', data: '111111' },
      { parameter: 10, action: 10 },
      { parameter: 1000, as: 'u_integer' },
      { parameter: '010', as: 'u_integer' },
      { parameter: 309 },
      '0011001006111111015',
      '',
    ],
    bytes: [
      '0011001006111111015\r',
      '0010030902=?108\r',
      '0020030902=?108\r',
      '0000030902=?106\r',
      '0011030902=?108\r',
      '0010030902=?107\r0011001006111111015\r',
      '0010030902=?107',
    ],
  },
  // Command 01 sets with an answer, 02 without, 03 on all nodes at once.
  propar: {
    protocol: {},
    address: 3,
    allowed: { process: 1, parameter: 0, as: 'measure16' },
    never: [
      { process: 1, parameter: 1, as: 'uint16', value: 16_000 },
      { process: 129, parameter: 0, as: 'uint16' },
      { process: 1, parameter: 32, as: 'uint16' },
      { process: 1, parameter: 0, as: 'int16' },
      { process: 1, parameter: 0, as: 'uint16', command: 1 },
      ':06030101213E80',
      '',
    ],
    bytes: [
      ':06030101213E80\r\n',
      ':06030201213E80\r\n',
      ':06030301213E80\r\n',
      ':06040401210120\r\n',
      ':06030481210120\r\n',
      ':06030401A10120\r\n',
      ':06030401210120\r\n:06030101213E80\r\n',
      ':06030401210120',
      '\r\n',
    ],
  },
};
