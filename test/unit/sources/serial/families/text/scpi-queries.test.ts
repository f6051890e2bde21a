// What may be asked of an instrument that speaks SCPI, against headers as manuals have them: 10,000 of them, in long and short
// forms, any case, with numbers, colons, parameters and several in a line. What is let through is on the list below, which
// is written out here once more, and nothing of it acts.
import { describe, expect, test } from 'vitest';
import { refuseCommand } from '../../../../../../src-main/sources/serial/families/text/ascii-commands.ts';

const isAsked = (text: string, set = 'scpi') => refuseCommand(set, text, '\r\n') === null;

/** Each node in short and long form, as manuals print it. Those in the second list act, measure, or take something away. */
const READING_NODES =
  'SYSTem ERRor NEXT COUNt VERSion STATus OPERation QUEStionable CONDition ENABle FETCh SCALar ARRay VOLTage CURRent POWer RESistance FRESistance TEMPerature FREQuency PRESsure FLOW DC AC SENSe DATA LATest LAST POINts FUNCtion ON RANGe UPPer AUTO NPLCycles AVERage STATe OUTPut PROTection TRIPped INPut SOURce LEVel IMMediate AMPLitude LIMit MODE UNIT';
const ACTING_NODES =
  'MEASure READ INITiate ABORt CLEar SAVe RECall TEST TST SELFtest SELFTEST CALibration CONFigure TRIGger ACQuire REMove RESET PRESET STARt STOP TRACe FEED ZERO MEMory DELete ROUTe CLOSe OPEN SCAN EVENt DISPlay HCOPy FORMat ARM';
const COMMON = '*IDN *OPT *STB *ESE *SRE *RST *TST *CAL *TRG *SAV *RCL *CLS *ESR *OPC *LRN *WAI *PSC *DDT';
const nodes = (text: string) => text.split(' ');
const ACTING = new Set(nodes(ACTING_NODES).flatMap((node) => [node.replace(/[a-z]/g, ''), node.toUpperCase()]));

/** What is on the list, by long forms, with what may be left out of it in brackets. */
const LISTED = [
  ...['*IDN', '*OPT', '*STB', '*ESE', '*SRE', 'SYSTEM ERROR [NEXT]', 'SYSTEM ERROR COUNT', 'SYSTEM VERSION'],
  ...['OPERATION', 'QUESTIONABLE'].flatMap((register) =>
    ['CONDITION', 'ENABLE'].map((part) => `STATUS ${register} ${part}`),
  ),
  ...['', 'SCALAR ', 'ARRAY '].flatMap((shape) => [
    `FETCH ${shape}`,
    ...'VOLTAGE CURRENT POWER RESISTANCE FRESISTANCE TEMPERATURE FREQUENCY PRESSURE FLOW'
      .split(' ')
      .flatMap((what) => ['', 'DC', 'AC'].map((kind) => `FETCH ${shape}${what} ${kind}`)),
  ]),
  ...['[SENSE] DATA [LATEST]', 'DATA LAST', 'DATA POINTS', '[SENSE] FUNCTION [ON]'],
  ...'VOLTAGE CURRENT RESISTANCE FRESISTANCE TEMPERATURE'
    .split(' ')
    .flatMap((what) =>
      ['', 'DC', 'AC'].flatMap((kind) => [
        ...(what === 'TEMPERATURE' ? [] : ['RANGE [UPPER]', 'RANGE AUTO']).map((of) => `[SENSE] ${what} ${kind} ${of}`),
        ...['NPLCYCLES', 'AVERAGE [STATE]'].map((of) => `[SENSE] ${what} ${kind} ${of}`),
      ]),
    ),
  ...['OUTPUT [STATE]', 'OUTPUT PROTECTION TRIPPED', 'INPUT [STATE]', 'UNIT'],
  ...['TEMPERATURE', 'PRESSURE', 'POWER'].map((what) => `UNIT ${what}`),
  ...['VOLTAGE', 'CURRENT', 'POWER'].flatMap((what) => [
    `[SOURCE] ${what} [LEVEL] [IMMEDIATE] [AMPLITUDE]`,
    ...['PROTECTION', 'LIMIT'].flatMap((bound) =>
      ['[LEVEL]', 'STATE', 'TRIPPED'].map((of) => `[SOURCE] ${what} ${bound} ${of}`),
    ),
    ...['MODE', 'STATE'].map((of) => `[SOURCE] ${what} ${of}`),
  ]),
];

/** A path with what may be left out, as each path that it stands for. */
function unfold(path: readonly string[]): string[][] {
  const [first, ...rest] = path;
  if (first === undefined) return [[]];
  const tails = unfold(rest);
  const name = first.replace(/[[\]]/g, '');
  const withIt = tails.map((tail) => [name, ...tail]);
  return first.startsWith('[') ? [...withIt, ...tails] : withIt;
}
const LONG_PATHS = LISTED.flatMap((path) =>
  unfold(path.split(' ').filter((node) => node !== '')).map((one) => one.join(':')),
);
const SHORT = new Map(
  nodes(`${READING_NODES} ${ACTING_NODES}`).map((node) => [node.toUpperCase(), node.replace(/[a-z]/g, '')] as const),
);

/** A header in short forms, without its numbers: what two spell alike is one. */
const shortPath = (header: string) =>
  header
    .replace(/^:(?!\*)/, '')
    .toUpperCase()
    .split(':')
    .map((node) => node.replace(/\d{0,2}$/, ''))
    .map((node) => SHORT.get(node) ?? node)
    .join(':');
const SHORT_PATHS = new Set(LONG_PATHS.map(shortPath));

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const PARAMETERS = [
  '',
  '',
  '',
  ' (@101)',
  ' (@101:110)',
  ' CH1',
  ' P6V',
  ' 10',
  ' 10,0.001,(@101:110)',
  ' MAX',
  ' "a"',
  ' DEF',
];

function makeHeader(random: () => number): { readonly header: string; readonly tail: string } {
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const spell = (node: string) => {
    const form = random() < 0.5 ? node.replace(/[a-z]/g, '') : node;
    const shown = random() < 0.4 ? form.toLowerCase() : random() < 0.5 ? form.toUpperCase() : form;
    return random() < 0.15 ? `${shown}${1 + Math.floor(random() * 4)}` : shown;
  };
  if (random() < 0.1) return { header: pick(nodes(COMMON)), tail: `?${pick(PARAMETERS)}` };
  // Half of them are listed ones, spelled somehow; the others any words, more of them of the kind that acts.
  const listed = pick(LONG_PATHS).split(':');
  const chosen =
    random() < 0.5 && !listed[0]?.startsWith('*')
      ? listed.map((long) => nodes(READING_NODES).find((node) => node.toUpperCase() === long) as string)
      : Array.from({ length: 1 + Math.floor(random() * 4) }, () =>
          pick(nodes(random() < 0.5 ? ACTING_NODES : READING_NODES)),
        );
  // Somewhere among them one that acts.
  if (random() < 0.2) chosen.splice(Math.floor(random() * (chosen.length + 1)), 0, pick(nodes(ACTING_NODES)));
  const header = (random() < 0.4 ? ':' : '') + chosen.map(spell).join(':');
  const end = random() < 0.9 ? '?' : '';
  const more = random() < 0.1 ? pick([';*RST', ';:OUTP ON', '; INIT', '\r\nOUTP ON', ';*IDN?']) : '';
  return { header, tail: `${end}${pick(PARAMETERS)}${more}` };
}

test('of 10,000 headers each that is let through is on the list, and each on the list is let through', () => {
  const random = seeded(2400);
  const count = { asked: 0, refused: 0 };
  for (let made = 0; made < 10_000; made++) {
    const { header, tail } = makeHeader(random);
    const isListed = SHORT_PATHS.has(shortPath(header)) && /^\?( \(@[\d:]+\)| CH1| P6V)?$/.test(tail);
    // A number is only taken where the manuals have one; a listed header with one elsewhere may be refused.
    const hasNumber = /\d/.test(header);
    const text = header + tail;
    if (isAsked(text)) {
      count.asked += 1;
      expect(isListed, text).toBe(true);
      expect(
        header
          .toUpperCase()
          .replace(/\d/g, '')
          .split(':')
          .filter((node) => ACTING.has(node)),
        text,
      ).toEqual([]);
    } else {
      count.refused += 1;
      expect(isListed && !hasNumber, text).toBe(false);
    }
  }
  // Else the test has said nothing.
  expect(count.asked).toBeGreaterThan(1000);
  expect(count.refused).toBeGreaterThan(3000);
});

describe('what switches, measures or clears is not asked', () => {
  const acting = [
    ...[':MEAS:VOLT?', ':MEAS:CURR?', 'MEAS:VOLT:DC? 10,0.001,(@101:110)', 'MEAS2:CURR?', ':ABOR?', 'TRAC:CLE?'],
    ...[
      ':SOUR:CLE?',
      '*SAV?',
      ':SYST:SELFTEST?',
      'ZERO:ACQ?',
      'MEASURE:RES?',
      'READ?',
      'INIT?',
      '*TST?',
      '*RCL? 1',
      'R? 10',
    ],
    ...[
      'DATA:REM? 5',
      'SENS:ZERO:ACQ?',
      'OUTP:PROT:CLE?',
      '*ESR?',
      'STAT:OPER?',
      'FETC? 10',
      'VOLT? 5',
      'FETC?;:OUTP ON',
    ],
  ];
  const sets = ['scpi', 'lakeshore', 'getters'];
  test.each(sets.flatMap((set) => acting.map((text) => [set, text])))('%s refuses %j', (set, text) => {
    expect(isAsked(text as string, set as string)).toBe(false);
  });

  test.each([
    'FETC?',
    ':FETCH?',
    'syst:err?',
    'SYSTem:ERRor:NEXT?',
    'OUTP1:STAT?',
    ':SOUR:VOLT:LEV:IMM:AMPL?',
    'FETC? (@101:110)',
  ])('but %j is', (text) => {
    expect(isAsked(text)).toBe(true);
  });
});
