// Queries of SCPI and IEEE 488.2 that only read, in the notation of the manuals: VOLTage is written VOLT or VOLTAGE in any
// case, [ ] may be left out, # stands for a numeric suffix, | parts alternatives. What is not in these lists is not asked.
//
// Left out on purpose, since a question mark does not make a question: MEASure and READ begin a measurement, for which a
// source switches its output on (Keithley 2400 manual 17-5, 18-72); CONFigure, INITiate, ABORt, TRIGger, ACQuire, CLEar,
// SAVe, RECall, CALibration and self-tests act; *ESR and the EVENt registers are cleared by reading; R and DATA:REMove take
// readings out of the memory.

/** State, settings, and the reading that was taken last. SYSTem:ERRor takes the oldest error out of its queue, no more. */
export const STATE_QUERIES: readonly string[] = [
  '*IDN',
  '*OPT',
  '*STB',
  '*ESE',
  '*SRE',
  'SYSTem:ERRor[:NEXT]',
  'SYSTem:ERRor:COUNt',
  'SYSTem:VERSion',
  'STATus:(OPERation|QUEStionable):(CONDition|ENABle)',
  'FETCh#[:SCALar|:ARRay][:(VOLTage|CURRent|POWer|RESistance|FRESistance|TEMPerature|FREQuency|PRESsure|FLOW)#[:(DC|AC)]]',
  '[SENSe#:]DATA[:LATest]',
  'DATA:LAST',
  'DATA:POINts',
  '[SENSe#:]FUNCtion#[:ON]',
  '[SENSe#:](VOLTage|CURRent|RESistance|FRESistance)[:(DC|AC)]:RANGe[:UPPer]',
  '[SENSe#:](VOLTage|CURRent|RESistance|FRESistance)[:(DC|AC)]:RANGe:AUTO',
  '[SENSe#:](VOLTage|CURRent|RESistance|FRESistance|TEMPerature)[:(DC|AC)]:NPLCycles',
  '[SENSe#:](VOLTage|CURRent|RESistance|FRESistance|TEMPerature)[:(DC|AC)]:AVERage[:STATe]',
  'OUTPut#[:STATe]',
  'OUTPut#:PROTection:TRIPped',
  'INPut#[:STATe]',
  '[SOURce#:](VOLTage|CURRent|POWer)#[:LEVel][:IMMediate][:AMPLitude]',
  '[SOURce#:](VOLTage|CURRent|POWer)#:(PROTection|LIMit)[:LEVel]',
  '[SOURce#:](VOLTage|CURRent|POWer)#:(PROTection|LIMit):(STATe|TRIPped)',
  '[SOURce#:](VOLTage|CURRent|POWer)#:(MODE|STATe)',
  'UNIT[:(TEMPerature|PRESsure|POWer)]',
];

/** What a supply measures at its terminals; other instruments may switch something on for it. */
export const SUPPLY_READINGS: readonly string[] = ['MEASure[:SCALar](:VOLTage|:CURRent|:POWer)[:DC]'];

/** Behind a header: nothing, or which channel. A number would be a range, and set it. */
const CHANNEL = '( ?\\(@\\d{1,4}([,:]\\d{1,4})*\\)| CH\\d| [PN]\\d{1,2}V)?';

/** Make the pattern that fits each way to write one of these queries, and nothing else. */
export function queryPattern(notations: readonly string[]): RegExp {
  return new RegExp(`^(?:${notations.map(headerOf).join('|')})\\?${CHANNEL}$`, 'i');
}

/** A common command has no colon before it, another header may. */
function headerOf(notation: string): string {
  const pattern = notation.replace(/([A-Z]+)([a-z]*)|[#[\]*(]/g, (found, short?: string, rest = '') => {
    if (short !== undefined) return rest === '' ? short : `${short}(?:${rest})?`;
    return { '#': '\\d{0,2}', '[': '(?:', ']': ')?', '*': '\\*', '(': '(?:' }[found] as string;
  });
  return notation.startsWith('*') ? pattern : `:?${pattern}`;
}
