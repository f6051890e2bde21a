// Everything that a profile asks, asked once: it shows what an instrument would give before it is recorded.
import { ChannelBook } from '../poll/channel-book.ts';
import type { Driver, DriverQuestion } from '../profile/compile-profile.ts';
import { type Fields, fieldsOf } from '../profile/reply-fields.ts';
import type { ProbeLine, ProbeOutcome } from './probe-line.ts';
import type { ProbeReading } from './probe-listen.ts';

/** Shortest silence between two questions to an instrument that is not known yet, milliseconds. */
export const PROBE_GAP_MS = 100;
export const NO_ANSWER = 'no answer';

/** Put one question of a profile, and wait so long at most, milliseconds; less where the profile says less. */
export function askOnce(
  line: ProbeLine,
  { family, profile }: Driver,
  question: DriverQuestion['ask'],
  limitMs: number,
): Promise<ProbeOutcome> {
  const { neutral, provesReply } = family;
  const timeoutMs = Math.min(profile.timing.timeout_ms, limitMs);
  const gapMs = Math.max(profile.timing.gap_ms, PROBE_GAP_MS);
  const exchange = () => question.exchange();
  return line.ask({ exchange, timeoutMs, gapMs, neutral, provesReply, accepts: () => true });
}

/** Ask everything once that the profile asks, as long as nobody breaks it off. Gives what was read, or why it was not. */
export async function readOnce(line: ProbeLine, driver: Driver, signal: AbortSignal): Promise<ProbeReading[]> {
  const book = new ChannelBook(driver, line.place);
  // Somebody else may be there after a silence: what acts on others is not asked then.
  let isKnown = true;
  const fieldsFor = async ({
    ask: question,
    cutter,
    timeoutMs,
  }: Pick<DriverQuestion, 'ask' | 'cutter' | 'timeoutMs'>) => {
    if (signal.aborted || (!isKnown && driver.family.bond !== null)) return null;
    const outcome = await askOnce(line, driver, question, timeoutMs);
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
