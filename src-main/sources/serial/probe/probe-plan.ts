// What probe asks at which settings of the line: each instrument as it ships, and what its profile names beside that.
import type { AlsoTried, Instrument, LineOverrides, LineSettings, OptionValue } from '../../../model/instrument.ts';
import type { PortReference } from '../line/find-port.ts';
import { compileProfile, type Driver } from '../profile/compile-profile.ts';
import { loadInstrument, shippedInstruments } from '../profile/profile-library.ts';
import { fieldsOf } from '../profile/reply-fields.ts';
import type { Reply } from '../protocol/exchange.ts';
import type { CompiledAsk } from '../protocol/family.ts';

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
  /** What tells that it is there; null: it says it by itself, and is listened for. */
  readonly ask: CompiledAsk | null;
  /** No other instrument answers so. */
  readonly isSure: boolean;
  /** Whether a reply is one of such an instrument. */
  readonly fits: (reply: Reply) => boolean;
  readonly differs: ProbeDifference;
}

/** An instrument that is not asked unless somebody names it. */
export interface Unasked {
  readonly instrument: string;
  readonly title: string;
  readonly reason: string;
}

/** A line as text: `9600 7E1`. */
export function nameSettings({ baud, data_bits, parity, stop_bits, flow }: LineSettings): string {
  const letter = { none: 'N', even: 'E', odd: 'O' }[parity];
  return `${baud} ${data_bits}${letter}${stop_bits}${flow === 'none' ? '' : ` ${flow}`}`;
}

/** Options as text: ` with echo true`; empty when all are at their defaults. */
export function nameOptions({ options }: ProbeDifference): string {
  const named = Object.entries(options).map(([option, value]) => `${option} ${value}`);
  return named.length === 0 ? '' : ` with ${named.join(', ')}`;
}

/**
 * Plan what is tried at which settings; those that most instruments have come first.
 *
 * @throws of a profile that cannot be used.
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
  const differs = { line: {}, address, options };
  const { identity } = driver;
  if (identity !== null) {
    const fits = (reply: Reply) => {
      const text = textOf(reply);
      return text !== null && identity.read(text) !== null;
    };
    return { driver, ask: identity.ask, isSure: identity.isSure, fits, differs };
  }
  // One that does not say what it is may be anything: only who names it has it asked.
  if (given.instruments.length === 0) return null;
  const [question] = driver.questions;
  if (!question) return { driver, ask: null, isSure: false, fits: () => false, differs };
  const fits = (reply: Reply) =>
    (reply.kind === 'text' || reply.kind === 'fields') && fieldsOf(reply, question.cutter) !== null;
  return { driver, ask: question.ask, isSure: false, fits, differs };
}

/** What a reply says; null when it is none. */
export function textOf(reply: Reply): string | null {
  if (reply.kind === 'malformed') return null;
  return reply.kind === 'text' ? reply.text : reply.raw;
}

/**
 * Name the instruments that are not asked, with the reason; none where some are named.
 *
 * @throws as `planProbe`.
 */
export function listUnasked(options: ProbePlanOptions): Unasked[] {
  if (options.instruments.length > 0) return [];
  const asked = new Set(
    planProbe(options).flatMap(([, candidates]) => candidates.map(({ driver }) => driver.profile.name)),
  );
  return shippedInstruments()
    .filter((name) => !asked.has(name))
    .map((name) => {
      const profile = loadInstrument({ instrument: name, options: {}, line: {}, address: options.address });
      return { instrument: name, title: profile.title, reason: whyUnasked(profile) };
    });
}

function whyUnasked({ identity, questions, resets_on_open: resets }: Instrument): string {
  if (resets) return 'opening its port restarts it';
  if (questions.length === 0) return 'it only talks by itself';
  return identity === null
    ? 'it does not say what it is'
    : `at ${UNASKED_BAUD} baud other instruments take questions for commands`;
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
