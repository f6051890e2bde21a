// Which lines of text are questions, by the language that an instrument speaks. This is the allow-list of `line-ascii`: a
// profile names one of these sets, and a line that its set does not hold is refused when the profile is loaded and again
// when it would be written. No set lets a control character or a `;` through, so nothing can ride along behind a question.

export interface CommandSet {
  readonly about: string;
  /** One of these fits the whole line, without its terminator. */
  readonly allowed: readonly RegExp[];
  /** None of these fits it, although one of `allowed` does. */
  readonly forbidden: readonly RegExp[];
  /** Its questions are single characters that nothing ends. Elsewhere the end keeps two questions from making up a third. */
  readonly isBare?: true;
}

const WORD = '[A-Za-z][A-Za-z0-9_]*';

export const COMMAND_SETS: Readonly<Record<string, CommandSet>> = {
  // IEEE 488.2 and SCPI, and the many that follow them: a header that ends with ?, then parameters.
  scpi: {
    about: 'queries of SCPI kind: a header that ends with ?',
    allowed: [new RegExp(`^\\*?:?${WORD}(:${WORD})*\\?( ?[A-Za-z0-9_.,@():"' +-]*)?$`)],
    // They end with ?, and do something: self test and calibration move relays and heat, READ? and MEAS? alone begin a
    // measurement, for which a source switches its output on. Meters that want READ? have a set of their own.
    forbidden: [/^\*(TST|CAL|RST|TRG)/i, /(^|:)(CAL|TEST|TST|INIT|READ|CONF)/i, /^:?MEAS(URE)?\?/i],
  },
  // Boards with a program of the lab's own: words that say they only read.
  getters: {
    about: 'STATUS, VERSION, or a word that begins with GET_ or READ_ or ends with ?',
    allowed: [
      /^(STATUS|VERSION|ID|PING|INFO)$/i,
      new RegExp(`^(GET|READ)_${WORD}( [A-Za-z0-9_]+)?$`, 'i'),
      new RegExp(`^${WORD}\\?$`),
    ],
    forbidden: [],
  },
  // Granville-Phillips 307, 350, 316, 358, 360: display a pressure, relay states, degas. IG1 ON, DG ON, PC... act.
  granville: {
    about: 'DS and a gauge, PCS, DGS',
    allowed: [/^DS (IG[12]?|CG[1-6]?)$/, /^PCS( [1-6B])?$/, /^DGS$/],
    forbidden: [],
  },
  'mks-937a': {
    about: 'P1 to P5, PZ, C1, C2, GAUGES, UNIT, VER, with $ and an address over RS-485',
    allowed: [/^(\$\d\d)?(P[1-5Z]|C[12]|GAUGES|UNIT|VER)$/],
    forbidden: [],
  },
  // Its parser takes what comes nearest for a word that it does not know, so nothing near is let through.
  'mks-pr4000': {
    about: '?ID, ?AV1, ?AC1, ?ST, ?RG1 and the same of channel 2',
    allowed: [/^(@\d\d)?\?(ID|ST|(AV|AC|RG)[12])$/],
    forbidden: [],
  },
  // R for a parameter asks for it; a number sets it.
  'mks-647': {
    about: 'FL, ST with a channel, FS, GC, RA with a channel and R, PU R, PR, ID',
    allowed: [/^(FL|ST) [1-8]$/, /^(FS|GC|RA) [1-8] R$/, /^PU R$/, /^(PR|ID)$/],
    forbidden: [],
  },
  'mks-pdr2000': { about: 'p, u, v', allowed: [/^[puv]$/], forbidden: [], isBare: true },
  // Meters without a source. READ? of a source-measure unit may switch its output on: those are not for this set.
  'keithley-meter': { about: 'READ?, FETCH?, *IDN?', allowed: [/^:?(READ|FETCH)\?$/, /^\*IDN\?$/], forbidden: [] },
  // A letter alone polls; a letter with anything behind it sets, tares or holds.
  alicat: { about: 'the letter of a unit', allowed: [/^[A-Z]$/], forbidden: [] },
  'edwards-tic': { about: '?V or ?S and an object', allowed: [/^\?[VS]\d{1,5}$/], forbidden: [] },
  // MES with W would set; HVS, which switches the high voltage, is another word.
  'leybold-mes': { about: 'MES R and a channel', allowed: [/^MES R (TM[12]|PM1?|DM)$/], forbidden: [] },
  vacuubrand: { about: 'IN_PV_1 to IN_PV_4', allowed: [/^IN_PV_[1-4]$/], forbidden: [] },
};

/** Why a line is not known to be a question; null when it is. Takes what is sent behind it, too: nothing is allowed for few. */
export function refuseCommand(setName: string, text: string, end: string): string | null {
  const set = Object.hasOwn(COMMAND_SETS, setName) ? COMMAND_SETS[setName] : undefined;
  if (!set) return `there is no set of commands "${setName}" (${Object.keys(COMMAND_SETS).join(', ')})`;
  if (end === '' && !set.isBare) return `${JSON.stringify(text)} has no end: several could make up a command`;
  const isAllowed = set.allowed.some((pattern) => pattern.test(text)) && !/[;\p{Cc}]/u.test(text);
  if (isAllowed && !set.forbidden.some((pattern) => pattern.test(text))) return null;
  return `${JSON.stringify(text)} is not known to only read (the set "${setName}" allows: ${set.about})`;
}
