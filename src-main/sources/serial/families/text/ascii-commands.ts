// Which lines of text are questions, by the language that an instrument speaks. Each set says in full what may be asked:
// nothing is allowed because nobody forbade it. A profile names one of these sets, and a line that its set does not hold is
// refused when the profile is loaded and again when it would be written. No set lets a control character or a `;` through,
// so nothing can ride along behind a question.
import type { Bond } from '../../protocol/family.ts';
import { queryPattern, STATE_QUERIES, SUPPLY_READINGS } from './scpi-queries.ts';

export interface CommandSet {
  readonly about: string;
  /** One of these fits the whole line, without its terminator. */
  readonly allowed: readonly RegExp[];
  /** Its questions are single characters that nothing ends. Elsewhere the end keeps two questions from making up a third. */
  readonly isBare?: true;
  /** Its questions act on other instruments: what these must say of themselves before the first of them is asked. */
  readonly bond?: Bond;
}

const STATE = queryPattern(STATE_QUERIES);

/** What boards and small gauges call their readings, with a number behind it: PR?, TEMP2?. */
const READINGS = [
  'PR|PRES|PRESS|PRESSURE|TEMP|TEMPERATURE|VOLT|VOLTAGE|CURR|CURRENT|POW|PWR|POWER|FLOW|RATE|THICK|THICKNESS|FREQ|FREQUENCY',
  'HUM|HUMIDITY|LEVEL|SPEED|POS|POSITION|COUNT|COUNTS|VAL|VALUE|VALUES|PV|SP|SETPOINT|STATE|STATUS|VER|VERSION|UNIT|UNITS|ID',
].join('|');

export const COMMAND_SETS: Readonly<Record<string, CommandSet>> = {
  // IEEE 488.2 and SCPI. What other instruments call a query of this form is not in it: they have sets of their own.
  scpi: {
    about:
      'SCPI queries of state, settings and the last reading, such as *IDN?, FETC?, SYST:ERR?, OUTP:STAT?, SOUR:VOLT?; see scpi-queries.ts',
    allowed: [STATE],
  },
  // MEASure of these supplies reads the meter of their own output and sets nothing. That is what is generally known of
  // them, not checked at an instrument: look each up in its manual first.
  'scpi-supply': {
    about: 'what scpi allows, and MEAS:VOLT?, MEAS:CURR?, MEAS:POW?',
    allowed: [STATE, queryPattern(SUPPLY_READINGS)],
    bond: {
      ask: '*IDN?',
      pattern:
        /^(?:(?:HEWLETT-PACKARD|AGILENT TECHNOLOGIES|KEYSIGHT TECHNOLOGIES), ?E36(?:3[1-4]|4\d)A|RIGOL TECHNOLOGIES,DP8\d\dA?|(?:ROHDE&SCHWARZ|HAMEG),HMP\d{4}),/i,
      about: 'a supply of the series HP/Agilent/Keysight E363x and E364x, Rigol DP800 or Rohde & Schwarz HMP',
    },
  },
  // KRDG? and its like. HTRST? is not among them: on a 336 asking clears the error of a heater.
  lakeshore: {
    about:
      '*IDN?, KRDG?, CRDG?, SRDG?, LRDG?, RDGK?, RDGR?, RDGST?, INTYPE?, SETP?, HTR?, RANGE?, each with an input or output',
    allowed: [/^\*IDN\?$/, /^(KRDG|CRDG|SRDG|LRDG|RDGK|RDGR|RDGST|INTYPE|SETP|HTR|RANGE)\?( ([A-D][1-5]?|\d{1,2}))?$/],
  },
  // Boards with a program of the lab's own: words that say they only read.
  getters: {
    about:
      'STATUS, VERSION, ID, PING, INFO, *IDN?; a word that begins with GET_ or READ_; the name of a quantity, or A to D, F, I, P, T, U, V, with a number and ?, such as PR? and TEMP2?',
    allowed: [
      /^(STATUS|VERSION|ID|PING|INFO|\*IDN\?)$/i,
      /^(GET|READ)_[A-Z0-9_]+( [A-Z]?\d{1,3})?$/i,
      new RegExp(`^(${READINGS}|[A-DFIPTUV])_?\\d{0,2}\\?$`, 'i'),
    ],
  },
  // Granville-Phillips 307, 350, 316, 358, 360: display a pressure, relay states, degas. IG1 ON, DG ON, PC... act.
  granville: {
    about: 'DS and a gauge, PCS, DGS',
    allowed: [/^DS (IG[12]?|CG[1-6]?)$/, /^PCS( [1-6B])?$/, /^DGS$/],
  },
  'mks-937a': {
    about: 'P1 to P5, PZ, C1, C2, GAUGES, UNIT, VER, with $ and an address over RS-485',
    allowed: [/^(\$\d\d)?(P[1-5Z]|C[12]|GAUGES|UNIT|VER)$/],
  },
  // Its parser takes what comes nearest for a word that it does not know, so nothing near is let through.
  'mks-pr4000': {
    about: '?ID, ?AV1, ?AC1, ?ST, ?RG1 and the same of channel 2',
    allowed: [/^(@\d\d)?\?(ID|ST|(AV|AC|RG)[12])$/],
  },
  // R for a parameter asks for it; a number sets it.
  'mks-647': {
    about: 'FL, ST with a channel, FS, GC, RA with a channel and R, PU R, PR, ID',
    allowed: [/^(FL|ST) [1-8]$/, /^(FS|GC|RA) [1-8] R$/, /^PU R$/, /^(PR|ID)$/],
  },
  // R and a number requests; every other letter, with or without one, acts: O and C drive the valve.
  'mks-651': {
    about: 'R0 to R7, R10, R26 to R30, R33, R34, R37, R38',
    allowed: [/^R([0-7]|10|2[6-9]|30|33|34|37|38)$/],
  },
  'mks-pdr2000': { about: 'p, u, v', allowed: [/^[puv]$/], isBare: true },
  // Meters without a source: READ? begins a measurement, for which a source-measure unit switches its output on.
  'keithley-meter': {
    about: 'READ?, FETCH?, *IDN?',
    allowed: [/^:?(READ|FETCH)\?$/, /^\*IDN\?$/],
    bond: {
      ask: '*IDN?',
      pattern: /^KEITHLEY INSTRUMENTS(?: INC\.?)?, ?MODEL (?:2000|2001|2002|2010|2182A?|6485),/i,
      about: 'a Keithley 2000, 2001, 2002, 2010, 2182 or 6485',
    },
  },
  // A letter alone polls; a letter with anything behind it sets, tares or holds.
  alicat: { about: 'the letter of a unit', allowed: [/^[A-Z]$/] },
  // Cryo-con: what stands behind a blank sets, so nothing does but the input.
  cryocon: {
    about: '*IDN?, INPUT? and INPUT ...:UNITS? of A to D',
    allowed: [/^\*IDN\?$/, /^INPUT\? [A-D]$/, /^INPUT [A-D]:UNITS\?$/],
  },
  'edwards-tic': { about: '?V or ?S and an object', allowed: [/^\?[VS]\d{1,5}$/] },
  // MES with W would set; HVS, which switches the high voltage, is another word.
  'leybold-mes': { about: 'MES R and a channel', allowed: [/^MES R (TM[12]|PM1?|DM)$/] },
  // FuG Probus V: > and a register with ? reads it; anything else behind a register writes.
  fug: { about: '>M0? to >M5?, >S0?, >S1?, >S0A?, >S1A?, >DON?, >CFN?', allowed: [/^>(M[0-5]|S[01]A?|DON|CFN)\?$/] },
  // Out of IN_ and OUT_ only the first; a number behind a word would set.
  julabo: {
    about: 'VERSION, IN_PV_00 to IN_PV_03, IN_SP_00',
    allowed: [/^(VERSION|IN_PV_0[0-3]|IN_SP_00)$/i],
  },
  // READ with a value behind the signal switches some of them (READ:DEV:...:SWHT:ON), so the signals end the line.
  mercury: {
    about: '*IDN?, READ:DEV: with a device and TEMP:SIG:TEMP, HTR:SIG:POWR or PRES:SIG:PRES',
    allowed: [/^\*IDN\?$/, /^READ:DEV:[A-Z0-9]{1,8}(\.[A-Z0-9]{1,8})?:(TEMP:SIG:TEMP|HTR:SIG:POWR|PRES:SIG:PRES)$/],
  },
  // A number before W sets the power, a letter alone switches it on (G) and off (S).
  seren: { about: 'W?, R?', allowed: [/^[WR]\?$/] },
  vacuubrand: { about: 'IN_PV_1 to IN_PV_4', allowed: [/^IN_PV_[1-4]$/] },
  // A channel and the number of a command; a question mark in the place of data reads. 06 resets the line, 30 with data
  // switches the high voltage.
  'varian-dual': {
    about: '# with a channel 0 to 4, 02, 03, 05, 07, 08 or 30, and ?',
    allowed: [/^#[0-4](02|03|05|07|08|30)\?$/],
  },
};

/** The set of a name; undefined when there is none. */
export const commandSet = (name: string): CommandSet | undefined =>
  Object.hasOwn(COMMAND_SETS, name) ? COMMAND_SETS[name] : undefined;

/** Why a line is not known to be a question; null when it is. Takes what is sent behind it, too: nothing is allowed for few. */
export function refuseCommand(setName: string, text: string, end: string): string | null {
  const set = commandSet(setName);
  if (!set) return `there is no set of commands "${setName}" (${Object.keys(COMMAND_SETS).join(', ')})`;
  if (end === '' && !set.isBare) return `${JSON.stringify(text)} has no end: several could make up a command`;
  if (set.allowed.some((pattern) => pattern.test(text)) && !/[;\p{Cc}]/u.test(text)) return null;
  return `${JSON.stringify(text)} is not known to only read (the set "${setName}" allows: ${set.about})`;
}
