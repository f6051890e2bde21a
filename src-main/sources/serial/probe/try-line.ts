// One careful look at a serial source before it is run: is its profile right, can its port be opened, does it answer?
import { type AgentError, toAgentError } from '../../../model/agent-error.ts';
import type { Clock } from '../../../platform/clock.ts';
import { namePort } from '../line/find-port.ts';
import { Line, type Outcome } from '../line/line.ts';
import { type MakeTransport, makeTransport } from '../line/line-hub.ts';
import { tellUnread } from '../poll/serial-notes.ts';
import { compileProfile, type Driver } from '../profile/compile-profile.ts';
import { loadInstrument } from '../profile/profile-library.ts';
import type { Reply } from '../protocol/exchange.ts';
import type { SerialSourceOptions } from '../serial-source.ts';

/** What a look gave: a sentence, and what to do where something is wrong. */
export interface LineLook {
  readonly level: 'ok' | 'warning' | 'error';
  readonly message: string;
  readonly hint: string;
  /** What is wrong with its profile or its port; absent when nothing is. */
  readonly fault?: AgentError;
}

/** Whether it is a reply of this instrument. */
function isGood(outcome: Outcome, { identity }: Driver): boolean {
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

/**
 * Look at a serial source: compile its profile, open its port, ask one question.
 *
 * @returns what was found; never rejects. Only questions of the profile are asked. A board that restarts when its port is
 *   opened is not touched.
 */
export async function tryLine(
  options: Pick<SerialSourceOptions, 'port' | 'instrument' | 'options' | 'line' | 'address'>,
  clock: Clock,
  transportOf: MakeTransport = makeTransport,
): Promise<LineLook> {
  let line: Line | null = null;
  try {
    const profile = loadInstrument(options);
    const driver = compileProfile(profile);
    const place = namePort(options.port);
    if (profile.resets_on_open) {
      const hint = 'Opening its port would restart it; run the agent to see it.';
      return { level: 'ok', message: `${profile.title}: the profile is right, ${place} was not opened.`, hint };
    }
    const { settle_ms: settleMs, timeout_ms: timeoutMs, gap_ms: gapMs } = profile.timing;
    line = await Line.open(transportOf(options.port, profile.line), clock, settleMs);
    const ask = driver.identity?.ask ?? driver.questions[0]?.ask;
    if (!ask)
      return {
        level: 'ok',
        message: `${line.place} can be opened; the instrument sends without being asked.`,
        hint: '',
      };
    const { neutral, provesReply } = driver.family;
    const exchange = () => ask.exchange();
    const request = { exchange, timeoutMs, gapMs, neutral, provesReply, accepts: () => true };
    let outcome = await line.ask(request);
    // What somebody else left in its input spoils the first question: it is asked once more.
    if (!isGood(outcome, driver)) outcome = await line.ask(request);
    const reply = outcome.kind === 'reply' ? outcome.reply : null;
    if (reply !== null && reply.kind !== 'malformed') return lookAt(reply, driver, line.place);
    if (outcome.kind !== 'reply' && outcome.received === '') {
      const hint = `Check that it is on, its cable, its address, and baud rate, data bits and parity; \`probe ${place}\` tells what is there.`;
      return { level: 'warning', message: `${line.place} can be opened, but ${profile.title} does not answer.`, hint };
    }
    const received = outcome.kind === 'reply' ? '' : outcome.received;
    const unread = reply ? { shown: reply.raw, reason: reply.reason } : { shown: received, reason: 'no whole reply' };
    const { text, hint } = tellUnread(unread);
    const message = `${profile.title} cannot be read on ${line.place}: ${text}.`;
    return { level: 'warning', message, hint: `${hint} \`probe ${place}\` tells what is there.` };
  } catch (thrown) {
    const fault = toAgentError(thrown);
    return { level: 'error', message: fault.message, hint: fault.hint, fault };
  } finally {
    await line?.close();
  }
}
