// Which instrument is on a port? The identity questions of all known instruments are asked at their line settings, each
// question once, with the gaps their manuals ask for. Nothing else is sent until one of them answers as it should; then its
// own questions are asked once, to show what it would read. Boards that restart when their port is opened are left out
// unless they are asked for by name.
import type { LineSettings } from '../../../model/instrument.ts';
import type { Clock } from '../../../platform/clock.ts';
import { namePort } from '../line/find-port.ts';
import { type MakeTransport, makeTransport } from '../line/line-hub.ts';
import { ChannelBook } from '../poll/channel-book.ts';
import type { Driver, DriverQuestion } from '../profile/compile-profile.ts';
import { type Fields, fieldsOf } from '../profile/reply-fields.ts';
import { showBytes } from '../protocol/bytes.ts';
import { ProbeLine } from './probe-line.ts';
import { listenFor, type ProbeReading } from './probe-listen.ts';
import {
  type Candidate,
  listUnasked,
  nameOptions,
  nameSettings,
  type ProbeDifference,
  type ProbePlanOptions,
  planProbe,
  textOf,
  type Unasked,
} from './probe-plan.ts';

/** Longest wait for the answer to an identity question, milliseconds; less where the profile says less. */
const PROBE_TIMEOUT_MS = 1000;
/** Shortest silence between two questions to an instrument that is not known yet, milliseconds. */
const PROBE_GAP_MS = 100;
const NO_ANSWER = 'no answer';

export interface ProbeOptions extends ProbePlanOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Told before each question. */
  readonly onTry: (text: string) => void;
  /** How to get to the port; left out: as its name says. */
  readonly transportOf?: MakeTransport;
}

export interface ProbeMatch {
  readonly instrument: string;
  readonly title: string;
  /** False: the reply only shows that it speaks this protocol. */
  readonly isSure: boolean;
  readonly identity: string;
  readonly line: LineSettings;
  readonly address: string | number | null;
  /** What the settings of a source must say beside its name. */
  readonly differs: ProbeDifference;
  readonly readings: readonly ProbeReading[];
}

export interface ProbeResult {
  readonly matches: readonly ProbeMatch[];
  /** Replies that fit no instrument, and what came unasked: by line settings. */
  readonly heard: readonly { readonly line: LineSettings; readonly text: string }[];
  /** Instruments that were not asked, with the reason. */
  readonly unasked: readonly Unasked[];
}

/**
 * Probe a port.
 *
 * @returns what answers there, the surest first; ends at the first settings of a serial line at which an instrument answers,
 *   and over TCP when one says for certain what it is.
 * @throws those of opening the port (`serial.in-use`, `serial.port-missing`, ...), and of a profile that is asked for by name
 *   and cannot be used.
 */
export async function probePort(options: ProbeOptions): Promise<ProbeResult> {
  const matches: ProbeMatch[] = [];
  const heard: { line: LineSettings; text: string }[] = [];
  for (const [settings, candidates] of planProbe(options)) {
    if (options.signal.aborted) break;
    // One way to reach an instrument is enough.
    const left = candidates.filter(({ driver }) => !isAmong(matches, driver));
    if (left.length === 0) continue;
    const found = await probeAt(settings, left, options, heard);
    matches.push(...found);
    // A reply that fits shows that the line has these settings: at others nothing can answer. Over TCP they are ways to speak.
    if (found.some(({ isSure }) => isSure) || (found.length > 0 && !isTcp(options.port))) break;
  }
  return { matches: matches.sort((a, b) => fitOf(b) - fitOf(a)), heard, unasked: listUnasked(options) };
}

const isTcp = (port: ProbeOptions['port']) => typeof port === 'string' && port.startsWith('tcp://');

const isAmong = (matches: readonly ProbeMatch[], { profile }: Driver) =>
  matches.some(({ instrument }) => instrument === profile.name);

/** How well it fits: who says for certain what it is before others, then those that answer everything, and read much. */
export function fitOf({ isSure, readings }: ProbeMatch): number {
  const answered = readings.filter(({ text }) => text !== NO_ANSWER).length;
  const read = readings.filter(({ value }) => value !== null).length;
  return (isSure ? 1e9 : 0) + (answered === readings.length ? 1e6 : 0) + answered * 1000 + read;
}

async function probeAt(
  settings: LineSettings,
  candidates: readonly Candidate[],
  { port, clock, signal, onTry, transportOf = makeTransport }: ProbeOptions,
  heard: { line: LineSettings; text: string }[],
): Promise<ProbeMatch[]> {
  const settleMs = Math.max(PROBE_GAP_MS, ...candidates.map(({ driver }) => driver.profile.timing.settle_ms));
  const transport = transportOf(port, { ...settings, hang_up: false });
  const at = `${namePort(port)}, ${nameSettings(settings)}`;
  const matches: ProbeMatch[] = [];
  for (const { driver, differs } of candidates.filter(({ ask }) => ask === null)) {
    if (signal.aborted) return matches;
    onTry(`${at}: listening for ${driver.profile.title}`);
    const readings = await listenFor(driver, transport, clock, signal);
    if (readings) matches.push(matchOf(driver, settings, differs, false, 'what it says by itself', readings));
  }
  const line = new ProbeLine(transport, clock, settleMs);
  await line.open();
  try {
    for (const [question, alike] of groupByQuestion(candidates)) {
      if (signal.aborted) break;
      onTry(`${at}: ${question}`);
      const [first] = alike;
      // Those that are known to speak so are asked again only for what tells them apart.
      if (!first?.ask || alike.every(({ driver, isSure }) => !isSure && isAmong(matches, driver))) continue;
      const outcome = await ask(line, first.driver, first.ask, PROBE_TIMEOUT_MS);
      if (outcome.kind === 'hung-up') heard.push({ line: settings, text: `at ${question} the other side hung up` });
      const reply = outcome.kind === 'reply' ? outcome.reply : null;
      const text = reply && textOf(reply);
      if (reply === null || text === null) continue;
      // A refusal has the words of the protocol, not of the instrument: it fits none.
      const fit = reply.kind === 'refused' ? [] : alike.filter(({ fits }) => fits(reply));
      if (fit.length === 0) heard.push({ line: settings, text: `${question} was answered with "${text}"` });
      const names = new Set(fit.map(({ driver }) => driver.profile.name));
      for (const { driver, differs, isSure: saysIt } of fit) {
        // What several answer alike tells none of them from the others.
        const isSure = saysIt && names.size === 1;
        const known = matches.findIndex(({ instrument }) => instrument === driver.profile.name);
        if (known >= 0 && !isSure) continue;
        const readings = signal.aborted ? [] : (matches[known]?.readings ?? (await readOnce(line, driver)));
        const match = matchOf(driver, settings, differs, isSure, text, readings);
        if (known >= 0) matches[known] = match;
        else matches.push(match);
      }
      if (matches.some(({ isSure }) => isSure)) break;
    }
    const { bytes, text } = line.stray;
    if (matches.length === 0 && bytes > 0)
      heard.push({ line: settings, text: `${bytes} bytes came unasked or made no sense, such as ${text}` });
    const sure = matches.filter(({ isSure }) => isSure);
    return sure.length > 0 ? sure : matches;
  } finally {
    await line.close();
  }
}

function matchOf(
  { profile: { name, title, address } }: Driver,
  line: LineSettings,
  differs: ProbeDifference,
  isSure: boolean,
  identity: string,
  readings: readonly ProbeReading[],
): ProbeMatch {
  return { instrument: name, title, isSure, identity, line, address, differs, readings };
}

/**
 * Instruments whose identity question is the same bytes, with the same options: it is asked once for all of them. Those that
 * tell for certain come first: what only shows the protocol is not asked where they were answered.
 */
function groupByQuestion(candidates: readonly Candidate[]): [string, Candidate[]][] {
  const groups = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    if (candidate.ask === null) continue;
    const { value } = candidate.ask.exchange().next();
    const bytes = showBytes('send' in value && value.send ? value.send : new Uint8Array());
    const question = bytes + nameOptions(candidate.differs);
    groups.set(question, [...(groups.get(question) ?? []), candidate]);
  }
  const isSure = ([, alike]: [string, Candidate[]]) => alike.some((candidate) => candidate.isSure);
  return [...groups].sort((a, b) => Number(isSure(b)) - Number(isSure(a)));
}

function ask(line: ProbeLine, { family, profile }: Driver, question: DriverQuestion['ask'], limitMs: number) {
  const { neutral, provesReply } = family;
  const timeoutMs = Math.min(profile.timing.timeout_ms, limitMs);
  const gapMs = Math.max(profile.timing.gap_ms, PROBE_GAP_MS);
  const exchange = () => question.exchange();
  return line.ask({ exchange, timeoutMs, gapMs, neutral, provesReply, accepts: () => true });
}

/** Ask everything once that the profile asks. */
async function readOnce(line: ProbeLine, driver: Driver): Promise<ProbeReading[]> {
  const book = new ChannelBook(driver, line.place);
  // Somebody else may be there after a silence: what acts on others is not asked then.
  let isKnown = true;
  const fieldsFor = async ({
    ask: question,
    cutter,
    timeoutMs,
  }: Pick<DriverQuestion, 'ask' | 'cutter' | 'timeoutMs'>) => {
    if (!isKnown && driver.family.bond !== null) return null;
    const outcome = await ask(line, driver, question, timeoutMs);
    isKnown &&= outcome.kind === 'reply';
    const reply = outcome.kind === 'reply' ? outcome.reply : null;
    return reply?.kind === 'text' || reply?.kind === 'fields' ? fieldsOf(reply, cutter) : null;
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
      const text = read === null ? NO_ANSWER : refusal ? `${refusal.text}: ${refusal.reason}` : '';
      readings.push({ channel, unit: units[at] ?? '', value: Number.isFinite(value) ? value : null, text });
    });
  }
  return readings;
}
