// From a profile to what can be run: its family bound to its address, each question checked against the family's list of
// read-only ones, its patterns compiled, its names looked up. Everything that is wrong with a profile is told here.
import type { ChannelRule, HeardRule, Instrument, QuestionRule } from '../../../model/instrument.ts';
import { families } from '../families/families.ts';
import type { Frame, Reply } from '../protocol/exchange.ts';
import type { Bond, BoundFamily, CompiledAsk } from '../protocol/family.ts';
import { profileFault } from '../protocol/profile-fault.ts';
import { compilePattern, type FieldCutter, makeCutter } from './reply-fields.ts';

export interface DriverQuestion {
  readonly id: string;
  readonly ask: CompiledAsk;
  readonly cutter: FieldCutter;
  readonly everyMs: number;
  readonly timeoutMs: number;
  readonly channels: readonly ChannelRule[];
  /** Questions whose replies carry the status of this one's channels; asked right after it. */
  readonly companions: readonly DriverQuestion[];
}

export interface DriverHeard {
  readonly id: string;
  readonly decode: (frame: Frame) => Reply | null;
  readonly cutter: FieldCutter;
  readonly channels: readonly ChannelRule[];
  readonly expectedMs: number | null;
  readonly note: string | null;
}

interface DriverLookup {
  readonly name: string;
  readonly ask: CompiledAsk;
  readonly cutter: FieldCutter;
  readonly words: Readonly<Record<string, string>>;
}

export interface DriverIdentity {
  readonly ask: CompiledAsk;
  readonly isSure: boolean;
  /** Nothing else is asked before it was answered as it should be, and after a time-out before it was so again. */
  readonly isBond: boolean;
  /** What of the reply says which instrument it is; null when the reply is not that of such an instrument. */
  read(text: string): string | null;
}

/** An instrument that can be asked. */
export interface Driver {
  readonly profile: Instrument;
  readonly family: BoundFamily;
  /** Questions that are asked by themselves, in the order of the profile. */
  readonly questions: readonly DriverQuestion[];
  readonly heard: readonly DriverHeard[];
  readonly lookups: readonly DriverLookup[];
  readonly identity: DriverIdentity | null;
}

/**
 * Compile a profile. Takes a profile with its options put in, and the time between two polls, milliseconds (null: as the
 * profile says).
 *
 * @throws `serial.profile-broken`, `serial.not-read-only`: the instrument, the field and what to write instead.
 */
export function compileProfile(profile: Instrument, everyMs: number | null = null): Driver {
  const { name } = profile;
  const family = families.get(profile.family);
  if (!family) {
    const known = [...families.keys()].join(', ');
    throw profileFault(name, `there is no protocol family "${profile.family}"`, `Available: ${known}.`);
  }
  const bound = family.bind(name, profile.protocol, profile.address);
  checkNames(profile);
  const compiled = new Map(profile.questions.map((rule) => [rule.id, compileQuestion(profile, bound, rule, everyMs)]));
  if (bound.bond !== null) checkBond(profile, bound.bond);
  const asked = profile.questions.filter(({ channels }) => channels.length > 0);
  return {
    profile,
    family: bound,
    questions: asked.map(({ id, channels }) => {
      const question = compiled.get(id) as DriverQuestion;
      return { ...question, companions: companionsOf(name, channels, compiled) };
    }),
    heard: profile.unsolicited.map((rule) => compileHeard(name, bound, rule)),
    lookups: Object.entries(profile.lookups).map(([key, rule]) => {
      const cutter = makeCutter(`${name}, lookup ${key}`, rule.reply);
      return {
        name: key,
        ask: bound.compile(`${name}, lookup ${key}`, rule.ask, cutter.fits),
        cutter,
        words: rule.words,
      };
    }),
    identity: profile.identity && compileIdentity(name, bound, profile.identity),
  };
}

function compileQuestion(
  { name, timing }: Instrument,
  bound: BoundFamily,
  rule: QuestionRule,
  everyMs: number | null,
): DriverQuestion {
  const where = `${name}, question ${rule.id}`;
  const cutter = makeCutter(where, rule.reply);
  return {
    id: rule.id,
    ask: bound.compile(where, rule.ask, cutter.fits),
    cutter,
    everyMs: Math.max(everyMs ?? timing.every_ms, rule.every_ms),
    timeoutMs: rule.timeout_ms ?? timing.timeout_ms,
    channels: rule.channels,
    companions: [],
  };
}

function compileHeard(name: string, bound: BoundFamily, rule: HeardRule): DriverHeard {
  const where = `${name}, unsolicited ${rule.id}`;
  const { id, channels, note, expected_ms: expectedMs } = rule;
  const decode = bound.compileHear(where, rule.hear);
  return { id, decode, cutter: makeCutter(where, rule.reply), channels, expectedMs, note };
}

function compileIdentity(name: string, bound: BoundFamily, rule: NonNullable<Instrument['identity']>): DriverIdentity {
  const where = `${name}, identity`;
  const pattern = compilePattern(where, rule.pattern);
  const hasSerial = Object.hasOwn(pattern.namedGroups(), 'serial');
  return {
    ask: bound.compile(where, rule.ask, (text) => pattern.matches(text)),
    isSure: rule.is_sure,
    isBond: bound.bond !== null,
    read: (text) => {
      if (bound.bond?.pattern.test(text) === false) return null;
      const matcher = pattern.matcher(text);
      if (!matcher.matches()) return null;
      return (hasSerial ? matcher.group('serial') : null) ?? text;
    },
  };
}

/** Who is asked what acts on others must say who they are. */
function checkBond({ name, identity }: Instrument, { ask, about }: Bond): void {
  if (identity !== null && identity.ask === ask && identity.is_sure) return;
  throw profileFault(
    name,
    `what it asks only reads on ${about}, and it does not ask ${ask} first`,
    `Give it an identity with ask: '${ask}' and a pattern that fits its reply.`,
  );
}

function companionsOf(
  name: string,
  channels: readonly ChannelRule[],
  compiled: ReadonlyMap<string, DriverQuestion>,
): DriverQuestion[] {
  const ids = new Set(channels.flatMap(({ status }) => status?.question ?? []));
  return [...ids].map((id) => {
    const question = compiled.get(id);
    if (question) return question;
    throw profileFault(
      name,
      `there is no question "${id}" for a status`,
      `Available: ${[...compiled.keys()].join(', ')}.`,
    );
  });
}

/** Names that must be different, and names that must be there. */
function checkNames(profile: Instrument): void {
  const { name, questions, unsolicited, lookups } = profile;
  const all = [...questions, ...unsolicited];
  refuseDouble(
    name,
    'question',
    all.map(({ id }) => id),
  );
  refuseDouble(
    name,
    'channel',
    all.flatMap(({ channels }) => channels.map((channel) => channel.name)),
  );
  const isForStatus = new Set(all.flatMap(({ channels }) => channels.flatMap(({ status }) => status?.question ?? [])));
  for (const { id, reply, channels } of all) {
    const cutter = makeCutter(`${name}, ${id}`, reply);
    for (const channel of channels) {
      const { unit, field } = channel;
      if (typeof unit === 'object' && !Object.hasOwn(lookups, unit.lookup)) {
        throw profileFault(
          name,
          `channel ${channel.name}: there is no lookup "${unit.lookup}"`,
          'Add it, or give the unit.',
        );
      }
      if (reply.pattern !== null && !cutter.knows(field)) {
        throw profileFault(
          name,
          `channel ${channel.name}: the pattern of ${id} has no group ${field}`,
          'Name a group of it.',
        );
      }
    }
  }
  const idle = questions.find(({ id, channels }) => channels.length === 0 && !isForStatus.has(id));
  if (idle) throw profileFault(name, `question ${idle.id} has no channel`, 'Give it one, or remove it.');
  if (questions.length + unsolicited.length === 0)
    throw profileFault(name, 'it asks and hears nothing', 'Add a question.');
}

function refuseDouble(name: string, what: string, names: readonly string[]): void {
  const double = names.find((one, index) => names.indexOf(one) !== index);
  if (double !== undefined)
    throw profileFault(name, `two ${what}s are called "${double}"`, 'Give each a name of its own.');
}
