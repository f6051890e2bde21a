// The instruments that ship, for people who choose one: what each is, and everything that it is ever asked.

import type { Argument, Value } from '../../../contract/table.ts';
import type { InstrumentOption } from '../../../model/instrument.ts';
import { compileProfile, type Driver } from '../../../sources/serial/profile/compile-profile.ts';
import { readOptions } from '../../../sources/serial/profile/expand-profile.ts';
import { loadInstrument, readShipped, shippedInstruments } from '../../../sources/serial/profile/profile-library.ts';
import { showBytes } from '../../../sources/serial/protocol/bytes.ts';
import { nameSettings } from '../../check/probe-port.ts';

type View = Value<'source', 'describeInstrument'>;
type Channels = View['questions'][number]['channels'];

let titles: { name: string; title: string }[] | null = null;

/** Name the instruments that ship, by their titles. Read once. */
export function listInstruments(): readonly { name: string; title: string }[] {
  titles ??= shippedInstruments()
    .map((name) => ({ name, title: String((readShipped(name) as { title?: unknown }).title ?? name) }))
    .sort((a, b) => a.title.localeCompare(b.title));
  return titles;
}

/**
 * Describe an instrument with its options put in.
 *
 * @throws `serial.profile-broken` for an option that it does not have, and for a name that does not ship.
 */
export function describeInstrument({ instrument, options, address }: Argument<'source', 'describeInstrument'>): View {
  const profile = loadInstrument({ instrument, options, line: {}, address });
  const driver = compileProfile(profile);
  const raw = readShipped(instrument) as { options?: unknown };
  const known = Object.entries(readOptions(raw.options, instrument));
  return {
    name: profile.name,
    title: profile.title,
    line: nameSettings(profile.line),
    address: profile.address === null ? '' : String(profile.address),
    everyMs: profile.timing.every_ms,
    options: known.map(([name, option]) => ({
      name,
      about: aboutOf(option),
      default: option.default,
      choices: option.choices,
      isForSimulators: option.simulators_only === true,
    })),
    questions: questionsOf(driver),
    hears: driver.heard.map(({ id, channels }) => ({ id, channels: named(channels) })),
    unverified: [...profile.unverified],
  };
}

/** What an option is for; of one that no instrument needs, that first. */
const aboutOf = ({ about, simulators_only: isForSimulators }: InstrumentOption) =>
  isForSimulators ? `Only for a program that plays the instrument; leave it as it is. ${about}` : about;

function questionsOf({ identity, lookups, questions }: Driver): View['questions'] {
  const asked = new Map<string, View['questions'][number]>();
  const add = (id: string, ask: Driver['questions'][number]['ask'], channels: Channels) => {
    const step = ask.exchange().next().value;
    const sends = 'send' in step && step.send ? showBytes(step.send) : '';
    if (!asked.has(id)) asked.set(id, { id, sends, channels });
  };
  if (identity) add('identity', identity.ask, []);
  for (const { name, ask } of lookups) add(name, ask, []);
  for (const { id, ask, channels, companions } of questions) {
    add(id, ask, named(channels));
    for (const companion of companions) add(companion.id, companion.ask, []);
  }
  return [...asked.values()];
}

function named(channels: Driver['questions'][number]['channels']): Channels {
  return channels.map(({ name, unit }) => ({
    name,
    unit: typeof unit === 'string' ? unit : 'asked for',
  }));
}
