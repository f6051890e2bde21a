// Which lines of text are questions, by the language that an instrument speaks. This is the allow-list of `line-ascii`: a
// profile names one of these sets, and a line that its set does not hold is refused when the profile is loaded and again
// when it would be written. No set lets a control character or a `;` through, so nothing can ride along behind a question.

export interface CommandSet {
  readonly about: string;
  /** One of these fits the whole line, without its terminator. */
  readonly allowed: readonly RegExp[];
  /** None of these fits it, although one of `allowed` does. */
  readonly forbidden: readonly RegExp[];
}

const WORD = '[A-Za-z][A-Za-z0-9_]*';

export const COMMAND_SETS: Readonly<Record<string, CommandSet>> = {
  // IEEE 488.2 and SCPI, and the many that follow them: a header that ends with ?, then parameters.
  scpi: {
    about: 'queries of SCPI kind: a header that ends with ?',
    allowed: [new RegExp(`^\\*?:?${WORD}(:${WORD})*\\?( ?[A-Za-z0-9_.,@():"' +-]*)?$`)],
    // They end with ?, and do something: self test and calibration move relays and heat.
    forbidden: [/^\*(TST|CAL|RST|TRG)/i, /(^|:)(CAL|TEST|TST)/i],
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
};

/** Why a line is not known to be a question; null when it is. */
export function refuseCommand(setName: string, text: string): string | null {
  const set = Object.hasOwn(COMMAND_SETS, setName) ? COMMAND_SETS[setName] : undefined;
  if (!set) return `there is no set of commands "${setName}" (${Object.keys(COMMAND_SETS).join(', ')})`;
  const isAllowed = set.allowed.some((pattern) => pattern.test(text)) && !/[;\p{Cc}]/u.test(text);
  if (isAllowed && !set.forbidden.some((pattern) => pattern.test(text))) return null;
  return `${JSON.stringify(text)} is not known to only read (allowed: ${set.about})`;
}
