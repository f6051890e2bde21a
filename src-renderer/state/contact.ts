// What the page knows of the agent, and since when. The agent pushes snapshots; when none has come for a while the page
// asks, and when that is not answered either the contact counts as lost: what is shown then is old and says how old.
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Snapshot } from '../../src-main/contract/snapshot.ts';
import { agent, watchAccess } from '../bridge.ts';

/** `connecting`: nothing heard yet. `lost`: nothing heard lately. `unknown`: the agent wants a fresh link. */
type ContactState = 'connecting' | 'live' | 'lost' | 'unknown';

export interface Contact {
  readonly state: ContactState;
  readonly snapshot: Snapshot | null;
  /** When the snapshot came in, on the page's monotonic clock, milliseconds. */
  readonly heardMs: number;
}

/** Silence after which the page asks, and after which an unanswered question counts as lost contact, milliseconds. */
const QUIET_MS = 1_000;
const SILENT_MS = 2_000;
const CHECK_INTERVAL_MS = 250;
/**
 * What counts at most as listened between two checks, milliseconds: what came in while the page itself was held up is read
 * after it, and until then nobody was silent. A page that nobody sees is checked seldom, down to once a minute, and not held
 * up by that.
 */
const LISTENED_MAX_MS = 2 * CHECK_INTERVAL_MS;

let contact: Contact = { state: 'connecting', snapshot: null, heardMs: performance.now() };
const listeners = new Set<() => void>();
let isAsking = false;
let heardCount = 0;
let checkedMs = performance.now();
/** How long the page has listened and heard nothing. */
let listenedMs = 0;

function tell(change: Partial<Contact>): void {
  contact = { ...contact, ...change };
  for (const listener of listeners) listener();
}

function hear(snapshot: Snapshot): void {
  heardCount += 1;
  listenedMs = 0;
  tell({ state: 'live', snapshot, heardMs: performance.now() });
}

async function ask(): Promise<void> {
  isAsking = true;
  const before = heardCount;
  const answer = await agent.snapshot.read(null);
  isAsking = false;
  // A snapshot that was pushed meanwhile is newer than the answer.
  if (answer.ok && heardCount === before) hear(answer.value);
}

function check(): void {
  const nowMs = performance.now();
  const silentMs = nowMs - Math.max(checkedMs, contact.heardMs);
  listenedMs += document.hidden ? silentMs : Math.min(silentMs, LISTENED_MAX_MS);
  checkedMs = nowMs;
  if (nowMs - contact.heardMs > QUIET_MS && !isAsking) void ask();
  if (listenedMs > SILENT_MS && contact.state === 'live') tell({ state: 'lost' });
}

agent.on('snapshot', hear);
watchAccess((access) => {
  if (access === 'unknown') tell({ state: 'unknown' });
});
setInterval(check, CHECK_INTERVAL_MS);
void ask();

/** Call a listener after each change of the contact. */
export const watchContact = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Follow the contact to the agent and its newest snapshot. */
export function useContact(): Contact {
  return useSyncExternalStore(watchContact, () => contact);
}

/** Follow the ids of the sources that count frames. */
export const useCounterIds = (): string[] =>
  (useContact().snapshot?.sources ?? []).filter(({ kind }) => kind === 'rheed').map(({ id }) => id);

/** Read the newest snapshot outside of a component. */
export const readContact = (): Contact => contact;

/**
 * Tell the agent's present, Unix milliseconds.
 *
 * The agent's own stamp carried on by the page's monotonic clock, so that ages are right when the clocks of page and
 * agent differ, and when one of them steps.
 */
export function agentNowMs({ snapshot, heardMs }: Contact): number {
  return snapshot === null ? Date.now() : snapshot.atMs + (performance.now() - heardMs);
}

/** Follow the agent's present, drawn again every second. */
export function useAgentNow(): number {
  const current = useContact();
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), 1_000);
    return () => clearInterval(timer);
  }, []);
  return agentNowMs(current);
}
