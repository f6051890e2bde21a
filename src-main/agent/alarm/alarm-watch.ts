// Decides which alarms leave this PC. A trouble counts once it has lasted, and is over once it has been gone as long; so one
// that comes and goes sends nothing. One message a minute at most: what changes meanwhile goes into the next one.
//
// Invariants: a trouble is reported once for as long as it lasts, "all is well" once after it. Troubles are compared by their
// keys, since texts contain times and counts. What is remembered are the keys of the present troubles and of those that ended
// in the last 10 s.
import type { Snapshot } from '../../contract/snapshot.ts';
import { ALARM_KEY } from '../status/troubles.ts';

/** A state counts once it has lasted this long, milliseconds. */
export const SETTLE_MS = 10_000;
/** Shortest time between two messages, milliseconds. */
export const PAUSE_MS = 60_000;

/** One alarm, in the form in which a webhook gets it. */
export interface AlarmMessage {
  readonly tool: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly state: 'trouble' | 'well' | 'test';
  readonly headline: string;
  /** What the system or the service said; empty: nothing. */
  readonly detail: string;
  readonly hint: string;
  /** All troubles that have lasted, the worst first. */
  readonly troubles: readonly { readonly text: string; readonly detail: string }[];
}

/** A trouble by its key: present or gone since when, and whether it has lasted. */
interface Watched {
  isPresent: boolean;
  sinceMs: number;
  isSettled: boolean;
}

export class AlarmWatch {
  readonly #watched = new Map<string, Watched>();
  /** What the last message reported. */
  #isTrouble = false;
  /** Keys that were reported and have not ended since. */
  #reported: Set<string> = new Set();
  #sentMs = Number.NEGATIVE_INFINITY;

  /**
   * Look at the present state, at least every few seconds.
   *
   * @param snapshot - of an agent that may be starting or stopping: then nothing is known of its troubles, and nothing counts.
   * @param nowMs - monotonic clock, milliseconds.
   * @returns the message to send now; null: none.
   */
  look(snapshot: Snapshot, nowMs: number): AlarmMessage | null {
    if (snapshot.phase !== 'running' || snapshot.isTrial) return null;
    this.#settle(snapshot, nowMs);
    if (nowMs - this.#sentMs < PAUSE_MS) return null;
    const settled = new Set([...this.#watched].flatMap(([key, { isSettled }]) => (isSettled ? [key] : [])));
    const isNew = (key: string) => settled.has(key) && !this.#reported.has(key);
    const first = snapshot.troubles.find(({ keys }) => keys.some(isNew));
    const isWellAgain = this.#isTrouble && this.#watched.size === 0;
    if (first === undefined && !isWellAgain) {
      for (const key of this.#reported) if (!settled.has(key)) this.#reported.delete(key);
      return null;
    }
    this.#reported = settled;
    this.#isTrouble = first !== undefined;
    this.#sentMs = nowMs;
    if (first === undefined) return wellAgain(snapshot);
    const lasting = snapshot.troubles.filter(({ keys }) => keys.some((key) => settled.has(key)));
    const { text: headline, detail, hint } = first;
    return { ...common({ ...snapshot, troubles: lasting }), state: 'trouble', headline, detail, hint };
  }

  #settle({ troubles, sources }: Snapshot, nowMs: number): void {
    const present = new Set(troubles.flatMap(({ keys }) => keys));
    // That alarms cannot be sent must cause no alarm.
    present.delete(ALARM_KEY);
    // A source that is being opened has no trouble yet: that is no sign that it has none.
    const isOpening = sources.some(({ state }) => state === 'starting');
    for (const key of present) {
      if (!this.#watched.has(key)) this.#watched.set(key, { isPresent: true, sinceMs: nowMs, isSettled: false });
    }
    for (const [key, one] of this.#watched) {
      const isPresent = present.has(key);
      if (isPresent !== one.isPresent || (!isPresent && isOpening)) Object.assign(one, { isPresent, sinceMs: nowMs });
      const isLasting = nowMs - one.sinceMs >= SETTLE_MS;
      if (isPresent && isLasting) one.isSettled = true;
      if (!isPresent && (isLasting || !one.isSettled)) this.#watched.delete(key);
    }
  }
}

const common = ({ toolName, atMs, troubles }: Pick<Snapshot, 'toolName' | 'atMs' | 'troubles'>) => ({
  tool: toolName ?? '',
  at: new Date(atMs).toISOString(),
  troubles: troubles.map(({ text, detail }) => ({ text, detail })),
});

const wellAgain = (snapshot: Snapshot): AlarmMessage => ({
  ...common(snapshot),
  ...{ state: 'well', headline: 'All is well again.', detail: snapshot.sentence.text, hint: '' },
});

/** The message of the test button. */
export const testMessage = (snapshot: Snapshot): AlarmMessage => ({
  ...common(snapshot),
  ...{ state: 'test', headline: 'This is a test alarm.', detail: snapshot.sentence.text, hint: '' },
});
