// Units are parsed as a whole: factors with prefix and power, above a bar and below it (after UCUM's grammar, with the names
// that logs use). What does not parse is no unit, and neither is a part of it.

/** Take a metric prefix: mTorr, kPa, µA. */
const PREFIXED = new Set(
  (
    'm g s A K mol cd Hz N Pa J W C V F Ω ohm Ohm Ohms S Wb T H lm lx Bq Gy bar Torr TORR torr atm eV L l Å Gs gauss Oe cps rad sr ' +
    'sl slm slpm sccm sL Nl NL nl ln Ln VA VAR Wh Ah cal Da px VDC VAC ADC AAC Vrms Vpp sample Sa'
  ).split(' '),
);
/** Stand as they are. */
const PLAIN = new Set(
  (
    '% ‰ ppm ppb ppt ° deg Deg °C ºC ℃ °F ℉ °K degC deg_C deg.C DegC degF degK C F R Grad min h hr hrs hour hours sec secs second seconds minute minutes msec usec day days ' +
    'psi psia psig mmHg inHg inH2O mmH2O mbara mbarg bara barg torr in inch ft lb lbs oz mil mils ' +
    'SCCM SLM SLPM sccs scfm scfh SCFM sccm smL sml Nml NmL mln smLpm lpm LPM slph ccm cc ML monolayer monolayers Mbar mBar MBAR mTORR ' +
    'rpm RPM rps # count counts Counts cts ct CPS kcps arb. arb.u. arb.units a.u. au units dB dBm dBV dBc ' +
    'mol% at% at.% wt% vol% %RH pH turns rev amu Ang Angstrom Å A° FS %FS FS% digits bits bytes steps pulses frames px'
  ).split(' '),
);
/** Before any of them; the large ones only where no name of a channel is written so, as PV and MV are. */
const PREFIXES = ['k', 'm', 'µ', 'μ', 'u', 'n', 'p', 'f', 'a'];
const LARGE = /^(?:[GMTK](?:Hz|Pa|W|Ω|ohm|Ohm|Ohms|eV|J|B)|hPa|[cd](?:m|l|L|P)|h[lL]|dB)$/;
const LENGTH_MAX = 24;

/** Below a bar they are everywhere; alone behind one they are the rest of a unit that was not understood. */
const BELOW =
  /^(?:[mµun]?s|secs?|seconds?|min|minutes?|h|hrs?|hours?|d|days?|cycles?|[cmkµnd]?m(?:[23²³]|\^[23])|[LlK])$/;

/** Behind a factor: cm3, cm-2, m^2, s⁻¹. */
const POWER = /(?:\^?\(?[+-]?\d{1,2}\)?|\*\*[+-]?\d{1,2}|[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]{1,3})$/;

function isAtom(text: string): boolean {
  if (PLAIN.has(text) || PREFIXED.has(text) || LARGE.test(text)) return true;
  return PREFIXES.some((prefix) => text.startsWith(prefix) && PREFIXED.has(text.slice(prefix.length)));
}

function isFactor(text: string): boolean {
  if (isAtom(text)) return true;
  const power = POWER.exec(text)?.[0] ?? '';
  const base = text.slice(0, text.length - power.length);
  return power !== '' && base !== '' && isAtom(base);
}

/** Factors one behind the other: mbar l, mbar*l, kg·m^-3, mbar.l. */
function isProduct(text: string): boolean {
  if (isFactor(text)) return true;
  const inner = /^\((.+)\)$/.exec(text)?.[1];
  if (inner !== undefined) return isProduct(inner);
  const parts = text.split(/\s*[*·×⋅.]\s*|\s+|(?<=[A-Za-z])-(?=[A-Za-z])/);
  return parts.length > 1 && parts.length <= 4 && parts.every((part) => part !== '' && isFactor(part));
}

/**
 * Tell whether a text is a unit as a whole.
 *
 * @param text - the text, blanks around it skipped.
 * @returns false for the empty text, and for a unit with something beside it.
 */
export function isUnit(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > LENGTH_MAX) return false;
  if (isProduct(trimmed)) return true;
  const [above = '', ...below] = trimmed.split(/\s*\/\s*|\s+per\s+/);
  if (below.length === 0 || below.length > 2 || below.some((part) => !isProduct(part))) return false;
  return above === '' || above === '1' || isProduct(above);
}

/** True for what mostly stands below the bar of a unit: alone behind one it may be the rest of it. */
export function isDenominator(text: string): boolean {
  return BELOW.test(text.trim());
}

/** What stands behind the number of a cell; empty: it begins with none. */
export function unitIn(cell: string): string {
  return /^[+-]?[\d.,]+(?:e[+-]?\d+)?\s*(\D.*)$/i.exec(cell)?.[1] ?? '';
}

/** A cell without the unit behind its number. */
export function withoutUnit(cell: string): string {
  const [, number = '', unit = ''] = /^(\S+)\s+(\S.*)$/.exec(cell) ?? [];
  return isUnit(unit) ? number : cell;
}
