// Which instrument is on a port? The identity questions of all known instruments are asked at their line settings, each
// question once, with the gaps their manuals ask for. Nothing else is sent until one of them answers as it should; then its
// own questions are asked once, to show what it would read. Boards that restart when their port is opened are left out
// unless they are asked for by name.
import type { Instrument, LineSettings } from '../../model/instrument.ts';
import type { Clock } from '../../platform/clock.ts';
import { showBytes } from './bytes.ts';
import { ChannelBook } from './channel-book.ts';
import { compileProfile, type Driver, type DriverIdentity, type DriverQuestion } from './compile-profile.ts';
import { namePort, type PortReference } from './find-port.ts';
import { Line, type Outcome } from './line.ts';
import { makeTransport } from './line-hub.ts';
import { loadInstrument, shippedInstruments } from './profile-library.ts';
import { type Fields, fieldsOf } from './reply-fields.ts';

/** Longest wait for the answer to an identity question, milliseconds; less where the profile says less. */
const PROBE_TIMEOUT_MS = 1000;
/** Shortest silence between two questions to an instrument that is not known yet, milliseconds. */
const PROBE_GAP_MS = 100;
/** Sputter supplies (AJA DCXS) take single capital letters for commands at this rate: only tried when it is asked for. */
const UNASKED_BAUD = 38_400;

export interface ProbeOptions {
  readonly port: PortReference;
  /** Names of the instruments that are tried; empty: all that ship. */
  readonly instruments: readonly string[];
  /** Address instead of each instrument's own; null: its own. */
  readonly address: string | number | null;
  /** Baud rates that are tried; empty: those of the instruments. */
  readonly bauds: readonly number[];
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Told before each question. */
  readonly onTry: (text: string) => void;
}

export interface ProbeReading {
  readonly channel: string;
  readonly unit: string;
  /** Null: no value; `text` says why. */
  readonly value: number | null;
  readonly text: string;
}

export interface ProbeMatch {
  readonly instrument: string;
  readonly title: string;
  /** False: the reply only shows that it speaks this protocol. */
  readonly isSure: boolean;
  readonly identity: string;
  readonly line: LineSettings;
  readonly address: string | number | null;
  readonly readings: readonly ProbeReading[];
}

export interface ProbeResult {
  readonly matches: readonly ProbeMatch[];
  /** Replies that fit no instrument, and what came unasked: by line settings. */
  readonly heard: readonly { readonly line: LineSettings; readonly text: string }[];
}

export interface Candidate {
  readonly driver: Driver;
  readonly identity: DriverIdentity;
}

/**
 * Probe a port.
 *
 * **Gives**: what answers there, the surest first; ends at the first settings at which an instrument says for certain what
 * it is. **Errors**: those of opening the port (`serial.in-use`, `serial.port-missing`, ...), and of a profile that is
 * asked for by name and cannot be used.
 */
export async function probePort(options: ProbeOptions): Promise<ProbeResult> {
  const matches: ProbeMatch[] = [];
  const heard: { line: LineSettings; text: string }[] = [];
  for (const [settings, candidates] of planProbe(options)) {
    if (options.signal.aborted) break;
    const found = await probeAt(settings, candidates, options, heard);
    matches.push(...found);
    if (found.some(({ isSure }) => isSure)) break;
  }
  return { matches: matches.sort((a, b) => Number(b.isSure) - Number(a.isSure)), heard };
}

/** A line in words: `9600 7E1`. */
export function nameSettings({ baud, data_bits, parity, stop_bits, flow }: LineSettings): string {
  const letter = { none: 'N', even: 'E', odd: 'O' }[parity];
  return `${baud} ${data_bits}${letter}${stop_bits}${flow === 'none' ? '' : ` ${flow}`}`;
}

/** What is tried at which settings; those that most instruments have come first. */
export function planProbe({
  port,
  instruments,
  address,
  bauds,
}: Pick<ProbeOptions, 'port' | 'instruments' | 'address' | 'bauds'>): [LineSettings, Candidate[]][] {
  const names = instruments.length > 0 ? instruments : shippedInstruments();
  const isTcp = typeof port === 'string' && port.startsWith('tcp://');
  const bySettings = new Map<string, { settings: LineSettings; candidates: Candidate[] }>();
  for (const name of names) {
    const driver = compileProfile(loadInstrument({ instrument: name, options: {}, line: {}, address }));
    const { identity, profile } = driver;
    if (identity === null || (profile.resets_on_open && instruments.length === 0)) continue;
    for (const settings of settingsOf(profile, bauds)) {
      if (!isTcp && instruments.length + bauds.length === 0 && settings.baud === UNASKED_BAUD) continue;
      const key = isTcp ? 'tcp' : nameSettings(settings);
      const group = bySettings.get(key) ?? { settings, candidates: [] };
      if (!group.candidates.some(({ driver: other }) => other.profile.name === name)) {
        group.candidates.push({ driver, identity });
      }
      bySettings.set(key, group);
    }
  }
  const groups = [...bySettings.values()].sort((a, b) => b.candidates.length - a.candidates.length);
  return groups.map(({ settings, candidates }) => [settings, candidates]);
}

function settingsOf({ line, also_tried: also }: Instrument, bauds: readonly number[]): LineSettings[] {
  if (bauds.length > 0) return bauds.map((baud) => ({ ...line, baud }));
  const given = also.map((other) => Object.entries(other).filter(([, value]) => value !== undefined));
  return [line, ...given.map((other) => ({ ...line, ...Object.fromEntries(other) }))];
}

async function probeAt(
  settings: LineSettings,
  candidates: readonly Candidate[],
  { port, clock, signal, onTry }: ProbeOptions,
  heard: { line: LineSettings; text: string }[],
): Promise<ProbeMatch[]> {
  const settleMs = Math.max(PROBE_GAP_MS, ...candidates.map(({ driver }) => driver.profile.timing.settle_ms));
  const line = await Line.open(makeTransport(port, { ...settings, hang_up: false }), clock, settleMs);
  const matches: ProbeMatch[] = [];
  try {
    for (const [question, alike] of groupByQuestion(candidates)) {
      if (signal.aborted) break;
      onTry(`${namePort(port)}, ${nameSettings(settings)}: ${question}`);
      const [first] = alike;
      if (!first) continue;
      const text = textOfReply(await ask(line, first.driver, first.identity.ask, PROBE_TIMEOUT_MS));
      if (text === null) continue;
      const fit = alike.flatMap(({ driver, identity }) => {
        const read = identity.read(text);
        return read === null ? [] : [{ driver, isSure: identity.isSure }];
      });
      if (fit.length === 0) heard.push({ line: settings, text: `${question} was answered with "${text}"` });
      for (const { driver, isSure } of fit) {
        const { name, title, address } = driver.profile;
        const readings = signal.aborted ? [] : await readOnce(line, driver);
        matches.push({ instrument: name, title, isSure, identity: text, line: settings, address, readings });
      }
      if (matches.some(({ isSure }) => isSure)) break;
    }
    const { strayBytes } = line.counts;
    if (matches.length === 0 && strayBytes > 0) {
      heard.push({ line: settings, text: `${strayBytes} bytes came unasked or made no sense` });
    }
    return matches;
  } finally {
    await line.close();
  }
}

/** Instruments whose identity question is the same bytes: it is asked once for all of them. */
function groupByQuestion(candidates: readonly Candidate[]): Map<string, Candidate[]> {
  const groups = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const { value } = candidate.identity.ask.exchange().next();
    const question = showBytes('send' in value && value.send ? value.send : new Uint8Array());
    groups.set(question, [...(groups.get(question) ?? []), candidate]);
  }
  return groups;
}

function ask(line: Line, { family, profile }: Driver, question: DriverQuestion['ask'], limitMs: number) {
  const { neutral, provesReply } = family;
  const timeoutMs = Math.min(profile.timing.timeout_ms, limitMs);
  const gapMs = Math.max(profile.timing.gap_ms, PROBE_GAP_MS);
  const exchange = () => question.exchange();
  return line.ask({ exchange, timeoutMs, gapMs, neutral, provesReply, accepts: () => true });
}

function textOfReply(outcome: Outcome): string | null {
  if (outcome.is !== 'reply' || outcome.reply.is === 'malformed') return null;
  return outcome.reply.is === 'text' ? outcome.reply.text : outcome.reply.raw;
}

/** Ask everything once that the profile asks. */
async function readOnce(line: Line, driver: Driver): Promise<ProbeReading[]> {
  const book = new ChannelBook(driver, line.place);
  const fieldsFor = async ({
    ask: question,
    cutter,
    timeoutMs,
  }: Pick<DriverQuestion, 'ask' | 'cutter' | 'timeoutMs'>) => {
    const outcome = await ask(line, driver, question, timeoutMs);
    const reply = outcome.is === 'reply' ? outcome.reply : null;
    return reply?.is === 'text' || reply?.is === 'fields' ? fieldsOf(reply, cutter) : null;
  };
  for (const lookup of driver.lookups) {
    const word = (await fieldsFor({ ...lookup, timeoutMs: driver.profile.timing.timeout_ms }))?.get(null);
    if (word !== undefined) book.setUnit(lookup.name, lookup.words[String(word)] ?? String(word));
  }
  const readings: ProbeReading[] = [];
  for (const question of driver.questions) {
    const series = { id: question.id, channels: question.channels, names: question.channels.map(({ name }) => name) };
    const units = book.declare([{ ...series, everyMs: null }]).map(({ unit }) => unit);
    const fields = await fieldsFor(question);
    const companions = new Map<string, Fields | null>();
    for (const companion of question.companions) companions.set(companion.id, await fieldsFor(companion));
    const read = fields === null ? null : book.read(series, fields, companions, 0);
    series.names.forEach((channel, at) => {
      const value = read?.row.values[at] ?? Number.NaN;
      const refusal = read?.refusals.find((refused) => refused.channel === channel);
      const text = read === null ? 'no answer' : refusal ? `${refusal.text}: ${refusal.reason}` : '';
      readings.push({ channel, unit: units[at] ?? '', value: Number.isFinite(value) ? value : null, text });
    });
  }
  return readings;
}
