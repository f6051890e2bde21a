// What probe asks at which settings of the line: each instrument as it ships, and what its profile names beside that.
import type { AlsoTried, Instrument, LineOverrides, LineSettings, OptionValue } from '../../model/instrument.ts';
import { compileProfile, type Driver, type DriverIdentity } from './compile-profile.ts';
import type { PortReference } from './find-port.ts';
import { loadInstrument, shippedInstruments } from './profile-library.ts';

/** Sputter supplies (AJA DCXS) take single capital letters for commands at this rate: only tried when it is asked for. */
const UNASKED_BAUD = 38_400;

export interface ProbePlanOptions {
  readonly port: PortReference;
  /** Names of the instruments that are tried; empty: all that ship. */
  readonly instruments: readonly string[];
  /** Address instead of each instrument's own; null: its own. */
  readonly address: string | number | null;
  /** Baud rates that are tried; empty: those of the instruments. */
  readonly bauds: readonly number[];
}

/** What the settings of a source must say beside the name of the instrument. */
export interface ProbeDifference {
  readonly line: LineOverrides;
  /** Null: the instrument's own. */
  readonly address: string | number | null;
  readonly options: Readonly<Record<string, OptionValue>>;
}

export interface Candidate {
  readonly driver: Driver;
  readonly identity: DriverIdentity;
  readonly differs: ProbeDifference;
}

/** A line in words: `9600 7E1`. */
export function nameSettings({ baud, data_bits, parity, stop_bits, flow }: LineSettings): string {
  const letter = { none: 'N', even: 'E', odd: 'O' }[parity];
  return `${baud} ${data_bits}${letter}${stop_bits}${flow === 'none' ? '' : ` ${flow}`}`;
}

/** Options in words: ` with echo true`; empty when all are at their defaults. */
export function nameOptions({ options }: ProbeDifference): string {
  const named = Object.entries(options).map(([option, value]) => `${option} ${value}`);
  return named.length === 0 ? '' : ` with ${named.join(', ')}`;
}

/**
 * Plan what is tried at which settings; those that most instruments have come first.
 * **Errors**: of a profile that cannot be used.
 */
export function planProbe(options: ProbePlanOptions): [LineSettings, Candidate[]][] {
  const { port, instruments, bauds } = options;
  const names = instruments.length > 0 ? instruments : shippedInstruments();
  const isTcp = typeof port === 'string' && port.startsWith('tcp://');
  const isAskedFor = isTcp || instruments.length + bauds.length > 0;
  const bySettings = new Map<string, { settings: LineSettings; candidates: Map<string, Candidate> }>();
  for (const name of names) {
    const profile = loadInstrument({ instrument: name, options: {}, line: {}, address: options.address });
    if (profile.resets_on_open && instruments.length === 0) continue;
    for (const tried of [{}, ...profile.also_tried]) {
      const candidate = makeCandidate(name, tried, options);
      if (candidate === null) continue;
      for (const settings of settingsOf(profile, tried, bauds)) {
        if (!isAskedFor && settings.baud === UNASKED_BAUD) continue;
        // Bytes of one way to speak must not stand before those of another: over TCP each has a connection of its own.
        const key = isTcp ? `tcp ${nameOptions(candidate.differs)}` : nameSettings(settings);
        const group = bySettings.get(key) ?? { settings, candidates: new Map() };
        bySettings.set(key, group);
        const differs = { ...candidate.differs, line: isTcp ? {} : differenceOf(settings, profile.line) };
        const { address, options: chosen, identity } = tried;
        const what = JSON.stringify([name, address, chosen, identity]);
        if (!group.candidates.has(what)) group.candidates.set(what, { ...candidate, differs });
      }
    }
  }
  const groups = [...bySettings.values()].sort((a, b) => b.candidates.size - a.candidates.size);
  return groups.map(({ settings, candidates }) => [settings, [...candidates.values()]]);
}

/** The instrument with what is tried of it; null when there is nothing to ask, or another address was asked for. */
function makeCandidate(name: string, tried: AlsoTried, given: ProbePlanOptions): Candidate | null {
  if (tried.address !== undefined && given.address !== null) return null;
  const address = given.address ?? tried.address ?? null;
  const options = tried.options ?? {};
  const profile = loadInstrument({ instrument: name, options, line: {}, address });
  const driver = compileProfile({ ...profile, identity: tried.identity ?? profile.identity });
  return driver.identity && { driver, identity: driver.identity, differs: { line: {}, address, options } };
}

/** Settings of the line at which something is tried; with baud rates given, at these. */
function settingsOf({ line }: Instrument, tried: AlsoTried, bauds: readonly number[]): LineSettings[] {
  const { address: _, options: __, identity: ___, ...overrides } = tried;
  const given = Object.entries(overrides).filter(([, value]) => value !== undefined);
  const settings = { ...line, ...Object.fromEntries(given) };
  return bauds.length > 0 ? bauds.map((baud) => ({ ...settings, baud })) : [settings];
}

function differenceOf(settings: LineSettings, own: LineSettings): LineOverrides {
  return Object.fromEntries(
    Object.entries(settings).filter(([field, value]) => value !== own[field as keyof LineSettings]),
  );
}
