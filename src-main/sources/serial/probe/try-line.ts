// One careful look at a serial source before it is run: is its profile right, can its port be opened, does it answer, and
// what would it give?
//
// Bounds: what it is is asked twice at most; everything else once, for 20 s; one that talks by itself is heard for 5 s.
import { type AgentError, toAgentError } from '../../../model/agent-error.ts';
import type { Clock } from '../../../platform/clock.ts';
import { namePort } from '../line/find-port.ts';
import { type MakeTransport, makeTransport } from '../line/line-hub.ts';
import type { Transport } from '../line/transport.ts';
import { tellUnread } from '../poll/serial-notes.ts';
import { compileProfile, type Driver } from '../profile/compile-profile.ts';
import { loadInstrument } from '../profile/profile-library.ts';
import type { Reply } from '../protocol/exchange.ts';
import type { SerialSourceOptions } from '../serial-source.ts';
import { ProbeLine, type ProbeOutcome } from './probe-line.ts';
import { listenFor, type ProbeReading } from './probe-listen.ts';
import { askOnce, readOnce } from './read-once.ts';

/** Somebody waits for the values: an instrument with very many tells the first ones, milliseconds. */
const READ_MS = 20_000;

/** What a look gave: a sentence, and what to do where something is wrong. */
export interface LineLook {
  readonly level: 'ok' | 'warning' | 'error';
  readonly message: string;
  readonly hint: string;
  /** What it would give now; absent where it was not asked. */
  readonly readings?: readonly ProbeReading[];
  /** What is wrong with its profile or its port; absent when nothing is. */
  readonly fault?: AgentError;
}

/** Whether it is a reply of this instrument. */
function isGood(outcome: ProbeOutcome, { identity }: Driver): boolean {
  if (outcome.kind !== 'reply' || outcome.reply.kind === 'malformed' || outcome.reply.kind === 'refused') return false;
  return identity === null || outcome.reply.kind !== 'text' || identity.read(outcome.reply.text) !== null;
}

/** What a reply that can be read tells: that it is there, or that something else is. */
function lookAt(reply: Exclude<Reply, { kind: 'malformed' }>, driver: Driver, place: string): LineLook {
  const { title } = driver.profile;
  if (reply.kind === 'refused') {
    const message = `${title} answers on ${place}, but refuses the question: ${reply.reason}.`;
    return { level: 'warning', message, hint: 'Look whether the right instrument is named, and its options.' };
  }
  const text = reply.kind === 'text' ? reply.text : reply.raw;
  if (driver.identity === null || driver.identity.read(text) !== null) {
    return { level: 'ok', message: `${title} answers on ${place}.`, hint: '' };
  }
  const message = `What answers on ${place} says "${text}", which is not known of ${title}.`;
  return {
    level: driver.identity.isBond ? 'error' : 'warning',
    message: driver.identity.isBond ? `${message} Nothing else is asked of it.` : message,
    hint: 'Look whether the right instrument is on this port, and is the one named.',
  };
}

export interface TryLineOptions {
  readonly clock: Clock;
  /** How to get to the port; left out: as its name says. */
  readonly transportOf?: MakeTransport;
  /** Also open the port of a board that restarts when it is opened. */
  readonly mayRestart?: boolean;
}

/**
 * Look at a serial source: compile its profile, open its port, ask what it is and then everything once.
 *
 * @returns what was found; never rejects. Only questions of the profile are asked. A board that restarts when its port is
 *   opened is not touched unless the caller says so.
 */
export async function tryLine(
  source: Pick<SerialSourceOptions, 'port' | 'instrument' | 'options' | 'line' | 'address'>,
  { clock, transportOf = makeTransport, mayRestart = false }: TryLineOptions,
): Promise<LineLook> {
  try {
    const profile = loadInstrument(source);
    const driver = compileProfile(profile);
    if (profile.resets_on_open && !mayRestart) {
      const message = `${profile.title}: the profile is right, ${namePort(source.port)} was not opened.`;
      return {
        level: 'ok',
        message,
        hint: 'Opening its port restarts it; `check --open-boards` does that for its values.',
      };
    }
    const transport = transportOf(source.port, profile.line);
    const asks = driver.questions.length > 0;
    const look = asks || driver.identity !== null ? await askIt(driver, transport, clock) : null;
    if (look !== null && (asks || look.level !== 'ok')) return look;
    return await hearIt(driver, transport, clock);
  } catch (thrown) {
    const fault = toAgentError(thrown);
    return { level: 'error', message: fault.message, hint: fault.hint, fault };
  }
}

async function askIt(driver: Driver, transport: Transport, clock: Clock): Promise<LineLook> {
  const { timeout_ms: timeoutMs, settle_ms: settleMs } = driver.profile.timing;
  const line = new ProbeLine(transport, clock, settleMs);
  await line.open();
  const enough = new AbortController();
  try {
    const ask = driver.identity?.ask ?? driver.questions[0]?.ask;
    if (!ask) throw new Error('nothing to ask');
    let outcome = await askOnce(line, driver, ask, timeoutMs);
    // What somebody else left in its input spoils the first question: it is asked once more.
    if (!isGood(outcome, driver)) outcome = await askOnce(line, driver, ask, timeoutMs);
    const look = lookAtOutcome(outcome, driver, line.place);
    if (look.level !== 'ok') return look;
    void clock.sleep(READ_MS, enough.signal).then(() => enough.abort());
    return { ...look, readings: await readOnce(line, driver, enough.signal) };
  } finally {
    enough.abort();
    await line.close();
  }
}

function lookAtOutcome(outcome: ProbeOutcome, driver: Driver, place: string): LineLook {
  const { title } = driver.profile;
  const tells = `\`probe ${place}\` tells what is there.`;
  if (outcome.kind === 'hung-up') {
    return { level: 'warning', message: `${place} hangs up when ${title} is asked.`, hint: tells };
  }
  const reply = outcome.kind === 'reply' ? outcome.reply : null;
  if (reply !== null && reply.kind !== 'malformed') return lookAt(reply, driver, place);
  const received = outcome.kind === 'reply' ? '' : outcome.received;
  if (reply === null && received === '') {
    const hint = `Check that it is on, its cable, its address, and baud rate, data bits and parity; ${tells}`;
    return { level: 'warning', message: `${place} can be opened, but ${title} does not answer.`, hint };
  }
  const { text, hint } = tellUnread(
    reply ? { shown: reply.raw, reason: reply.reason } : { shown: received, reason: 'no whole reply' },
  );
  return { level: 'warning', message: `${title} cannot be read on ${place}: ${text}.`, hint: `${hint} ${tells}` };
}

/** One that talks by itself. */
async function hearIt(driver: Driver, transport: Transport, clock: Clock): Promise<LineLook> {
  const { title } = driver.profile;
  const { readings, unread } = await listenFor(driver, transport, clock, new AbortController().signal);
  const place = transport.name;
  if (readings !== null) return { level: 'ok', message: `${title} talks on ${place}.`, hint: '', readings };
  if (unread === null) {
    const hint = 'Right if it talks seldom; else check that it is on, its cable and its line settings.';
    return { level: 'warning', message: `${place} can be opened, but nothing came from ${title} in 5 s.`, hint };
  }
  const { text, hint } = tellUnread(unread);
  return { level: 'warning', message: `${title} cannot be read on ${place}: ${text}.`, hint };
}
