// The instruments that ship with the agent: one YAML file each in resources/instruments. Adding one is one file there and
// one transcript in test/fixtures/instruments.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import {
  Instrument,
  type InstrumentInput,
  type LineOverrides,
  LineSettings,
  type OptionValue,
} from '../../../model/instrument.ts';
import { profileFault } from '../protocol/profile-fault.ts';
import { expandProfile } from './expand-profile.ts';

/** Where the files lie: from the sources, from the built main process, beside a packed application. */
function instrumentFolder(): string | null {
  const places = [
    ...['../../../..', '../..', '..'].map((up) => join(import.meta.dirname, up, 'resources/instruments')),
    join((process as { resourcesPath?: string }).resourcesPath ?? '/', 'instruments'),
  ];
  return places.find((place) => existsSync(place)) ?? null;
}

/** Names of the instruments that ship, sorted. */
export function shippedInstruments(): string[] {
  const folder = instrumentFolder();
  const files = folder === null ? [] : readdirSync(folder);
  return files.flatMap((file) => (file.endsWith('.yaml') ? [file.slice(0, -'.yaml'.length)] : [])).sort();
}

/** The file of an instrument that ships; null when there is none. */
export function instrumentFile(name: string): string | null {
  const folder = instrumentFolder();
  return folder !== null && shippedInstruments().includes(name) ? join(folder, `${name}.yaml`) : null;
}

/** What the settings of a source say about its instrument. */
export interface InstrumentChoice {
  /** A name of resources/instruments, or the profile itself. */
  readonly instrument: string | InstrumentInput;
  readonly options: Readonly<Record<string, OptionValue>>;
  readonly line: LineOverrides;
  /** Null: the instrument's own. */
  readonly address: string | number | null;
}

/**
 * Load a profile. Takes what the settings say; fields of the line and the address that they leave out are the instrument's
 * own.
 *
 * @returns the profile with every field filled in; its questions are not yet checked by its family.
 * @throws `serial.instrument-unknown`, `serial.profile-broken`; both need a person.
 */
export function loadInstrument(choice: InstrumentChoice): Instrument {
  const { instrument, options, line, address } = choice;
  const [raw, where] =
    typeof instrument === 'string' ? [readShipped(instrument), instrument] : [instrument as unknown, instrument.name];
  const result = Instrument.safeParse(expandProfile(raw, options, where));
  if (!result.success) {
    const [issue] = result.error.issues;
    throw profileFault(where, `${issue?.path.join('.')}: ${issue?.message}`, 'Correct the profile.');
  }
  const profile = result.data;
  if (typeof instrument === 'string' && profile.name !== instrument) {
    throw profileFault(where, 'its name is not that of the file', 'Correct the file.');
  }
  const given = Object.fromEntries(Object.entries(line).filter(([, value]) => value !== undefined));
  const settings = LineSettings.parse({ ...profile.line, ...given });
  return { ...profile, line: settings, address: address ?? profile.address };
}

/**
 * The YAML of a shipped instrument, not yet checked.
 *
 * @throws `serial.profile-broken` when it is not there.
 */
export function readShipped(name: string): unknown {
  const file = instrumentFile(name);
  if (file !== null) return parse(readFileSync(file, 'utf8'));
  const names = shippedInstruments().join(', ');
  throw profileFault(name, 'it does not ship with the agent', `Available: ${names}; or describe it inline.`);
}
