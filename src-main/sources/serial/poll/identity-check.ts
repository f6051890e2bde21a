// Which instrument answers? What it says is remembered, and ends the recording when another one says something else later. So
// noise must not be taken for it: what is new counts when it was said twice, one after the other.
import { AgentError } from '../../../model/agent-error.ts';
import type { Driver, DriverIdentity } from '../profile/compile-profile.ts';
import type { Asker } from './asker.ts';

/** How often it is asked, until the same was said twice. */
const ASKED_MAX = 4;

export type Said =
  /** It does not say what it is, or only which protocol it speaks. */
  | { readonly kind: 'untold' }
  /** Something that such an instrument does not say. */
  | { readonly kind: 'strange'; readonly text: string }
  /** Each time something else: nothing of it is believed. */
  | { readonly kind: 'unsure'; readonly text: string }
  | { readonly kind: 'sure'; readonly found: string; readonly text: string };

/**
 * Ask an instrument what it is. Takes its identity question (null: none), and what it said when it was asked first; null:
 * not yet known.
 *
 * @returns what it says, `sure` when that is what is known or was said twice.
 * @throws as the connection ended.
 */
export async function askIdentity(asker: Asker, identity: DriverIdentity | null, known: string | null): Promise<Said> {
  if (identity === null) return { kind: 'untold' };
  let last: string | null = null;
  let text = '';
  for (let asked = 0; asked < ASKED_MAX; asked++) {
    const said = await askOnce(asker, identity);
    if (said === null && last === null) return { kind: 'untold' };
    if (said === null) continue;
    text = said;
    // Where it is known who was there, any other answer may be that of another instrument.
    const found = identity.read(said) ?? (known === null ? null : said);
    if (found === null && last === null) return { kind: 'strange', text };
    if (!identity.isSure) return { kind: 'untold' };
    if (found !== null && (found === known || found === last)) return { kind: 'sure', found, text };
    last = found ?? last;
  }
  return { kind: 'unsure', text };
}

/**
 * Refuse an instrument that is asked what acts on others, unless it says for certain that it is none of those.
 *
 * @throws `serial.identity-missing` when it says nothing, `serial.other-instrument` when it says something else.
 */
export function refuseUnbound({ family, identity, profile }: Driver, said: Said, place: string): void {
  const { bond } = family;
  if (bond === null || (said.kind === 'sure' && identity?.read(said.text) !== null)) return;
  const what = said.kind === 'untold' ? 'says not what it is' : `says "${said.text}"`;
  throw new AgentError({
    code: said.kind === 'untold' ? 'serial.identity-missing' : 'serial.other-instrument',
    message: `What answers on ${place} ${what}, which is not known of ${profile.title}: nothing else is asked.`,
    hint: `Its questions only read on ${bond.about}, and could switch something on elsewhere. Look which instrument is on this port. Epistream asks again automatically.`,
    retry: 'later',
  });
}

/** The text of its answer; null when there was none. */
async function askOnce(asker: Asker, identity: DriverIdentity): Promise<string | null> {
  const outcome = await asker.ask(identity.ask);
  if (outcome.kind !== 'reply' || (outcome.reply.kind !== 'text' && outcome.reply.kind !== 'fields')) return null;
  return outcome.reply.kind === 'text' ? outcome.reply.text : outcome.reply.raw;
}
